#pragma once

// The old name of this header, which goes with the next release.
#pragma message("<partyline/transport/peer_identity.hpp> is now <partyline/session/peer_identity.hpp>")

#include <partyline/session/peer_identity.hpp>
