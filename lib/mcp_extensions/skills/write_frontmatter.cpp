#include "mcp_extensions/skills/write_frontmatter.hpp"

#include "mcp_extensions/skills/frontmatter.hpp"
#include "mcp_extensions/skills/shown.hpp"
#include "mcp_extensions/skills/utf8.hpp"

#include <partyline/protocol/byte_buffer.hpp>
#include <partyline/protocol/writer.hpp>

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <stdexcept>
#include <string_view>

namespace json = boost::json;

namespace partyline::mcp::skills {
namespace {

constexpr std::size_t max_key = 128;

// All that need one are below U+10000.
void append_escape(std::string& out, char32_t c)
{
    constexpr char digits[] = "0123456789abcdef";
    out += {'\\', 'u', digits[(c >> 12) & 15], digits[(c >> 8) & 15], digits[(c >> 4) & 15], digits[c & 15]};
}

// What JSON has escapes for has them already.
void append_text(std::string& out, std::string_view text)
{
    byte_buffer quoted;
    write_string(quoted, text);
    std::string_view rest = quoted.view();
    while (!rest.empty()) {
        const std::string_view here = rest;
        const char32_t c = take_code_point(rest);
        if (needs_escape(c))
            append_escape(out, c);
        else
            out += here.substr(0, here.size() - rest.size());
    }
}

void append_number(std::string& out, double number)
{
    std::array<char, 32> digits; // of the shortest form, 24 at most
    const std::to_chars_result end = std::to_chars(digits.data(), digits.data() + digits.size(), number);
    const std::string_view text(digits.data(), static_cast<std::size_t>(end.ptr - digits.data()));
    const std::size_t exponent = std::min(text.find('e'), text.size());
    out += text.substr(0, exponent);
    if (text.find('.') == std::string_view::npos)
        out += ".0";
    out += text.substr(exponent);
}

void check_key(std::string_view key)
{
    if (key.empty() || key == "<<" || key.size() > max_key)
        throw std::invalid_argument("the member \"" + shown(key) +
                                    "\": expected a name of 1 to 128 bytes that is not \"<<\"");
}

// Null, a truth value or an integer.
void append_plain(std::string& out, const json::value& value)
{
    byte_buffer written;
    write_value(written, value, 1);
    out += written.view();
}

void append_value(std::string& out, const json::value& value);

void append_items(std::string& out, const json::array& items)
{
    out += '[';
    for (std::size_t i = 0; i != items.size(); ++i) {
        out += i == 0 ? "" : ", ";
        append_value(out, items[i]);
    }
    out += ']';
}

void append_members(std::string& out, const json::object& members)
{
    out += '{';
    std::string_view between;
    for (const json::key_value_pair& member : members) {
        check_key(member.key());
        out += between;
        append_text(out, member.key());
        out += ": ";
        append_value(out, member.value());
        between = ", ";
    }
    out += '}';
}

void append_value(std::string& out, const json::value& value)
{
    switch (value.kind()) {
    case json::kind::object: return append_members(out, value.get_object());
    case json::kind::array: return append_items(out, value.get_array());
    case json::kind::string: return append_text(out, value.get_string());
    case json::kind::double_: return append_number(out, value.get_double());
    default: return append_plain(out, value);
    }
}

constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
constexpr std::string_view letters_and_more = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

// Whether YAML, of whatever version, has a null or a bool by this word.
bool is_reserved(std::string_view word)
{
    constexpr std::array<std::string_view, 9> reserved = {"y", "n", "yes", "no", "on", "off", "true", "false", "null"};
    const std::string lower = lower_case(word);
    return std::find(reserved.begin(), reserved.end(), lower) != reserved.end();
}

// Whether it is a text without quotes: no number, date or mark of a list begins with a letter.
bool is_plain_key(std::string_view key)
{
    return letters.find(key.front()) != std::string_view::npos &&
           key.find_first_not_of(letters_and_more) == std::string_view::npos && !is_reserved(key);
}

} // namespace

std::string write_frontmatter(const json::object& frontmatter)
{
    std::string text = "---\n";
    for (const json::key_value_pair& member : frontmatter) {
        check_key(member.key());
        if (is_plain_key(member.key()))
            text += member.key();
        else
            append_text(text, member.key());
        text += ": ";
        append_value(text, member.value());
        text += '\n';
    }
    return text += "---\n";
}

} // namespace partyline::mcp::skills
