// The end of a session, and what becomes of it when something of its own goes wrong: no memory, or a hook, a profile or
// a log that throws.

#include "session/conversation.hpp"
#include "session/current_exception.hpp"
#include "session/due_time.hpp"
#include "session/log.hpp"
#include "session/serve/closable_executor.hpp"

#include <partyline/protocol/printable.hpp>

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

void conversation::take(end_rules::step next, cancel_cause cause)
{
    switch (next) {
    case end_rules::step::none: return;
    case end_rules::step::drain: return drain();
    case end_rules::step::cancel:
        cancel_all(cause);
        return calls_.fail_all(context_.end.unanswered().code, context_.end.unanswered().details);
    case end_rules::step::end: return end();
    }
}

void conversation::end_of_input(detail::end_reason unanswered)
{
    context_.end.on_input_over(std::move(unanswered));
    if (!context_.end.has_ended() && !must_pause() && !turn_.is_over())
        take_end_of_input();
}

// Input has ended, and all of it has been taken.
void conversation::take_end_of_input()
{
    if (!context_.end.has_input_left())
        return;
    const detail::end_reason& why = context_.end.unanswered();
    const bool were_open = calls_.fail_calls(why.code, why.details);
    take(context_.end.on_input_taken(were_open, in_flight() != 0 || outlets_.has_kept()));
    check_end(); // where we were closing, these may have been the last
}

void conversation::close()
{
    take(context_.end.on_close());
}

void conversation::stop(error_code result, const detail::end_reason& unanswered)
{
    take(context_.end.on_stop(result, unanswered));
}

void conversation::drain()
{
    cancel_open_ended();
    if (context_.end.ignores_input())
        return; // cancelling failed the session, and end_timer_ bounds its grace now
    start_drain_timer();
    check_end();
}

void conversation::resume_draining()
{
    if (context_.end.on_peer_caught_up())
        start_drain_timer();
}

void conversation::start_drain_timer()
{
    start_end_timer(context_.drain_time(), &conversation::on_drain_timeout);
}

void conversation::start_end_timer(std::chrono::steady_clock::duration after, void (conversation::*then)())
{
    end_timer_.start(context_.executor, due_time(after), [this, self = weak_from_this(), then](error_code failed) {
        const std::shared_ptr<request_host> hold = self.lock();
        if (!failed && hold)
            guarded([&] { (this->*then)(); });
    });
}

void conversation::on_drain_timeout()
{
    const end_rules::step next = context_.end.on_drain_timeout(outlets_.is_behind());
    if (next == end_rules::step::cancel)
        guarded([this] {
            log("cancelled " + std::to_string(in_flight()) + " unfinished requests: the drain timeout is over");
        });
    take(next, cancel_cause::drain_timeout);
}

void conversation::cancel_all(cancel_cause cause)
{
    std::list<waiting_request> waiting;
    admission_.queue().take_all(waiting);
    for (waiting_request& w : waiting)
        requests_.release_id(w); // before anything can be thrown: the table does not own them
    // What goes wrong with one of them is no reason to leave the others as they are.
    for (waiting_request& w : waiting)
        guarded([&] { refuse(w, cause); });
    note_waiting();
    intake_.drop_rest_of_batch();
    while (intake_.has_pushed())
        intake_.drop_pushed().drop_use();
    outlets_.for_each([this](outlet& to) {
        while (to.has_kept())
            guarded([&] { send_kept(to); });
    });
    requests_.for_each([&](served_request& r) { cancel(r, cause); });
    try {
        start_end_timer(context_.options.cancel_grace, &conversation::on_grace_over);
        request_turn();
    } catch (...) {
        log_exception("the session ends at once: ", std::current_exception());
        break_off(); // nothing would bound the wait for handlers
    }
}

void conversation::cancel_open_ended()
{
    requests_.for_each([this](served_request& r) {
        if (r.callee->options.open_ended)
            cancel(r, cancel_cause::end_of_input);
    });
}

void conversation::on_grace_over()
{
    const std::size_t left = in_flight();
    const std::string names = names_of(requests_); // which are let go of when the session ends
    const end_rules::step next = context_.end.on_grace_over();
    take(next);
    if (next == end_rules::step::end)
        guarded([&] {
            log("gave up on " + std::to_string(left) + " handlers that did not end when cancelled" +
                (names.empty() ? std::string() : ": " + names));
        });
}

void conversation::check_end() noexcept
{
    const bool is_idle = requests_.empty() && admission_.queue().empty() && !outlets_.has_kept() && calls_.empty();
    if (context_.end.is_stopping() && is_idle && !turn_.is_running() && !context_.end.has_ended())
        end();
}

void conversation::end() noexcept
{
    if (hook_failure_) {
        context_.end.note_failure();
        log_exception("the session fails: ", std::exchange(hook_failure_, nullptr));
    }
    // Open calls are left where handlers are given up or cancelling has failed.
    calls_.fail_all(context_.end.has_failed() ? errc::session_failed : errc::session_closed);
    context_.end.on_end();
    let_go();
    if (host_)
        host_->on_end(context_.end.result());
}

void conversation::detach()
{
    host_ = nullptr;
    context_.end.on_end();
    let_go();
}

// A handler that was given up may hold us for longer than the executor's context lives.
void conversation::let_go() noexcept
{
    outlets_.forget_sources();
    requests_.forget_all(); // before the gate is closed: then those that run elsewhere may go away
    session_executor_->close();
    calls_.drop_all();
    workers_.let_go();
    end_timer_.reset();
    context_.executor = {};
}

void conversation::fail(std::exception_ptr thrown) noexcept
{
    if (context_.end.has_ended())
        return;
    log_exception("the session fails: ", std::move(thrown));
    try {
        take(context_.end.on_failure());
    } catch (...) {
        break_off(); // to end in order fails, too
    }
}

// Calls are told and the transport closes; handlers are given up.
void conversation::break_off() noexcept
{
    if (context_.end.has_ended())
        return;
    context_.end.on_broken(!requests_.empty());
    if (!turn_.is_running())
        end();
}

// A message may be half written now, so drive() or end() fails the session later.
void conversation::on_hook_failed(std::exception_ptr thrown) noexcept
{
    hook_failure_ = std::move(thrown);
}

void conversation::log_exception(const char* what, std::exception_ptr thrown) const noexcept
{
    try {
        try {
            std::rethrow_exception(std::move(thrown));
        } catch (...) {
            log(what + current_exception_text());
        }
    } catch (...) {
        log(what); // no memory for more
    }
}

void conversation::log(std::string_view line) const noexcept
{
    write_log(context_.options.log, line);
}

} // namespace partyline
