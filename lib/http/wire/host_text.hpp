#pragma once

#include <cstddef>
#include <string_view>

namespace partyline::http {

/// Behind the name or the address that it begins with: a name, an IPv4 address, or an IPv6 one in brackets (RFC 3986
/// §3.2.2). 0 where that is none.
std::size_t end_of_host(std::string_view text) noexcept;

/// Whether it is one of these, and perhaps a colon and digits of a port.
bool is_authority(std::string_view text) noexcept;

} // namespace partyline::http
