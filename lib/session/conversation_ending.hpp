#pragma once

#include "session/calls/call_table.hpp"
#include "session/lazy_timer.hpp"
#include "session/output/outlets.hpp"
#include "session/requests/admission.hpp"
#include "session/requests/intake.hpp"
#include "session/serve/request_cancellation.hpp"
#include "session/serve/request_host.hpp"
#include "session/serve/running_requests.hpp"
#include "session/turn.hpp"

#include <partyline/session/detail/end_reason.hpp>

#include <chrono>
#include <cstddef>
#include <exception>
#include <utility>

namespace partyline {

/// Ends one conversation: carries out what its `end_rules` decide, also when a step of its own fails.
///
/// Flow: `take_input_end()`, `close()` or `stop()` begin the end, `fail()` does after an exception. `check()` whenever
/// the last request or call may have ended, and `after_turn()` after each turn. The host is told once, at the end.
/// Thread safety: everything on the session's executor.
class conversation_ending {
public:
    /// The conversation's side.
    class host {
    public:
        virtual void request_turn() = 0;
        /// Takes no more of the batch that is open.
        virtual void drop_rest_of_batch() noexcept = 0;
        /// Sends a reply that had to wait for room.
        virtual void send_kept(outlet& to) = 0;
        /// No handler runs any more, or the rest were given up.
        virtual void on_over() noexcept = 0;

    protected:
        ~host() = default;
    };
    /// What there is to end. All live longer.
    struct parts {
        request_host& owner;
        admission& admitted;
        intake& incoming;
        running_requests& running;
        outlets& outgoing;
        call_table& calls;
        request_cancellation& cancellation;
        const turn& turns;
    };

    conversation_ending(host& told, const parts& of) noexcept : host_(told), of_(of), context_(of.owner.context()) {}

    /// Input has ended, and all of it has been taken.
    void take_input_end();
    void close(error_code result = {}) { take(context_.end.on_close(result)); }
    void stop(error_code result, const detail::end_reason& unanswered);
    /// The peer has read what it was behind with.
    void resume_draining();
    /// Ends the conversation if it is to end and nothing is left to wait for.
    void check() noexcept
    {
        if (context_.end.is_stopping()) [[unlikely]]
            end_if_idle();
    }

    void fail(std::exception_ptr thrown) noexcept;
    /// Fails after the turn: a message may be half written now.
    void fail_later(std::exception_ptr thrown) noexcept { hook_failure_ = std::move(thrown); }
    void after_turn() noexcept
    {
        if (hook_failure_) [[unlikely]]
            fail(std::exchange(hook_failure_, nullptr));
        if (context_.end.is_broken()) [[unlikely]]
            end();
    }

    /// Releases the timer, and so the executor.
    void let_go() noexcept { timer_.reset(); }

private:
    void take(end_rules::step next, cancel_cause cause = cancel_cause::stop);
    void drain();
    void start_drain_timer();
    void start_timer(std::chrono::steady_clock::duration after, void (conversation_ending::*then)());
    void on_drain_timeout();
    void on_grace_over();
    void cancel_all(cancel_cause cause);
    cancel_cause cause_of_end(cancel_cause otherwise) const noexcept;
    void end_if_idle() noexcept;
    void break_off() noexcept;
    void end() noexcept;
    std::size_t in_flight() const noexcept { return of_.running.size() + of_.admitted.queue().size(); }

    host& host_;
    const parts of_;
    session_context& context_;
    lazy_timer timer_; // of the drain, then of the grace
    std::exception_ptr hook_failure_;
};

} // namespace partyline
