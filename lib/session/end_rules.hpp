#pragma once

#include <partyline/protocol/errc.hpp>
#include <partyline/session/detail/end_reason.hpp>

#include <atomic>
#include <cstdint>

namespace partyline {

/// Decides when a session ends, and with what result.
///
/// Flow: `on_…()` tells what has happened; the answer is what is to be done now.
///
///     open ── end of input ──> draining ──┐
///       ├──── close() ───────> closing ───┼── all is done ────────────────────────> ended
///       └──── stop(), or the drain timeout ──> cancelling ── all is done, or grace over ──> ended
///                                                  └── that has failed, too ──> broken ──> ended
///
/// Thread safety: everything on the session's executor, but for `is_stopping()`.
class end_rules {
public:
    enum class phase : std::uint8_t {
        open,       // messages come, handlers and calls run
        draining,   // input has ended: what has come is finished
        closing,    // we want to end: what is under way is finished, whether or not input has ended
        cancelling, // everything was cancelled, input is ignored
        broken,     // cancelling has failed: ends as soon as nothing of the session is on the stack
        ended
    };
    enum class step : std::uint8_t {
        none,
        drain,  // cancel what is open-ended, start the drain timer
        cancel, // cancel everything, start the timer of the grace
        end     // now
    };

    /// Input has ended; `why` is what calls fail with. What it left is handled before `on_input_taken()`.
    void on_input_over(detail::end_reason why);
    /// All that came has been handled. `were_calls_open`: those calls have failed for it. `has_work`: requests are in
    /// flight.
    step on_input_taken(bool were_calls_open, bool has_work);
    /// `result` is why we want the end, where that is an error.
    step on_close(error_code result = {}) noexcept;
    /// `unanswered` is what calls fail with.
    step on_stop(error_code result, const detail::end_reason& unanswered);
    /// `is_peer_behind`: handlers may be waiting for a peer that does not read. After `on_close()` that does not count.
    step on_drain_timeout(bool is_peer_behind);
    /// The peer has read what it was behind with. True: handlers get the drain's time afresh.
    bool on_peer_caught_up() noexcept;
    step on_grace_over() noexcept;
    /// A step of the session's own has thrown.
    step on_failure();
    /// The same, where the end is near anyhow.
    void note_failure() noexcept;
    /// Even to end in order has failed. `has_handlers`: they are left running.
    void on_broken(bool has_handlers) noexcept;
    void on_end() noexcept { enter(phase::ended); }

    phase current() const noexcept { return phase_.load(std::memory_order_relaxed); }
    /// The session ends when what is under way is done. From any thread.
    bool is_stopping() const noexcept { return current() != phase::open; }
    bool was_cancelled() const noexcept { return was_cancelled_; }
    /// We have wanted the end: a peer that does not read does not put it off.
    bool was_closed() const noexcept { return was_closed_; }
    bool is_broken() const noexcept { return current() == phase::broken; }
    bool has_ended() const noexcept { return current() == phase::ended; }
    /// What comes in is ignored.
    bool ignores_input() const noexcept { return was_cancelled_ || has_ended(); }
    /// Input has ended, and `on_input_taken()` is due when there is room to handle what it left.
    bool has_input_left() const noexcept { return input_ == input::over; }
    /// The drain's time was over while the peer did not read: it starts afresh when that has caught up.
    bool is_peer_behind() const noexcept { return is_peer_behind_; }
    /// Handlers were left running.
    bool has_abandoned() const noexcept { return has_abandoned_; }
    bool has_failed() const noexcept { return has_failed_; }

    /// Why a message of ours may not be sent any more; null when it may. `from_handler`: of a request that is under
    /// way.
    const detail::end_reason* refusal(bool is_call, bool from_handler) const noexcept;
    const detail::end_reason& unanswered() const noexcept { return unanswered_; }
    error_code result() const noexcept { return result_; }

private:
    enum class input : std::uint8_t { open, over, taken };

    void enter(phase next) noexcept { phase_.store(next, std::memory_order_relaxed); }
    void set_first_result(error_code why) noexcept;
    step start_cancelling() noexcept;

    std::atomic<phase> phase_ = phase::open;
    input input_ = input::open;
    bool is_peer_behind_ = false;
    bool was_cancelled_ = false;
    bool was_closed_ = false;
    bool has_failed_ = false;
    bool has_abandoned_ = false;
    error_code result_;
    detail::end_reason unanswered_;
};

} // namespace partyline
