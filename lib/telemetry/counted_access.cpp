#include "telemetry/counted_access.hpp"

namespace partyline::telemetry {

std::string_view to_string(authentication_outcome outcome) noexcept
{
    switch (outcome) {
    case authentication_outcome::admitted: return "admitted";
    case authentication_outcome::missing: return "missing";
    case authentication_outcome::malformed: return "malformed";
    case authentication_outcome::invalid: return "invalid";
    case authentication_outcome::expired: return "expired";
    case authentication_outcome::wrong_audience: return "wrong_audience";
    case authentication_outcome::unavailable: return "unavailable";
    case authentication_outcome::throttled: break;
    }
    return "throttled";
}

authentication counted_access::authenticate(const peer_identity& from, std::optional<std::string_view> authorization,
                                            std::chrono::system_clock::time_point now) noexcept
{
    authentication found = by_->authenticate(from, authorization, now);
    counts_[static_cast<std::size_t>(found.outcome)]->Increment();
    return found;
}

authentication counted_access::renew(const std::shared_ptr<const access_grant>& grant,
                                     std::chrono::system_clock::time_point now) noexcept
{
    return by_->renew(grant, now);
}

} // namespace partyline::telemetry
