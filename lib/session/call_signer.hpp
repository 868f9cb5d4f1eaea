#pragma once

#include <partyline/session/access_control.hpp>
#include <partyline/session/peer_identity.hpp>

#include <memory>

namespace partyline {

/// Who has signed a call, of a peer that has no principal. It is so for that call alone.
struct call_signer {
    std::shared_ptr<const access_grant> grant = {};
    /// Its peer, with what the system says of the connection.
    peer_identity peer = {};
};

} // namespace partyline
