#include "http/serve/use_peer.hpp"

#include "session/use_grant.hpp"

#include <utility>

namespace partyline::http {

void use_peer(session_options& options, const peer_identity& from, const access_grant* grant)
{
    if (grant)
        use_grant(options, *grant);
    auto known = std::make_shared<peer_identity>(grant ? *grant->peer : from);
    known->local = from.local;
    known->address = from.address;
    options.peer = std::move(known);
}

} // namespace partyline::http
