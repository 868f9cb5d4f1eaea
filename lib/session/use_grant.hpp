#pragma once

#include <partyline/config.hpp>
#include <partyline/session/access_control.hpp>
#include <partyline/session/session_options.hpp>

#include <chrono>
#include <memory>
#include <string_view>

namespace partyline {

/// Whether both grants are of one peer, whose rights may differ.
inline bool is_same_peer(const access_grant& a, const access_grant& b) noexcept
{
    return a.peer->source == b.peer->source && a.peer->principal == b.peer->principal;
}

/// Renews a grant of a peer that can't become another one: where the grant would be another peer's, it is `invalid`.
/// A grant that can't be checked now, such as where memory is short, holds until it can be, or expires. Admitted, it
/// has a grant.
PARTYLINE_EXPORT authentication renew_same_peer(access_control& by, const std::shared_ptr<const access_grant>& grant,
                                                std::chrono::system_clock::time_point now) noexcept;

/// The conversation is that of the peer of this grant.
inline void use_grant(session_options& options, const access_grant& grant)
{
    options.peer = grant.peer;
    options.access = grant.view;
    options.quota = grant.quota;
}

/// The same for a connection, whose peer is also known by what the system says of it: `address` and `local` of `from`.
/// Throws `std::bad_alloc`; then the options have not changed.
PARTYLINE_EXPORT void use_grant(session_options& options, const access_grant& grant, const peer_identity& from);

/// Why a peer is not admitted, for logs: "it has shown no credentials".
PARTYLINE_EXPORT std::string_view describe(authentication_outcome refused) noexcept;

} // namespace partyline
