#include "http/opening/proxy_head.hpp"

#include <boost/asio/ip/address.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <string>

namespace asio = boost::asio;

namespace partyline::http {
namespace {

using state = proxy_head::state;

constexpr std::string_view text_mark = "PROXY ";
constexpr std::string_view binary_mark("\r\n\r\n\0\r\nQUIT\n", 12);
constexpr std::size_t longest_line = 107; // with its end
constexpr std::size_t longest_rest = 2048;

unsigned octet_at(std::string_view bytes, std::size_t at) noexcept
{
    return static_cast<unsigned char>(bytes[at]);
}

bool could_begin(std::string_view text, std::string_view whole) noexcept
{
    return whole.starts_with(text.substr(0, whole.size()));
}

std::string_view take_word(std::string_view& line) noexcept
{
    const std::size_t end = std::min(line.find(' '), line.size());
    const std::string_view word = line.substr(0, end);
    line.remove_prefix(std::min(end + 1, line.size()));
    return word;
}

std::optional<std::uint16_t> port_in(std::string_view digits) noexcept
{
    std::uint16_t port = 0;
    const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
    if (failed != std::errc() || end != digits.data() + digits.size())
        return std::nullopt;
    return port;
}

std::optional<asio::ip::address> address_in(std::string_view text, std::string_view family)
{
    boost::system::error_code failed;
    auto address = asio::ip::make_address(std::string(text), failed);
    if (failed || family != (address.is_v4() ? "TCP4" : "TCP6"))
        return std::nullopt;
    return address;
}

// TCP4 192.0.2.1 192.0.2.2 56324 443
std::optional<ip_endpoint> client_in(std::string_view line)
{
    const std::string_view family = take_word(line);
    const auto from = address_in(take_word(line), family);
    const auto to = address_in(take_word(line), family);
    const std::optional<std::uint16_t> port = port_in(take_word(line));
    if (!from || !to || !port || !port_in(line))
        return std::nullopt;
    return ip_endpoint{*from, *port};
}

proxy_head read_line(std::string_view bytes)
{
    const std::size_t end = bytes.substr(0, longest_line).find("\r\n");
    if (end == bytes.npos)
        return {bytes.size() < longest_line ? state::more : state::refused, 0, {}};
    const std::string_view line = bytes.substr(text_mark.size(), end - text_mark.size());
    if (line == "UNKNOWN" || line.starts_with("UNKNOWN "))
        return {state::done, end + 2, ip_endpoint()};
    const std::optional<ip_endpoint> client = client_in(line);
    return {client ? state::done : state::refused, end + 2, client};
}

template <class Address>
ip_endpoint address_of(std::string_view addresses)
{
    typename Address::bytes_type from;
    std::memcpy(from.data(), addresses.data(), from.size());
    const std::size_t port = 2 * from.size();
    return {Address(from), static_cast<std::uint16_t>(octet_at(addresses, port) << 8 | octet_at(addresses, port + 1))};
}

proxy_head read_block(std::string_view bytes)
{
    constexpr std::size_t fixed = 16;
    if (bytes.size() < fixed)
        return {};
    const unsigned command = octet_at(bytes, 12);
    const unsigned family = octet_at(bytes, 13);
    const std::size_t length = octet_at(bytes, 14) << 8 | octet_at(bytes, 15);
    if ((command != 0x20 && command != 0x21) || length > longest_rest)
        return {state::refused, 0, {}};
    if (bytes.size() < fixed + length)
        return {};
    proxy_head found{state::done, fixed + length, {}};
    const std::string_view addresses = bytes.substr(fixed, length);
    const bool is_own = command == 0x20; // of the proxy itself, such as to see whether somebody is there
    if (!is_own && family == 0x11 && length >= 12)
        found.client = address_of<asio::ip::address_v4>(addresses);
    else if (!is_own && family == 0x21 && length >= 36)
        found.client = address_of<asio::ip::address_v6>(addresses);
    else if (!is_own && (family == 0x11 || family == 0x21))
        found.read = state::refused;
    else if (!is_own)
        found.client = ip_endpoint();
    return found;
}

} // namespace

proxy_head read_proxy_head(std::string_view bytes)
{
    if (could_begin(bytes, text_mark))
        return bytes.size() < text_mark.size() ? proxy_head() : read_line(bytes);
    if (could_begin(bytes, binary_mark))
        return bytes.size() < binary_mark.size() ? proxy_head() : read_block(bytes);
    return {state::refused, 0, {}};
}

} // namespace partyline::http
