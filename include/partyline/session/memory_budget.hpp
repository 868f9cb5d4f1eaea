#pragma once

#include <partyline/config.hpp>

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>

namespace partyline {

/// A bound for the bytes of the messages of several sessions together: messages that are read and not served, and
/// replies that the peers have not read. Each session has its own `limits` besides.
///
/// While the budget is used up, sessions whose peers read their output go on, with one request at a time, with `always`
/// bytes of requests and notifications that wait for it, and with replies of up to `always` bytes. Messages beyond that
/// are refused, requests with -31001, replies with -32603; a notification ends the session with `errc::overloaded`,
/// since to drop it could leave the session's state wrong. Messages of more than `always` bytes of which only the
/// beginning has come may take half of the budget: they cost their peers nothing, and must not keep everybody else from
/// being served. The budget takes precedence over `overload::pause`. Bytes on the wire are counted: see `limits` for
/// the size of values.
///
/// A budget may be part of a larger one: bytes are taken of both, and either may be used up.
///
/// Lifetime: shared by the sessions that have it in `session_options::budget`.
/// Thread safety: all of it, from any thread.
///
///     const auto together = std::make_shared<partyline::memory_budget>(std::size_t(256) << 20);
///     for (partyline::session_options& one : all_options)
///         one.budget = together;
class PARTYLINE_EXPORT memory_budget {
public:
    /// The bytes that a session may hold whatever the others do: about as much as it reads at once.
    static constexpr std::size_t always = std::size_t(64) << 10;

    /// A budget of so many bytes. `whole`: the larger budget that it is a part of; null: none.
    explicit memory_budget(std::size_t bytes, std::shared_ptr<memory_budget> whole = nullptr) noexcept
        : limit_(bytes), whole_(std::move(whole))
    {
    }

    /// The bytes of the budget in all.
    std::size_t limit() const noexcept { return limit_; }
    /// The bytes that are taken; for moments, and by as much as `always` allows, more than there are.
    std::size_t used() const noexcept { return used_.load(std::memory_order_relaxed); }
    /// The bytes that are left, also of the larger budget.
    std::size_t left() const noexcept;
    /// Whether no bytes are left, here or in the larger budget.
    bool is_used_up() const noexcept;
    /// Whether half of the bytes are taken, here or in the larger budget.
    bool is_half_used() const noexcept;

    /// For sessions: takes bytes, whether or not so many are left, also of the larger budget.
    void add(std::size_t bytes) noexcept;
    /// For sessions: gives back bytes that were taken.
    void sub(std::size_t bytes) noexcept;

private:
    const std::size_t limit_;
    std::atomic<std::size_t> used_ = 0;
    const std::shared_ptr<memory_budget> whole_; // that this is part of; null: of none
};

} // namespace partyline
