#pragma once

#include <partyline/session/access_view.hpp>

#include <memory>
#include <mutex>
#include <utility>

namespace partyline {

/// Holds the view that a session judges by, which may be exchanged.
///
/// Thread safety: `view()` from any thread, the others on the session's executor.
class current_access {
public:
    explicit current_access(std::shared_ptr<const access_view> view) noexcept : view_(std::move(view)) {}

    /// Null: everything may be called. Valid until `use()`.
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
    mutable std::mutex mutex_; // between `use()` and `view()`
    std::shared_ptr<const access_view> view_;
};

} // namespace partyline
