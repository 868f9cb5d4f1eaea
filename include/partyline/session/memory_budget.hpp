#pragma once

#include <partyline/config.hpp>

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>

namespace partyline {

/// A bound for what the messages of several sessions take together: what they read and have not served, what they have
/// served and the peers have not read. Each session has its own `limits` besides.
///
/// While it is used up, sessions whose peers read what they are sent go on, with one request at a time, with `always`
/// bytes of requests and notifications that wait for it, and with replies of up to `always` bytes. What would take more
/// is refused, requests with -31001, replies with -32603; a notification ends the session with `errc::overloaded`,
/// since to drop it could leave the session's state wrong. Messages of more than `always` bytes of which only the
/// beginning has come may take half of the budget: they cost their peers nothing, and must not keep everybody else from
/// being served. This comes before `overload::pause`. Counted are bytes on the wire: see `limits` for what they are as
/// values.
///
/// It may be part of a larger one: what is taken of it is taken of that, too, and either may be used up.
///
/// Lifetime: shared by the sessions that have it in `session_options::budget`.
/// Thread safety: all of it, from any thread.
///
///     const auto together = std::make_shared<partyline::memory_budget>(std::size_t(256) << 20);
///     for (partyline::session_options& one : all_options)
///         one.budget = together;
class PARTYLINE_EXPORT memory_budget {
public:
    /// What a session may hold whatever the others do: about what it reads at once.
    static constexpr std::size_t always = std::size_t(64) << 10;

    /// At most so many bytes. `whole`: what this is a part of; null: of nothing.
    explicit memory_budget(std::size_t bytes, std::shared_ptr<memory_budget> whole = nullptr) noexcept
        : limit_(bytes), whole_(std::move(whole))
    {
    }

    /// How many bytes there are in all.
    std::size_t limit() const noexcept { return limit_; }
    /// How many are taken; it may be more than there are, for moments and by as much as `always` lets.
    std::size_t used() const noexcept { return used_.load(std::memory_order_relaxed); }
    /// How many are left, also of what this is a part of.
    std::size_t left() const noexcept;
    /// Whether none are left, here or in what this is a part of.
    bool is_used_up() const noexcept;
    /// Whether half of it is taken, or half of what this is a part of.
    bool is_half_used() const noexcept;

    /// For sessions: takes so many, be they there or not, also of what this is a part of.
    void add(std::size_t bytes) noexcept;
    /// For sessions: gives back so many of those that were taken.
    void sub(std::size_t bytes) noexcept;

private:
    const std::size_t limit_;
    std::atomic<std::size_t> used_ = 0;
    const std::shared_ptr<memory_budget> whole_; // that this is part of; null: of none
};

} // namespace partyline
