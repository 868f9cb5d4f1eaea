#include "session/serve/request_cancellation.hpp"

#include "session/requests/error_replies.hpp"

#include <boost/asio/error.hpp>

#include <list>
#include <memory>
#include <utility>

namespace partyline {

void request_cancellation::cancel(incoming_request& r, cancel_cause cause)
{
    if (r.stage == incoming_request::state::running)
        return cancel(static_cast<served_request&>(r), cause);
    if (r.stage != incoming_request::state::waiting)
        return; // its reply counts as sent
    auto& waiting = static_cast<waiting_request&>(r);
    refuse(waiting, cause);
    admission_.queue().remove(waiting);
    admission_.count_waiting();
}

// The cancellation signal may run the handler's own code, which may throw: the handler then goes on as if it ignored
// the cancel. Its calls are cancelled before.
void request_cancellation::cancel(served_request& running, cancel_cause cause) noexcept
{
    cancel_cause none = cancel_cause::none;
    const bool is_first = running.cause.compare_exchange_strong(none, cause);
    // These two whatever it was cancelled for before.
    const bool is_silenced_now = is_silent(cause) && !running.is_silenced;
    const bool is_answered_now = answers_early(running, cause);
    if (!is_first && !is_silenced_now && !is_answered_now)
        return;
    if (is_first)
        context_.counters.cancelled.add();
    if (is_silenced_now) {
        silence(running);
        owner_.guarded([&] { note_unanswered(running); });
    }
    if (is_answered_now)
        owner_.guarded([&] { answer_early(running); });
    owner_.guarded([&] { cancel_calls(running); });
    try {
        running.emit_cancel();
    } catch (...) {
        owner_.log_exception("a handler could not be cancelled: ", std::current_exception());
    }
}

void request_cancellation::refuse_waiting(cancel_cause cause)
{
    std::list<waiting_request> waiting;
    admission_.queue().take_all(waiting);
    for (waiting_request& w : waiting)
        running_.release_id(w); // before anything can be thrown: the table does not own them
    // What goes wrong with one of them is no reason to leave the others as they are.
    for (waiting_request& w : waiting)
        owner_.guarded([&] { refuse(w, cause); });
    admission_.count_waiting();
}

void request_cancellation::cancel_running(cancel_cause cause) noexcept
{
    running_.for_each([&](served_request& r) { cancel(r, cause); });
}

void request_cancellation::cancel_open_ended(cancel_cause cause) noexcept
{
    running_.for_each([&](served_request& r) {
        if (r.callee->options.open_ended)
            cancel(r, cause);
    });
}

bool request_cancellation::is_silent(cancel_cause cause) const noexcept
{
    return cause == cancel_cause::abandoned || (cause == cancel_cause::peer && !context_.protocol.answers_cancelled);
}

// Nothing more of it goes out: its id is free, what it has to say is dropped.
void request_cancellation::silence(served_request& running) noexcept
{
    running.is_silenced = true;
    running_.release_id(running);
    drop_unsent(running);
}

bool request_cancellation::answers_early(const served_request& running, cancel_cause cause) const noexcept
{
    return cause == cancel_cause::deadline && running.callee->options.answers_at_deadline && !running.is_silenced &&
           !running.is_notification() && !context_.end.has_ended();
}

// What its handler comes to some time later is for nobody. What it has said until now is sent.
void request_cancellation::answer_early(served_request& running)
{
    if (running.unsent_source())
        running.via->send_all(*running.unsent_source());
    silence(running);
    const reply_error told = running.via->answer(running, cancelled_error(running.cause.load()));
    if (const std::shared_ptr<batch_reply> batch = std::move(running.of_batch))
        batch->to().drop_hold(*batch);
    admission_.note_end(running, request_disposition::cancelled, told);
}

void request_cancellation::drop_unsent(served_request& from) noexcept
{
    if (!from.unsent_source())
        return;
    from.unsent_source()->unlink();
    for (notification_text dropped; from.take_unsent(dropped);) {
    }
    owner_.guarded([&] { from.on_unsent_taken(); });
}

// The calls of its handler end with it.
void request_cancellation::cancel_calls(served_request& from)
{
    request_extras* const extras = from.extras();
    if (!extras)
        return;
    while (!extras->calls.empty()) // each leaves the list
        calls_.cancel(*extras->calls.front(), boost::asio::error::operation_aborted);
}

void request_cancellation::note_unanswered(const incoming_request& r)
{
    admission_.note_unanswered(r);
    if (outlet::user* const told = r.via->listener(); told && !r.is_notification())
        told->on_answered({{r.id.text(), r.method_name(), answer_outcome::none, 0}, true});
}

// The answer to a request that never starts.
void request_cancellation::refuse(waiting_request& waiting, cancel_cause cause)
{
    if (std::exchange(waiting.stage, incoming_request::state::free) == incoming_request::state::free)
        return; // it has been, and something threw before it was out of the queue
    running_.release_id(waiting);
    waiting.quota.release();
    waiting.via->leave(waiting);
    context_.counters.cancelled.add();
    if (is_silent(cause) || waiting.is_notification())
        note_unanswered(waiting);
    else
        admission_.note_end(waiting, request_disposition::cancelled,
                            waiting.via->writer().error(waiting, cancelled_error(cause)));
    if (waiting.of_batch)
        waiting.of_batch->to().drop_hold(*waiting.of_batch);
}

} // namespace partyline
