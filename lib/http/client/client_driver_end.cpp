// The end of a session over HTTP.

#include "http/client/client_driver.hpp"
#include "session/due_time.hpp"

#include <boost/asio/co_spawn.hpp>

#include <exception>
#include <string>
#include <utility>

namespace asio = boost::asio;

namespace partyline::http {

void client_driver::on_end(error_code result) noexcept
{
    result_ = result;
    if (at_ == phase::created)
        return complete();
    at_ = phase::closing;
    try {
        room_.set();
        stop_listening_.emit(asio::cancellation_type::all);
        abort_unwanted();
        close_timer_.start(executor_, due_time(conversation_->context().options.close_timeout),
                           [self = shared_from_this()](error_code failed) {
                               if (!failed)
                                   self->give_up_closing();
                           });
        go_on_closing();
    } catch (...) { // no memory to end in order
        complete();
    }
}

// Sends what was notified before the end, then ends the session with the server; `close_timeout` bounds both.
void client_driver::go_on_closing() noexcept
{
    try {
        if (!result_)
            flush();
        if (!exchanges_.empty())
            return;
        at_ = phase::leaving;
        asio::co_spawn(
            executor_, [self = shared_from_this()] { return self->protocol_->leave(self); },
            [self = shared_from_this()](std::exception_ptr) { self->complete(); });
    } catch (...) {
        complete();
    }
}

// Notifications have no completion that could tell of this, so it is logged.
void client_driver::give_up_closing() noexcept
{
    try {
        const bool has_more = !conversation_->out().empty() || !answers_->empty();
        if (!exchanges_.empty())
            log("the time to close was over; messages to a server over HTTP that had no answer: " +
                std::to_string(exchanges_.size()) + (has_more ? ", and others were not sent" : ""));
    } catch (...) { // no memory to say so
    }
    complete();
}

void client_driver::complete() noexcept
{
    if (at_ == phase::complete)
        return;
    at_ = phase::complete;
    while (!exchanges_.empty()) {
        client_exchange& one = exchanges_.front();
        exchanges_.pop_front();
        one.abort();
    }
    pool_.close(); // idle connections would keep the context running
    close_timer_.cancel();
    life_.stop();
    if (!done_)
        return;
    (*done_)(shared_from_this(), result_);
}

} // namespace partyline::http
