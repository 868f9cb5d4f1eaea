// The phases that a driver goes through when its conversation has ended.

#include "session/due_time.hpp"
#include "session/persistent_post.hpp"
#include "transport/stream/stream_driver.hpp"

#include <new>
#include <utility>

namespace asio = boost::asio;

namespace partyline {

void stream_driver::give_up_input()
{
    end(errc::peer_gone);
}

void stream_driver::on_end(error_code result) noexcept
{
    if (at_ == phase::created)
        output_ = output::closed; // it has not been started
    at_ = phase::flushing;
    result_ = result;
    end_timer_.cancel();
    hold_timer_.cancel();
    quiet_timer_.cancel();
    input_end_timer_.cancel();
    flush_or_give_up();
    bound_flush();
    complete();
}

// A peer that does not read does not keep us where we wanted the end: what goes out in time is sent. Where it was the
// peer's input that has ended, it reads the rest when it likes, as a pager does.
void stream_driver::bound_flush()
{
    if (at_ != phase::flushing || output_ != output::writing)
        return;
    const session_context& known = conversation_->context();
    const bool was_closed = known.end.was_closed();
    const bool is_early = result_ || known.end.was_cancelled();
    if (is_early && (was_closed || result_ != errc::drain_timeout))
        bound(known.options.cancel_grace, &stream_driver::give_up_output);
    else if (was_closed)
        bound(known.drain_time(), &stream_driver::give_up_output);
}

void stream_driver::bound(std::chrono::steady_clock::duration most, void (stream_driver::*then)())
{
    try {
        end_timer_.start(executor_, due_time(most), [self = weak_from_this(), then](error_code failed) {
            const auto driver = self.lock();
            if (!failed && driver)
                driver->conversation_->guarded([&] { (driver.get()->*then)(); });
        });
    } catch (const std::bad_alloc&) {
        (this->*then)(); // at once: to wait would be for ever
    }
}

void stream_driver::give_up_output()
{
    output_ = output::closed;
    if (!result_)
        result_ = errc::drain_timeout;
    complete();
}

// All is said, if it could be.
void stream_driver::complete() noexcept
{
    const bool is_flushed = output_ == output::idle && conversation_->out().empty();
    if (at_ != phase::flushing || !(is_flushed || output_ == output::closed))
        return;
    if (speaks_ && output_ != output::closed && !has_said_end_)
        return say_end();
    end_timer_.cancel();
    stall_timer_.cancel();
    const bool has_last_word = speaks_ && !has_broken_off(); // of the framing, which the peer answers
    const bool is_told = output_ != output::closed && (has_last_word || stream_->close_send());
    const bool is_awaited = speaks_ ? !has_heard_end() && result_ != asio::error::operation_aborted
                                    : !result_ || result_ == errc::access_ended;
    if (is_told && is_awaited && input_ != input::over)
        linger();
    else
        close_stream();
}

// We have ended first. Closing now could cost the peer what it has not read yet (where something has come from it that
// we have not read, the system resets the connection, and what was sent is lost), and a child process its time to end.
void stream_driver::linger()
{
    at_ = phase::lingering;
    bound(conversation_->context().options.close_timeout, &stream_driver::close_stream);
    linger_on();
}

// Nobody listens any more to what is read.
void stream_driver::linger_on() noexcept
{
    try {
        resume_reading();
    } catch (...) {
        close_stream();
    }
}

void stream_driver::close_stream()
{
    at_ = phase::closing;
    end_timer_.cancel();
    client_.reset();
    if (has_said_end_ && output_ == output::idle && !has_broken_off())
        stream_->close_send(); // behind the last word: TLS has one of its own
    try {
        try_twice([this] { stream_->start_close(shared_from_this()); });
    } catch (...) {
        on_closed(); // else nobody would ever hear of the end
    }
}

void stream_driver::on_closed()
{
    at_ = phase::complete;
    life_.stop();
    if (!done_)
        return;
    (*done_)(shared_from_this(), result_);
}

} // namespace partyline
