#pragma once

#include <partyline/session/access_control.hpp>
#include <partyline/session/session_options.hpp>

#include <memory>

namespace partyline {
class conversation;
}

namespace partyline::http {

/// The conversation is that of who has sent a request, or has connected: `from`, as far as its connection tells, and
/// the peer of its grant. `grant`: null where nobody was asked.
void use_peer(session_options& options, const peer_identity& from, const access_grant* grant);

/// The conversation goes on with the rights of another grant of its peer. A view or a quota that was set in place of
/// the first grant's own stays.
void follow_grant(conversation& its, const access_grant& from, const access_grant& to) noexcept;

} // namespace partyline::http
