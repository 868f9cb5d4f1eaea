// The calls of a supervisor: to the child that is ready, or waiting for one.

#include "session/calls/call_table.hpp"
#include "supervisor/supervisor_core.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

#include <utility>

namespace asio = boost::asio;

namespace partyline {

void supervisor_core::launch(const std::shared_ptr<outgoing_message>& message, error_code failed)
{
    if (failed)
        return call_table::refuse(*message, failed);
    if (message->size() == 0) // an empty batch
        return message->on_sent();
    // Here alone, since a slot belongs to the thread that calls; wherever the message is by then.
    message->on_cancel([self = weak_from_this(), late = message->weak_from_this()] {
        const auto core = self.lock();
        const auto still = late.lock();
        if (core && still)
            asio::post(core->executor_, [core, still] { core->guarded([&] { core->cancel(*still); }); });
    });
    asio::post(executor_, [self = shared_from_this(), message] { self->guarded([&] { self->take(message); }); });
}

void supervisor_core::take(const std::shared_ptr<outgoing_message>& message)
{
    if (const error_code why = refusal())
        return call_table::refuse(*message, why, refusal_details());
    if (child_ && child_->takes_calls()) // then nothing waits any more
        return child_->adopt(message);
    if (options_->calls_while_down == while_down::fail)
        return call_table::refuse(*message, errc::not_running, refusal_details());
    waiting_.add(message);
    watch_due();
}

void supervisor_core::cancel(outgoing_message& message)
{
    if (waiting_.cancel(message, asio::error::operation_aborted))
        return watch_due();
    if (child_ && message.via)
        child_->cancel(message);
}

void supervisor_core::send_waiting()
{
    while (child_ && child_->takes_calls() && !waiting_.empty())
        child_->adopt(waiting_.take());
    watch_due();
}

// One timer for all, of the one whose time is over first.
void supervisor_core::watch_due()
{
    if (std::exchange(watched_due_, waiting_.next_due()) == waiting_.next_due())
        return;
    if (waiting_.empty())
        return static_cast<void>(due_timer_.cancel());
    due_timer_.expires_at(watched_due_);
    due_timer_.async_wait([late = weak_from_this()](error_code failed) {
        const auto self = late.lock();
        if (failed || !self)
            return;
        self->guarded([&] {
            self->waiting_.expire(std::chrono::steady_clock::now());
            self->watched_due_ = steady_time::max();
            self->watch_due();
        });
    });
}

// None while it runs, or is going to.
error_code supervisor_core::refusal() const noexcept
{
    if (has_given_up_)
        return errc::gave_up;
    if (result_ == errc::session_failed)
        return errc::session_failed;
    return ending_ ? error_code(errc::session_closed) : error_code();
}

// How the last child ended, for who does not get that code.
std::string supervisor_core::refusal_details() const
{
    if (!status_.last_end || ending_)
        return {};
    const std::string code = status_.last_end.message();
    return status_.last_words.empty() ? code : code + "\n" + status_.last_words;
}

} // namespace partyline
