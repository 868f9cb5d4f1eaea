#include <partyline/transport/tcp_address.hpp>

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <system_error>

namespace partyline {
namespace {

[[noreturn]] void refuse(std::string_view text, const char* why)
{
    throw std::invalid_argument("'" + std::string(text) + "' is no TCP address: " + why);
}

std::uint16_t port_of(std::string_view digits, std::string_view whole)
{
    std::uint16_t port = 0;
    const char* const end = digits.data() + digits.size();
    const auto [stopped, failed] = std::from_chars(digits.data(), end, port);
    if (failed != std::errc() || stopped != end)
        refuse(whole, "expected a port from 0 to 65535");
    return port;
}

// "[::1]:8080": without the brackets the colons of the host could not be told from that of the port.
tcp_address in_brackets(std::string_view text)
{
    const std::size_t end = text.find(']');
    if (end == std::string_view::npos || end == 1 || text.substr(end + 1, 1) != ":")
        refuse(text, "expected [HOST]:PORT");
    return {std::string(text.substr(1, end - 1)), port_of(text.substr(end + 2), text)};
}

bool is_blank(char c)
{
    return static_cast<unsigned char>(c) <= ' ';
}

} // namespace

tcp_address parse_tcp_address(std::string_view text)
{
    if (std::any_of(text.begin(), text.end(), is_blank))
        refuse(text, "it contains blanks");
    if (text.starts_with('['))
        return in_brackets(text);
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos)
        return {.port = port_of(text, text)};
    if (text.find(':', colon + 1) != std::string_view::npos)
        refuse(text, "an IPv6 address goes into brackets, as in [::1]:8080");
    tcp_address result{.port = port_of(text.substr(colon + 1), text)};
    if (colon != 0)
        result.host = text.substr(0, colon);
    return result;
}

std::string to_string(const tcp_address& address)
{
    const bool has_colons = address.host.find(':') != std::string::npos;
    return (has_colons ? '[' + address.host + ']' : address.host) + ':' + std::to_string(address.port);
}

} // namespace partyline
