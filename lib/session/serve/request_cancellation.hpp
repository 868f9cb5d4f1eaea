#pragma once

#include "session/calls/call_table.hpp"
#include "session/requests/admission.hpp"
#include "session/serve/request_host.hpp"
#include "session/serve/running_requests.hpp"

namespace partyline {

/// Cancels requests of one conversation: their handlers, the calls of these, and what is left of their answers.
///
/// Thread safety: everything on the session's executor.
class request_cancellation {
public:
    /// All live longer.
    request_cancellation(request_host& owner, admission& admitted, running_requests& running,
                         call_table& calls) noexcept
        : owner_(owner), context_(owner.context()), admission_(admitted), running_(running), calls_(calls)
    {
    }

    /// Cancels a running request, or answers a waiting one. What a deadline answers is sent by the next turn.
    void cancel(incoming_request& r, cancel_cause cause);
    void cancel(served_request& running, cancel_cause cause) noexcept;
    /// Answers all requests that wait for their turn.
    void refuse_waiting(cancel_cause cause);
    void cancel_running(cancel_cause cause) noexcept;
    void cancel_open_ended(cancel_cause cause) noexcept;
    /// Drops the notifications that a running request has not sent yet.
    void drop_unsent(served_request& from) noexcept;

private:
    bool is_silent(cancel_cause cause) const noexcept;
    void silence(served_request& running) noexcept;
    bool answers_early(const served_request& running, cancel_cause cause) const noexcept;
    void answer_early(served_request& running);
    void cancel_calls(served_request& from);
    void note_unanswered(const incoming_request& r);
    void refuse(waiting_request& waiting, cancel_cause cause);

    request_host& owner_;
    session_context& context_;
    admission& admission_;
    running_requests& running_;
    call_table& calls_;
};

} // namespace partyline
