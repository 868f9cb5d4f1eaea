#include "session/conversation_ending.hpp"

#include "session/due_time.hpp"

#include <partyline/protocol/printable.hpp>
#include <partyline/session/log.hpp>

#include <new>
#include <string>
#include <utility>

namespace partyline {
namespace {

// "read (id 7), tell", as many as a line has room for.
std::string names_of(const running_requests& all) noexcept
try {
    constexpr std::size_t most = 8;
    constexpr std::size_t longest = 100;
    std::string names;
    std::size_t count = 0;
    all.look_at_each([&](const served_request& one) {
        if (++count > most)
            return;
        names += (names.empty() ? "" : ", ") + printable(one.method(), longest);
        if (!one.id().empty())
            names += " (id " + printable(one.id().text(), longest) + ')';
    });
    return count > most ? names + ", and others" : names;
} catch (const std::bad_alloc&) {
    return {};
}

} // namespace

void conversation_ending::take(end_rules::step next, cancel_cause cause)
{
    switch (next) {
    case end_rules::step::none: return;
    case end_rules::step::drain: return drain();
    case end_rules::step::cancel:
        cancel_all(cause);
        return of_.calls.fail_all(context_.end.unanswered().code, context_.end.unanswered().details);
    case end_rules::step::end: return end();
    }
}

// `otherwise` where it is not the end of the peer's access.
cancel_cause conversation_ending::cause_of_end(cancel_cause otherwise) const noexcept
{
    return context_.end.result() == errc::access_ended ? cancel_cause::access_ended : otherwise;
}

void conversation_ending::take_input_end()
{
    if (!context_.end.has_input_left())
        return;
    const detail::end_reason& why = context_.end.unanswered();
    const bool were_open = of_.calls.fail_calls(why.code, why.details);
    take(context_.end.on_input_taken(were_open, in_flight() != 0 || of_.outgoing.has_kept()));
    check(); // where we were closing, these may have been the last
}

void conversation_ending::stop(error_code result, const detail::end_reason& unanswered)
{
    take(context_.end.on_stop(result, unanswered));
}

void conversation_ending::drain()
{
    of_.cancellation.cancel_open_ended(cause_of_end(cancel_cause::end_of_input));
    if (context_.end.ignores_input())
        return; // cancelling failed the session, and timer_ bounds its grace now
    start_drain_timer();
    check();
}

void conversation_ending::resume_draining()
{
    if (context_.end.on_peer_caught_up())
        start_drain_timer();
}

void conversation_ending::start_drain_timer()
{
    start_timer(context_.drain_time(), &conversation_ending::on_drain_timeout);
}

void conversation_ending::start_timer(std::chrono::steady_clock::duration after, void (conversation_ending::*then)())
{
    timer_.start(context_.executor, due_time(after),
                 [this, self = of_.owner.weak_from_this(), then](error_code failed) {
                     const std::shared_ptr<request_host> hold = self.lock();
                     if (!failed && hold)
                         of_.owner.guarded([&] { (this->*then)(); });
                 });
}

void conversation_ending::on_drain_timeout()
{
    const end_rules::step next = context_.end.on_drain_timeout(of_.outgoing.is_behind());
    if (next == end_rules::step::cancel)
        of_.owner.guarded([this] {
            write_log(context_.options.log,
                      "cancelled " + std::to_string(in_flight()) + " unfinished requests: the drain timeout is over");
        });
    take(next, cause_of_end(cancel_cause::drain_timeout));
}

void conversation_ending::cancel_all(cancel_cause cause)
{
    of_.cancellation.refuse_waiting(cause);
    host_.drop_rest_of_batch();
    while (of_.incoming.has_pushed())
        of_.incoming.drop_pushed().drop_use();
    of_.outgoing.for_each([this](outlet& to) {
        while (to.has_kept())
            of_.owner.guarded([&] { host_.send_kept(to); });
    });
    of_.cancellation.cancel_running(cause);
    try {
        start_timer(context_.options.cancel_grace, &conversation_ending::on_grace_over);
        host_.request_turn();
    } catch (...) {
        of_.owner.log_exception("the session ends at once: ", std::current_exception());
        break_off(); // nothing would bound the wait for handlers
    }
}

void conversation_ending::on_grace_over()
{
    const std::size_t left = in_flight();
    const std::string names = names_of(of_.running); // which are let go of when the session ends
    const end_rules::step next = context_.end.on_grace_over();
    take(next);
    if (next == end_rules::step::end)
        of_.owner.guarded([&] {
            write_log(context_.options.log, "gave up on " + std::to_string(left) +
                                                " handlers that did not end when cancelled" +
                                                (names.empty() ? std::string() : ": " + names));
        });
}

void conversation_ending::end_if_idle() noexcept
{
    const bool is_idle =
        of_.running.empty() && of_.admitted.queue().empty() && !of_.outgoing.has_kept() && of_.calls.empty();
    if (is_idle && !of_.turns.is_running() && !context_.end.has_ended())
        end();
}

void conversation_ending::end() noexcept
{
    if (hook_failure_) {
        context_.end.note_failure();
        of_.owner.log_exception("the session fails: ", std::exchange(hook_failure_, nullptr));
    }
    // Open calls are left where handlers are given up or cancelling has failed.
    of_.calls.fail_all(context_.end.has_failed() ? errc::session_failed : errc::session_closed);
    context_.end.on_end();
    host_.on_over();
}

void conversation_ending::fail(std::exception_ptr thrown) noexcept
{
    if (context_.end.has_ended())
        return;
    of_.owner.log_exception("the session fails: ", std::move(thrown));
    try {
        take(context_.end.on_failure());
    } catch (...) {
        break_off(); // to end in order fails, too
    }
}

// Calls are told and the transport closes; handlers are given up.
void conversation_ending::break_off() noexcept
{
    if (context_.end.has_ended())
        return;
    context_.end.on_broken(!of_.running.empty());
    if (!of_.turns.is_running())
        end();
}

} // namespace partyline
