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
    mutable std::mutex mutex_;
    std::shared_ptr<const access_grant> grant_;
};

} // namespace partyline
