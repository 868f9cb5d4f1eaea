#pragma once

#include <partyline/session/peer_identity.hpp>

#include <optional>

namespace partyline {

/// Who has connected to a Unix socket, of which this is an end. Unset where the system does not tell.
std::optional<peer_identity::credentials> local_credentials(int socket) noexcept;

/// Has a listening socket of TCP drop whoever tries to connect from now on; those who wait in it can be accepted still.
/// False: the system can't do that.
bool drop_openings(int socket) noexcept;

} // namespace partyline
