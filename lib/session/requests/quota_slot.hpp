#pragma once

#include <partyline/session/request_quota.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <utility>

namespace partyline {

/// The places of one request in the quota of its peer, and in that of its signer. They are given back once: by
/// `release()`, at the latest when this is destroyed.
class quota_slot {
public:
    quota_slot() noexcept = default;
    quota_slot(quota_slot&& other) noexcept = default;
    quota_slot& operator=(quota_slot&& other) noexcept
    {
        release();
        taken_ = std::move(other.taken_);
        also_taken_ = std::move(other.also_taken_);
        return *this;
    }
    ~quota_slot() { release(); }

    explicit operator bool() const noexcept { return bool(taken_); }

    /// Takes one of `from`, besides the one that it has: two at most. Returns nothing where it was taken, and else
    /// after which time to try again.
    std::optional<std::chrono::milliseconds> take(const std::shared_ptr<request_quota>& from,
                                                  request_quota::clock::time_point now) noexcept
    {
        const auto later = from->take(now);
        if (!later)
            (taken_ ? also_taken_ : taken_) = from;
        return later;
    }
    void release() noexcept
    {
        if (taken_) [[unlikely]]
            give_back();
    }

private:
    // Apart, so that requests without a quota pay for the question alone.
    [[gnu::noinline, gnu::cold]] void give_back() noexcept
    {
        std::exchange(taken_, nullptr)->release();
        if (const std::shared_ptr<request_quota> also = std::move(also_taken_))
            also->release();
    }

    std::shared_ptr<request_quota> taken_;
    std::shared_ptr<request_quota> also_taken_; // never alone
};

} // namespace partyline
