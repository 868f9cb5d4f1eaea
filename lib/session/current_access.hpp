#pragma once

#include <partyline/session/access_view.hpp>
#include <partyline/session/request_quota.hpp>

#include <memory>
#include <mutex>
#include <utility>

namespace partyline {

/// Holds the view and the quota that a session admits messages by, which may be exchanged.
///
/// Thread safety: `view()` from any thread, the others on the session's executor.
class current_access {
public:
    current_access(std::shared_ptr<const access_view> view, std::shared_ptr<request_quota> quota) noexcept
        : view_(std::move(view)), quota_(std::move(quota)), is_limited_(view_ || quota_)
    {
    }

    /// Whether there is anything to ask: otherwise everything may be called, at any rate.
    bool is_limited() const noexcept { return is_limited_; }
    /// Null: everything may be called. Valid until `use()`.
    const access_view* get() const noexcept { return view_.get(); }
    /// Null: there is none.
    const std::shared_ptr<request_quota>& quota() const noexcept { return quota_; }
    /// The peer may call nothing any more.
    bool has_ended() const noexcept { return has_ended_; }

    std::shared_ptr<const access_view> view() const
    {
        const std::lock_guard lock(mutex_);
        return view_;
    }
    /// Returns the former one.
    std::shared_ptr<const access_view> use(std::shared_ptr<const access_view> other) noexcept
    {
        {
            const std::lock_guard lock(mutex_);
            view_.swap(other);
        }
        note_change();
        return other;
    }
    void use(std::shared_ptr<request_quota> other) noexcept
    {
        quota_ = std::move(other);
        note_change();
    }
    void end() noexcept
    {
        has_ended_ = true;
        note_change();
    }

private:
    void note_change() noexcept { is_limited_ = view_ || quota_ || has_ended_; }

    mutable std::mutex mutex_; // between `use()` and `view()`
    std::shared_ptr<const access_view> view_;
    std::shared_ptr<request_quota> quota_;
    bool has_ended_ = false;
    bool is_limited_;
};

} // namespace partyline
