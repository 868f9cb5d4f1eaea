#pragma once

#include <partyline/config.hpp>

#include <cstddef>

namespace partyline::detail {

// The state of a socket's peer, as far as the system knows it.

/// Whether it has closed both directions, or the connection is broken. (It has ended its own half alone: no.)
PARTYLINE_EXPORT bool has_hung_up(int socket) noexcept;

/// Whether nothing will come from it but what the system has already: it has ended its own half, or more than that.
PARTYLINE_EXPORT bool has_ended_input(int socket) noexcept;

/// How much of what was written the peer has not taken yet, in bytes (TCP) or in what holds them (Unix).
PARTYLINE_EXPORT std::size_t unread_bytes(int socket) noexcept;

/// Takes a byte of urgent data, which nobody here has a use for, and which would wake up who waits for an error again
/// and again. False: there was none.
PARTYLINE_EXPORT bool drop_urgent(int socket) noexcept;

} // namespace partyline::detail
