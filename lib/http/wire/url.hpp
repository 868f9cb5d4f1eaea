#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace partyline::http {

enum class url_scheme : std::uint8_t { http, https, ws, wss };

/// Where a server is: "https://example.org:8443/mcp?x".
struct url {
    url_scheme scheme = url_scheme::http;
    std::string host; // a name, in lower case, or an address; without brackets
    std::uint16_t port = 80;
    std::string target = "/"; // path and query, as a request has them

    bool is_secure() const noexcept { return scheme == url_scheme::https || scheme == url_scheme::wss; }
    bool is_websocket() const noexcept { return scheme == url_scheme::ws || scheme == url_scheme::wss; }
    /// As Host says it: an address of IPv6 in brackets, and no port where that is the scheme's own.
    std::string authority() const;
    /// With the port in any case, as CONNECT has it.
    std::string host_and_port() const;
    /// Scheme, host and port: what a connection is for. All of it and the target are the address.
    std::string origin() const;

    bool operator==(const url&) const = default;
};

/// Throws `std::invalid_argument` with a text for the user, which says what was expected.
url parse_url(std::string_view text);

std::string_view to_string(url_scheme scheme) noexcept;
std::uint16_t default_port(url_scheme scheme) noexcept;

} // namespace partyline::http
