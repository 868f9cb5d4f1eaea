#pragma once

#include <partyline/session/access_view.hpp>

#include <memory>
#include <mutex>
#include <utility>

namespace partyline {

/// What the peer of a session may call now.
///
/// Thread safety: `view()` from any thread, the others on the session's executor.
class current_access {
public:
    explicit current_access(std::shared_ptr<const access_view> view) noexcept : view_(std::move(view)) {}

    /// Null: everything.
    const access_view* get() const noexcept { return view_.get(); }
    std::shared_ptr<const access_view> view() const
    {
        const std::lock_guard lock(mutex_);
        return view_;
    }
    void use(std::shared_ptr<const access_view> other) noexcept
    {
        const std::lock_guard lock(mutex_);
        view_.swap(other);
    }

private:
    mutable std::mutex mutex_; // of changes, for other threads
    std::shared_ptr<const access_view> view_;
};

} // namespace partyline
