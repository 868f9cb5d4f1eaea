#pragma once

#include "http/wire/url.hpp"

#include <cstdint>
#include <string_view>

namespace partyline::http {

/// Which addresses a login uses besides public ones.
enum class address_scope : std::uint8_t {
    public_only,
    any, ///< private ones, and plain http on loopback
};

/// Whether an address names this machine: of such a server, tokens may go over plain http.
bool is_loopback(const url& to) noexcept;

/// Reads an address that another server has named. Throws client_errc::unauthorized, with `what` it is the address of,
/// where it is neither of https nor, for `any`, of http on loopback.
url read_login_address(std::string_view text, std::string_view what, address_scope scope);

} // namespace partyline::http
