#include "protocol/framing/header_reader.hpp"

#include <algorithm>
#include <charconv>

namespace partyline {
namespace {

char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool is_same(std::string_view text, std::string_view expected)
{
    return std::equal(text.begin(), text.end(), expected.begin(), expected.end(),
                      [](char one, char other) { return lower(one) == lower(other); });
}

std::string_view trim(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == text.npos)
        return {};
    return text.substr(first, text.find_last_not_of(" \t") + 1 - first);
}

std::string_view unquote(std::string_view text)
{
    const bool is_quoted = text.size() >= 2 && text.front() == '"' && text.back() == '"';
    return is_quoted ? text.substr(1, text.size() - 2) : text;
}

// RFC 9110, 8.3: type, then parameters behind semicolons. Without a charset it is UTF-8.
bool names_utf8(std::string_view content_type)
{
    for (std::size_t at = content_type.find(';'); at != content_type.npos;) {
        const std::size_t next = content_type.find(';', at + 1);
        const std::string_view parameter = content_type.substr(at + 1, next - at - 1);
        const std::size_t equals = parameter.find('=');
        if (is_same(trim(parameter.substr(0, equals)), "charset")) {
            const std::string_view charset =
                equals == parameter.npos ? parameter.substr(0, 0) : unquote(trim(parameter.substr(equals + 1)));
            return is_same(charset, "utf-8") || is_same(charset, "utf8");
        }
        at = next;
    }
    return true;
}

// RFC 9110, 5.1 and 5.6.2: a token. A message without header, which has a colon too, is none.
bool is_name(std::string_view text)
{
    static constexpr std::string_view marks = "!#$%&'*+-.^_`|~";
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        const char letter = lower(c);
        return (letter >= 'a' && letter <= 'z') || (c >= '0' && c <= '9') || marks.find(c) != marks.npos;
    });
}

} // namespace

void header_reader::reset() noexcept
{
    has_length_ = false;
    is_utf8_ = true;
}

// Worth having: line by line a header takes 500 instructions more.
std::size_t header_reader::take_usual(std::string_view text) noexcept
{
    constexpr std::string_view before = "Content-Length: ";
    constexpr std::string_view behind = "\r\n\r\n";
    constexpr std::size_t max_digits = 9; // no overflow
    if (!text.starts_with(before))
        return 0;
    std::size_t at = before.size();
    std::size_t length = 0;
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at)
        length = length * 10 + static_cast<std::size_t>(text[at] - '0');
    const std::size_t digits = at - before.size();
    if (digits == 0 || digits > max_digits || length > max_length_ || !text.substr(at).starts_with(behind))
        return 0;
    length_ = length;
    has_length_ = true;
    return at + behind.size();
}

bool header_reader::take(std::string_view line)
{
    const std::size_t colon = line.find(':');
    if (colon == line.npos)
        return fail("a header line has no colon; expected Content-Length: and the message's length in bytes");
    const std::string_view name = line.substr(0, colon);
    if (!is_name(name))
        return fail("a header line begins with no name; expected Content-Length: and the message's length in bytes");
    const std::string_view value = trim(line.substr(colon + 1));
    if (is_same(name, "Content-Length"))
        return take_length(value);
    if (is_same(name, "Content-Type"))
        is_utf8_ = names_utf8(value);
    return true;
}

bool header_reader::take_length(std::string_view value)
{
    if (has_length_)
        return fail("Content-Length came twice in one header");
    const bool is_decimal =
        !value.empty() && std::all_of(value.begin(), value.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (!is_decimal)
        return fail("Content-Length is no number of bytes; expected decimal digits alone");
    const std::errc failed = std::from_chars(value.data(), value.data() + value.size(), length_).ec;
    if (failed != std::errc() || length_ > max_length_)
        return fail("Content-Length is over 1 GiB, more than can be discarded");
    has_length_ = true;
    return true;
}

bool header_reader::finish()
{
    return has_length_ || fail("a header has no Content-Length");
}

bool header_reader::fail(const char* problem)
{
    problem_ = problem;
    return false;
}

} // namespace partyline
