#include "mcp_extensions/skills/yaml_quoted.hpp"

#include "mcp_extensions/skills/yaml_flow.hpp"

#include <cstdint>
#include <stdexcept>

namespace partyline::mcp::skills {
namespace {

bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

void append_code_point(std::string& out, std::uint32_t code)
{
    const auto byte = [&](std::uint32_t bits) { out.push_back(static_cast<char>(bits)); };
    if (code < 0x80)
        return byte(code);
    if (code < 0x800)
        byte(0xC0 | code >> 6);
    else if (code < 0x10000) {
        byte(0xE0 | code >> 12);
        byte(0x80 | (code >> 6 & 0x3F));
    } else {
        byte(0xF0 | code >> 18);
        byte(0x80 | (code >> 12 & 0x3F));
        byte(0x80 | (code >> 6 & 0x3F));
    }
    byte(0x80 | (code & 0x3F));
}

std::uint32_t hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return static_cast<std::uint32_t>(c - '0');
    const char lower = static_cast<char>(c | 0x20);
    if (lower < 'a' || lower > 'f')
        throw std::invalid_argument("expected hexadecimal digits behind \"\\x\", \"\\u\" or \"\\U\"");
    return static_cast<std::uint32_t>(lower - 'a' + 10);
}

// `at` is behind the letter, and then behind the digits.
std::uint32_t read_code(std::string_view text, std::size_t& at, std::size_t digits)
{
    std::uint32_t code = 0;
    if (text.size() - at < digits)
        throw std::invalid_argument("expected hexadecimal digits behind \"\\x\", \"\\u\" or \"\\U\"");
    for (; digits != 0; --digits)
        code = code << 4 | hex_digit(text[at++]);
    if (code > 0x10FFFF || (code >= 0xD800 && code < 0xE000))
        throw std::invalid_argument("an escape sequence stands for no character of Unicode");
    return code;
}

// What the letter behind a "\" stands for.
std::uint32_t escaped(char letter)
{
    constexpr std::string_view letters = "0abt\tnvfre \"/\\N_LP";
    constexpr std::uint32_t codes[] = {0,  7,   8,   9,   9,    10,   11,   12,     13,
                                       27, ' ', '"', '/', '\\', 0x85, 0xA0, 0x2028, 0x2029};
    const std::size_t found = letters.find(letter);
    if (found == std::string_view::npos)
        throw std::invalid_argument(std::string("YAML has no escape sequence \"\\") + letter + '"');
    return codes[found];
}

// `at` is at a break, or at the spaces in front of one: takes all breaks and spaces, and folds them.
void fold_breaks(std::string_view text, std::size_t& at, std::string& out, std::size_t kept)
{
    std::size_t breaks = 0;
    for (; at != text.size() && (is_blank(text[at]) || text[at] == '\n'); ++at)
        breaks += text[at] == '\n' ? 1 : 0;
    while (out.size() > kept && is_blank(out.back()))
        out.pop_back();
    if (breaks == 1)
        out.push_back(' ');
    else
        out.append(breaks - 1, '\n');
}

// Behind a "\" at the end of a line the next line goes on at once.
void skip_break(std::string_view text, std::size_t& at)
{
    ++at;
    while (at != text.size() && is_blank(text[at]))
        ++at;
}

std::string unquote_double(std::string_view text)
{
    std::string out;
    std::size_t kept = 0; // what escape sequences stand for is never folded away
    for (std::size_t at = 0; at != text.size();) {
        if (text[at] == '\n') {
            fold_breaks(text, at, out, kept);
        } else if (text[at] != '\\') {
            out.push_back(text[at++]);
        } else if (text[++at] == '\n') {
            skip_break(text, at);
            kept = out.size();
        } else {
            const char letter = text[at++];
            const std::size_t digits = letter == 'x' ? 2 : letter == 'u' ? 4 : letter == 'U' ? 8 : 0;
            append_code_point(out, digits != 0 ? read_code(text, at, digits) : escaped(letter));
            kept = out.size();
        }
    }
    return out;
}

std::string unquote_single(std::string_view text)
{
    std::string out;
    for (std::size_t at = 0; at != text.size();)
        if (text[at] == '\n')
            fold_breaks(text, at, out, 0);
        else {
            out.push_back(text[at]);
            at += text[at] == '\'' ? 2 : 1; // '' is one
        }
    return out;
}

} // namespace

std::string fold_lines(std::string_view text)
{
    std::string out;
    for (std::size_t at = 0; at != text.size();)
        if (text[at] == '\n')
            fold_breaks(text, at, out, 0);
        else
            out.push_back(text[at++]);
    return out;
}

std::string unquote(std::string_view quoted)
{
    const std::string_view text = quoted.substr(1, quoted.size() - 2);
    return quoted.front() == '"' ? unquote_double(text) : unquote_single(text);
}

std::size_t find_quote_end(std::string_view text) noexcept
{
    const char quote = text.front();
    for (std::size_t at = 1; at < text.size(); ++at)
        if (quote == '"' && text[at] == '\\')
            ++at;
        else if (text[at] == quote) {
            const bool is_doubled = quote == '\'' && at + 1 < text.size() && text[at + 1] == quote;
            if (!is_doubled)
                return at + 1;
            ++at;
        }
    return std::string_view::npos;
}

} // namespace partyline::mcp::skills
