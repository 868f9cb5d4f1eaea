#include "session/conversation.hpp"

#include "session/due_time.hpp"
#include "session/log.hpp"

#include <boost/asio/post.hpp>

#include <new>

namespace partyline {
namespace {

std::chrono::steady_clock::duration drain_timeout_of(const session_options& options)
{
    return options.drain_timeout.value_or(std::chrono::seconds(30));
}

} // namespace

void conversation::end_of_input(end_reason unanswered)
{
    if (is_input_over_)
        return; // what broke it says why
    unanswered_ = std::move(unanswered);
    is_input_over_ = true;
    if (!has_ended_ && !must_pause() && !is_turn_over())
        take_end_of_input();
}

// Input has ended, and all of it has been taken.
void conversation::take_end_of_input()
{
    if (is_input_taken_)
        return;
    is_input_taken_ = true;
    const bool are_unanswered = calls_.fail_calls(unanswered_.code, unanswered_.details);
    if (are_unanswered || (unanswered_.is_failure && !is_closing_))
        result_ = unanswered_.code;
    if (unanswered_.is_gone && (in_flight() != 0 || !kept_.empty()))
        return stop(unanswered_.code, unanswered_);
    start_draining();
    check_end(); // where we were closing, these may have been the last
}

void conversation::close()
{
    if (is_closing_ || is_stopped_ || has_ended_)
        return;
    is_closing_ = true;
    start_draining();
}

void conversation::start_draining()
{
    if (is_stopping_.exchange(true))
        return;
    cancel_open_ended();
    if (is_stopped_ || has_ended_)
        return; // something of ours went wrong meanwhile, and the timer has another meaning
    start_end_timer(drain_timeout_of(options_), &conversation::on_drain_timeout);
    check_end();
}

void conversation::resume_draining()
{
    if (!is_drain_due_ || is_stopped_ || outbox_.is_above_soft())
        return;
    is_drain_due_ = false;
    start_end_timer(drain_timeout_of(options_), &conversation::on_drain_timeout);
}

void conversation::start_end_timer(std::chrono::steady_clock::duration after, void (conversation::*then)())
{
    end_timer_->expires_at(due_time(after));
    end_timer_->async_wait([self = weak_from_this(), then](error_code failed) {
        const std::shared_ptr<conversation> owner = self.lock();
        if (!failed && owner)
            owner->guarded([&] { (owner.get()->*then)(); });
    });
}

void conversation::stop(error_code result, const end_reason& unanswered)
{
    if (is_stopped_ || has_ended_)
        return;
    if (!result_) // what came first is why
        result_ = result;
    unanswered_ = unanswered;
    cancel_all(cancel_cause::stop);
    calls_.fail_all(unanswered.code, unanswered.details);
}

void conversation::on_drain_timeout()
{
    if (is_stopped_ || has_ended_)
        return;
    // It bounds handlers. Who waits for a peer that does not read gets the time afresh when that has caught up.
    is_drain_due_ = outbox_.is_above_soft();
    if (is_drain_due_)
        return;
    result_ = errc::drain_timeout;
    log("cancelled " + std::to_string(in_flight()) + " unfinished requests: the drain timeout is over");
    unanswered_ = {errc::session_closed};
    cancel_all(cancel_cause::drain_timeout);
    calls_.fail_all(errc::session_closed);
}

std::size_t conversation::in_flight() const noexcept
{
    return running_.size() + queue_.size();
}

void conversation::cancel_all(cancel_cause cause)
{
    is_stopped_ = true;
    is_stopping_ = true;
    std::list<waiting_request> waiting;
    queue_.take_all(waiting);
    for (waiting_request& w : waiting)
        release(w); // before anything can be thrown: the table does not own them
    // What goes wrong with one of them is no reason to leave the others as they are.
    for (waiting_request& w : waiting)
        guarded([&] { refuse(w, cause); });
    note_waiting();
    while (!kept_.empty())
        guarded([this] { tell_kept(); });
    cancel_running(cause, [](const served_request&) { return true; });
    try {
        start_end_timer(options_.cancel_grace, &conversation::on_grace_over);
        request_round();
    } catch (...) {
        log_exception("the session ends at once: ", std::current_exception());
        break_off(); // nothing would bound the wait for handlers
    }
}

// A request whose end comes at once leaves the list meanwhile, so each goes to its back; who comes round again has its cause.
template <class Filter>
void conversation::cancel_running(cancel_cause cause, Filter is_meant)
{
    for (std::size_t left = running_.size(); left != 0 && !running_.empty(); --left) {
        served_request& next = running_.front();
        running_.pop_front();
        running_.push_back(next);
        if (is_meant(next))
            cancel(next, cause);
    }
}

void conversation::cancel_open_ended()
{
    cancel_running(cancel_cause::end_of_input, [](const served_request& r) { return r.callee->options.open_ended; });
}

void conversation::on_grace_over()
{
    if (has_ended_)
        return;
    has_abandoned_ = true;
    const std::size_t left = in_flight();
    end();
    guarded([&] { log("gave up on " + std::to_string(left) + " handlers that did not end when cancelled"); });
}

void conversation::check_end() noexcept
{
    if (is_stopping_ && !has_ended_ && !active_ && running_.empty() && queue_.empty() && kept_.empty() &&
        calls_.empty())
        end();
}

void conversation::end() noexcept
{
    if (hook_failure_)
        note_failure(std::exchange(hook_failure_, nullptr));
    // Of handlers that are given up.
    calls_.fail_all(has_failed_ ? errc::session_failed : errc::session_closed);
    has_ended_ = true;
    // Parked workers are outstanding work: `io_context::run` does not return before they are gone.
    for (worker* w : idle_) {
        if (w->is_parked())
            guarded([w] { w->run(); }); // to its end
    }
    idle_.clear();
    let_go();
    if (host_)
        host_->on_end(result_);
}

void conversation::detach()
{
    host_ = nullptr;
    has_ended_ = true;
    let_go();
}

// A handler that was given up may hold us for longer than the executor's context lives.
void conversation::let_go() noexcept
{
    for (served_request* r : unheard_)
        r->more().unheard.reset();
    unheard_.clear();
    while (!running_.empty()) { // before the door is closed: then those that run elsewhere may go away
        served_request& r = running_.front();
        running_.pop_front();
        if (request_extras* const extras = r.extras())
            extras->deadline.reset();
        r.on_given_up();
    }
    gate_->close();
    calls_.drop_all();
    end_timer_.reset();
    executor_ = {};
}

// What handlers do at their own time is sent, and what they made room for is started, once for all that happen in one
// turn of the executor.
void conversation::request_round()
{
    if (active_ || is_round_posted_ || has_ended_)
        return;
    is_round_posted_ = true;
    try {
        boost::asio::post(executor_, [self = shared_from_this()] { self->start_round(); });
    } catch (const std::bad_alloc&) {
        start_round(); // at once: to wait would be for ever
    }
}

void conversation::start_round() noexcept
{
    is_round_posted_ = false;
    drive();
}

void conversation::log(std::string_view line) const noexcept
{
    write_log(options_.log, line);
}

} // namespace partyline
