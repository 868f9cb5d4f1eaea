#pragma once

#include <partyline/session/access_view.hpp>
#include <partyline/session/peer_identity.hpp>
#include <partyline/session/request_quota.hpp>

#include <atomic>
#include <memory>
#include <mutex>
#include <utility>

namespace partyline {

/// Holds the view and the quota that a session admits messages by, which may be exchanged.
///
/// Thread safety: `view()` and `named_peer()` from any thread, the others on the session's executor.
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
    /// The peer that a proof has named, as long as this lives; null before that.
    const peer_identity* named_peer() const noexcept { return named_now_.load(std::memory_order_acquire); }
    /// Once.
    void name_peer(std::shared_ptr<const peer_identity> peer) noexcept
    {
        named_ = std::move(peer);
        named_now_.store(named_.get(), std::memory_order_release);
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
    std::shared_ptr<const peer_identity> named_;
    std::atomic<const peer_identity*> named_now_ = nullptr;
    bool has_ended_ = false;
    bool is_limited_;
};

} // namespace partyline
