#include "session/grant_renewal.hpp"

#include "session/use_grant.hpp"

#include <utility>

namespace partyline {

grant_renewal::grant_renewal(std::shared_ptr<access_control> by, std::shared_ptr<const access_grant> grant,
                             const session_options& used)
    : by_(std::move(by)), grant_(std::move(grant)), offered_(grant_), set_view_(used.access), set_quota_(used.quota),
      follows_view_(set_view_ == grant_->view), follows_quota_(set_quota_ == grant_->quota)
{
    if (follows_view_)
        set_view_.reset();
    if (follows_quota_)
        set_quota_.reset();
}

grant_renewal::action grant_renewal::check(std::chrono::system_clock::time_point now) noexcept
{
    authentication renewed = renew_same_peer(*by_, grant_, now);
    if (renewed.outcome != authentication_outcome::admitted)
        return action::end;
    if (renewed.grant == grant_)
        return action::keep;
    offered_ = std::move(renewed.grant);
    return action::exchange;
}

} // namespace partyline
