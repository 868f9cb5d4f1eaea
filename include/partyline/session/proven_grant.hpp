#pragma once

#include <partyline/session/access_control.hpp>

#include <memory>
#include <mutex>
#include <utility>

namespace partyline {

/// The grant of a peer that had no principal until a proof has named it, see `session_options::proven`.
///
/// Thread safety: all members may be called from any thread, at the same time.
class proven_grant {
public:
    /// Whether the session takes the view of the grant, and its quota, in place of its own.
    explicit proven_grant(bool gives_view = true, bool gives_quota = true) noexcept
        : gives_view_(gives_view), gives_quota_(gives_quota)
    {
    }

    /// Whether the session takes the view of the grant.
    bool gives_view() const noexcept { return gives_view_; }
    /// Whether the session takes the quota of the grant.
    bool gives_quota() const noexcept { return gives_quota_; }

    /// Null as long as no proof has named the peer.
    std::shared_ptr<const access_grant> get() const
    {
        const std::lock_guard lock(mutex_);
        return grant_;
    }

    /// For the session: once.
    void set(std::shared_ptr<const access_grant> grant) noexcept
    {
        const std::lock_guard lock(mutex_);
        grant_ = std::move(grant);
    }

private:
    const bool gives_view_;
    const bool gives_quota_;
    mutable std::mutex mutex_;
    std::shared_ptr<const access_grant> grant_;
};

} // namespace partyline
