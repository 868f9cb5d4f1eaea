#include "http/opening/first_bytes.hpp"

#include "protocol/json/byte_order_mark.hpp"

#include <algorithm>
#include <cstddef>

namespace partyline::http {
namespace {

constexpr std::string_view proxy_1 = "PROXY ";
constexpr std::string_view proxy_2("\r\n\r\n\0\r\nQUIT\n", 12);
constexpr std::string_view empty_line = "\r\n";
constexpr std::string_view header_name = "content-";
constexpr std::string_view tls_handshake = "\x16\x03"; // a record of TLS 1.x; its third byte is the minor version
constexpr std::size_t longest_method = 7;
constexpr std::size_t most_blanks = 8;

bool begins_alike(std::string_view text, std::string_view whole) noexcept
{
    return whole.starts_with(text.substr(0, whole.size()));
}

bool is_letter(char c) noexcept
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

opening opening_of_lines(std::string_view first) noexcept
{
    const std::size_t begin = std::min(first.find_first_not_of(" \t\r\n"), first.size());
    if (begin >= most_blanks)
        return opening::lines; // whatever comes behind them
    if (begin == first.size())
        return opening::undecided;
    return first[begin] == '{' || first[begin] == '[' ? opening::lines : opening::unknown;
}

// A word of letters: a method of HTTP where a blank follows.
opening opening_of_word(std::string_view first) noexcept
{
    const auto end = std::find_if_not(first.begin(), first.end(), is_letter);
    const auto size = static_cast<std::size_t>(end - first.begin());
    const bool is_open = end == first.end();
    if (size <= longest_method && (is_open || *end == ' '))
        return is_open ? opening::undecided : opening::http;
    const bool may_be_header = std::equal(
        first.begin(), first.begin() + static_cast<std::ptrdiff_t>(std::min(first.size(), header_name.size())),
        header_name.begin(), [](char came, char lower) { return (came | (is_letter(came) ? 0x20 : 0)) == lower; });
    if (!may_be_header)
        return opening::unknown;
    return first.size() < header_name.size() ? opening::undecided : opening::content_length;
}

// Behind an empty line, which HTTP alone lets stand there.
opening opening_of_later_word(std::string_view first) noexcept
{
    const opening found = opening_of_word(first);
    return found == opening::content_length ? opening::unknown : found;
}

} // namespace

opening opening_of(std::string_view first) noexcept
{
    if (first.empty())
        return opening::undecided;
    if (begins_alike(first, tls_handshake)) {
        if (first.size() < 3)
            return opening::undecided;
        return static_cast<unsigned char>(first[2]) <= 4 ? opening::tls : opening::unknown;
    }
    if (begins_alike(first, proxy_1) && first.size() >= proxy_1.size())
        return opening::proxy;
    if (begins_alike(first, proxy_2))
        return first.size() < proxy_2.size() ? opening::undecided : opening::proxy;
    if (begins_alike(first, byte_order_mark)) {
        if (first.size() <= byte_order_mark.size())
            return opening::undecided;
        return opening_of_lines(first.substr(byte_order_mark.size()));
    }
    if (first.size() > empty_line.size() && first.starts_with(empty_line) && is_letter(first[empty_line.size()]))
        return opening_of_later_word(first.substr(empty_line.size()));
    return is_letter(first.front()) ? opening_of_word(first) : opening_of_lines(first);
}

} // namespace partyline::http
