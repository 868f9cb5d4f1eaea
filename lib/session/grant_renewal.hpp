#pragma once

#include <partyline/config.hpp>
#include <partyline/session/access_control.hpp>
#include <partyline/session/session_options.hpp>

#include <chrono>
#include <memory>

namespace partyline {

/// How often the grants of conversations that last are renewed.
inline constexpr std::chrono::milliseconds renewal_interval{250};

/// Renews the grant of one conversation that lasts.
///
/// Flow: `check()` on each tick. After `exchange`, the conversation is given `view()` and `quota()`, and `accept()`
/// says that it has them; without that, such as where there was no memory, the next `check()` says the same again.
/// After `end`, the access of its peer is ended; every further `check()` says so, too.
/// Thread safety: none.
class PARTYLINE_EXPORT grant_renewal {
public:
    enum class action { keep, exchange, end };

    /// `used` are the options of the conversation as they were decided, after `use_grant`: what was set there in place
    /// of the grant's own view or quota stays.
    grant_renewal(std::shared_ptr<access_control> by, std::shared_ptr<const access_grant> grant,
                  const session_options& used);

    action check(std::chrono::system_clock::time_point now) noexcept;
    void accept() noexcept { grant_ = offered_; }

    /// What the peer may call now.
    const std::shared_ptr<const access_view>& view() const noexcept
    {
        return follows_view_ ? offered_->view : set_view_;
    }
    /// Its quota now.
    const std::shared_ptr<request_quota>& quota() const noexcept
    {
        return follows_quota_ ? offered_->quota : set_quota_;
    }

    /// Does to a session (or what has the members `use_access`, `use_quota` and `end_access`, too) what there is to be
    /// done. What it throws changes nothing: the next call does it.
    template <class Conversation>
    void renew(Conversation& its, std::chrono::system_clock::time_point now)
    {
        switch (check(now)) {
        case action::keep: return;
        case action::exchange:
            its.use_access(view());
            its.use_quota(quota());
            return accept();
        case action::end: return its.end_access();
        }
    }

private:
    std::shared_ptr<access_control> by_;
    std::shared_ptr<const access_grant> grant_;
    std::shared_ptr<const access_grant> offered_; // by the last `check()`
    std::shared_ptr<const access_view> set_view_;
    std::shared_ptr<request_quota> set_quota_;
    bool follows_view_; // the grant has it
    bool follows_quota_;
};

} // namespace partyline
