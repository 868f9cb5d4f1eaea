#pragma once

#include <cstdint>

namespace partyline {

/// The addresses that a server may listen on.
enum class exposure : std::uint8_t {
    loopback, ///< loopback and Unix sockets: data stays on this machine; a server may document exceptions
    anywhere  ///< any address: something in front of the server has to authenticate clients, or to encrypt
};

} // namespace partyline
