#pragma once

#include <partyline/session/access_control.hpp>
#include <partyline/session/session_options.hpp>

namespace partyline {

/// The conversation is that of the peer of this grant.
inline void use_grant(session_options& options, const access_grant& grant)
{
    options.peer = grant.peer;
    options.access = grant.view;
    options.quota = grant.quota;
}

} // namespace partyline
