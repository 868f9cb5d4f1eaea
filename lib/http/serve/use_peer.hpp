#pragma once

#include <partyline/session/access_control.hpp>
#include <partyline/session/session_options.hpp>

#include <memory>

namespace partyline::http {

/// The conversation is that of who has sent a request, or has connected: `from`, as far as its connection tells, and
/// the peer of its grant. `grant`: null where nobody was asked.
void use_peer(session_options& options, const peer_identity& from, const access_grant* grant);

} // namespace partyline::http
