#include "session/use_grant.hpp"

#include <memory>
#include <utility>

namespace partyline {

authentication renew_same_peer(access_control& by, const std::shared_ptr<const access_grant>& grant,
                               std::chrono::system_clock::time_point now) noexcept
{
    authentication renewed = by.renew(grant, now);
    if (renewed.outcome == authentication_outcome::unavailable) {
        const bool is_over = grant->peer->until && now >= *grant->peer->until;
        return is_over ? authentication{authentication_outcome::expired, {}}
                       : authentication{authentication_outcome::admitted, grant};
    }
    const bool is_admitted = renewed.outcome == authentication_outcome::admitted;
    if (is_admitted && !(renewed.grant && is_same_peer(*renewed.grant, *grant)))
        return {authentication_outcome::invalid, {}};
    return renewed;
}

void use_grant(session_options& options, const access_grant& grant, const peer_identity& from)
{
    auto known = std::make_shared<peer_identity>(*grant.peer);
    known->local = from.local;
    known->address = from.address;
    use_grant(options, grant);
    options.peer = std::move(known);
}

std::string_view describe(authentication_outcome refused) noexcept
{
    switch (refused) {
    case authentication_outcome::admitted: return "it is admitted";
    case authentication_outcome::missing: return "it has shown no credentials";
    case authentication_outcome::malformed: return "its credentials are malformed";
    case authentication_outcome::invalid: return "its credentials are not valid";
    case authentication_outcome::expired: return "its credentials have expired";
    case authentication_outcome::wrong_audience: return "its credentials are for another server";
    case authentication_outcome::unavailable: return "its credentials can't be checked now";
    case authentication_outcome::throttled: return "too many attempts from its address have failed";
    }
    return "it is not admitted";
}

} // namespace partyline
