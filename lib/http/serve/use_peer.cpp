#include "http/serve/use_peer.hpp"

#include "session/conversation.hpp"
#include "session/use_grant.hpp"

namespace partyline::http {

void use_peer(session_options& options, const peer_identity& from, const access_grant* grant)
{
    if (grant)
        use_grant(options, *grant, from);
    else
        options.peer = std::make_shared<const peer_identity>(from);
}

void follow_grant(conversation& its, const access_grant& from, const access_grant& to) noexcept
{
    const current_access& used = its.context().access;
    if (to.view != from.view && used.get() == from.view.get())
        its.use_access(to.view);
    if (to.quota != from.quota && used.quota() == from.quota)
        its.use_quota(to.quota);
}

} // namespace partyline::http
