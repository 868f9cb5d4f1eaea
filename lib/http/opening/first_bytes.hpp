#pragma once

#include <cstdint>
#include <string_view>

namespace partyline::http {

/// What a connection begins with.
enum class opening : std::uint8_t {
    undecided,      // more has to come
    http,           // a method and a blank, perhaps behind an empty line; what is wrong behind that, HTTP says
    lines,          // a JSON object or array, perhaps behind blanks and a byte order mark
    content_length, // a header whose name begins with "Content-"
    tls,            // a record of its handshake
    proxy,          // the PROXY protocol, 1 or 2
    unknown
};

/// By the first bytes of a connection: no more than `decided_by` of them are needed.
opening opening_of(std::string_view first) noexcept;

inline constexpr std::size_t decided_by = 12;

} // namespace partyline::http
