// The phases that a driver goes through when its conversation has ended.

#include "transport/session_driver.hpp"

#include <boost/asio/append.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/post.hpp>

#include <utility>

namespace asio = boost::asio;

namespace partyline {

void session_driver::give_up_input()
{
    end(errc::peer_gone);
}

void session_driver::on_end(error_code result)
{
    at_ = phase::flushing;
    result_ = result;
    end_timer_.cancel();
    silence_timer_.cancel();
    if (!has_started_)
        is_output_closed_ = true;
    if (!is_writing_)
        flush();
    // After a stop, a peer that does not read does not keep us: what goes out within the grace is sent.
    const bool is_early = result || conversation_->was_stopped();
    if (is_writing_ && is_early && result != errc::drain_timeout)
        bound(conversation_->options().cancel_grace, &session_driver::give_up_output);
    complete();
}

void session_driver::bound(std::chrono::steady_clock::duration most, void (session_driver::*then)())
{
    end_timer_.expires_after(most);
    end_timer_.async_wait([self = weak_from_this(), then](error_code failed) {
        const auto driver = self.lock();
        if (!failed && driver)
            (driver.get()->*then)();
    });
}

void session_driver::give_up_output()
{
    is_output_closed_ = true;
    complete();
}

// All is said, if it could be.
void session_driver::complete()
{
    const bool is_flushed = !is_writing_ && conversation_->out().empty();
    if (at_ != phase::flushing || !(is_flushed || is_output_closed_))
        return;
    end_timer_.cancel();
    stall_timer_.cancel();
    const bool is_told = !is_output_closed_ && stream_->close_send();
    if (is_told && !result_ && !is_input_over_)
        linger();
    else
        close_stream();
}

// We have ended first. Closing now could cost the peer what it has not read yet, and a child process its time to end.
void session_driver::linger()
{
    at_ = phase::lingering;
    bound(conversation_->options().close_timeout, &session_driver::close_stream);
    resume_reading();
}

void session_driver::close_stream()
{
    at_ = phase::closing;
    end_timer_.cancel();
    client_.reset();
    stream_->start_close(shared_from_this());
}

void session_driver::on_closed()
{
    at_ = phase::complete;
    life_.cancel();
    if (!done_)
        return;
    completion done = std::move(*done_);
    done_.reset();
    asio::get_associated_cancellation_slot(done).clear();
    asio::post(executor_, asio::append(std::move(done), result_));
}

} // namespace partyline
