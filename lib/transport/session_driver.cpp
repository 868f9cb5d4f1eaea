#include "transport/session_driver.hpp"

#include <partyline/protocol/framing.hpp>

#include <boost/asio/append.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

#include <cerrno>
#include <utility>

namespace asio = boost::asio;

namespace partyline {
namespace {

std::chrono::steady_clock::duration write_stall_of(const session_options& options, const byte_stream& stream)
{
    using namespace std::chrono_literals;
    return options.write_stall.value_or(stream.is_socket() ? 60s : 0s);
}

} // namespace

session_driver::session_driver(asio::any_io_executor executor, std::unique_ptr<byte_stream> stream,
                               std::shared_ptr<const dispatcher> methods, session_options options)
    : executor_(std::move(executor)), stream_(std::move(stream)), life_(executor_), flush_timer_(executor_),
      stall_timer_(executor_), write_stall_(write_stall_of(options, *stream_))
{
    auto frames = std::make_unique<line_framing>(options.bounds);
    conversation_ =
        std::make_shared<conversation>(executor_, std::move(methods), std::move(options), std::move(frames));
    conversation_->attach(*this);
}

session_driver::~session_driver()
{
    conversation_->detach();
}

void session_driver::start(completion done)
{
    if (std::exchange(has_started_, true) || is_complete_) {
        const error_code failed = is_complete_ ? errc::session_closed : errc::already_started;
        asio::post(executor_, asio::append(std::move(done), failed));
        return;
    }
    done_.emplace(std::move(done));
    const auto slot = asio::get_associated_cancellation_slot(*done_);
    if (slot.is_connected()) {
        asio::cancellation_slot(slot).assign([self = weak_from_this()](asio::cancellation_type) {
            if (const auto driver = self.lock())
                driver->stop(asio::error::operation_aborted);
        });
    }
    life_.expires_at(asio::steady_timer::time_point::max());
    life_.async_wait([self = shared_from_this()](error_code) {});
    resume_reading();
}

void session_driver::stop(error_code result)
{
    // Posted also when it comes from a handler: that one is not to be cancelled while it runs.
    asio::post(executor_, [self = shared_from_this(), result] {
        if (result == errc::peer_gone)
            self->is_output_closed_ = true;
        self->end(result);
    });
}

// The end, before its time. Also where only replies were left to send: then it is no good one.
void session_driver::end(error_code why)
{
    conversation_->stop(why);
    if (!has_ended_ || is_complete_)
        return;
    if (!result_)
        result_ = why;
    if (is_writing_)
        bound_flush();
    complete();
}

void session_driver::use_methods(std::shared_ptr<const dispatcher> methods)
{
    asio::post(executor_, [self = shared_from_this(), methods = std::move(methods)]() mutable {
        self->conversation_->use_methods(std::move(methods));
    });
}

void session_driver::resume_reading()
{
    if (is_reading_ || is_input_over_ || !has_started_ || conversation_->is_stopped())
        return;
    is_reading_ = true;
    const std::span<char> room = conversation_->frames().prepare();
    stream_->start_read(asio::buffer(room.data(), room.size()), shared_from_this());
}

void session_driver::on_read(error_code failed, std::size_t count)
{
    is_reading_ = false;
    is_input_over_ = bool(failed);
    conversation_->counts().bytes_in.add(count);
    framing& frames = conversation_->frames();
    frames.commit(count);
    if (failed == asio::error::eof)
        frames.finish();
    conversation_->drive(); // and reads on, if there is room
    if (failed == asio::error::eof)
        conversation_->end_of_input();
    else if (failed)
        conversation_->stop(failed);
}

void session_driver::flush()
{
    if (is_writing_ || is_output_closed_)
        return;
    outbox& box = conversation_->out();
    for (std::string_view unsent; !(unsent = box.unsent()).empty();) {
        error_code failed;
        const std::size_t sent = stream_->try_write(asio::buffer(unsent.data(), unsent.size()), failed);
        box.sent(sent);
        if (failed && failed != asio::error::would_block)
            return on_write_failed(failed);
        if (sent != unsent.size()) {
            unsent.remove_prefix(sent);
            return start_write(asio::buffer(unsent.data(), unsent.size()));
        }
    }
}

void session_driver::start_write(asio::const_buffer unsent)
{
    is_writing_ = true;
    stream_->start_write(unsent, shared_from_this());
    if (write_stall_.count() != 0)
        watch_write();
}

void session_driver::watch_write()
{
    stall_timer_.expires_after(write_stall_);
    stall_timer_.async_wait([self = weak_from_this()](error_code failed) {
        const auto driver = self.lock();
        if (!failed && driver)
            driver->check_stalled();
    });
}

void session_driver::check_stalled()
{
    if (!is_writing_ || stall_timer_.expiry() > std::chrono::steady_clock::now())
        return; // something has gone out meanwhile
    if (has_ended_)
        is_output_closed_ = true; // else it has the grace to read how its requests ended
    end(errc::write_stalled);
}

void session_driver::on_written(error_code failed, std::size_t count)
{
    is_writing_ = false;
    stall_timer_.cancel();
    conversation_->out().sent(count);
    if (failed)
        on_write_failed(failed);
    conversation_->drive(); // there is room for more
    flush();
    complete();
}

void session_driver::on_write_failed(error_code failed)
{
    const bool is_peer_gone = failed == asio::error::broken_pipe || failed == asio::error::connection_reset ||
                              failed == error_code(EIO, boost::system::system_category());
    is_output_closed_ = true;
    end(is_peer_gone ? make_error_code(errc::peer_gone) : failed);
}

void session_driver::on_end(error_code result)
{
    has_ended_ = true;
    result_ = result;
    if (!is_writing_)
        flush();
    if (is_writing_ && result && result != errc::drain_timeout)
        bound_flush();
    complete();
}

// After a stop, a peer that does not read does not keep us: what goes out within the grace is sent.
void session_driver::bound_flush()
{
    flush_timer_.expires_after(conversation_->options().cancel_grace);
    flush_timer_.async_wait([self = weak_from_this()](error_code failed) {
        const auto driver = self.lock();
        if (failed || !driver)
            return;
        driver->is_output_closed_ = true;
        driver->complete();
    });
}

void session_driver::complete()
{
    const bool is_flushed = !is_writing_ && conversation_->out().empty();
    if (!has_ended_ || is_complete_ || !(is_flushed || is_output_closed_))
        return;
    is_complete_ = true;
    flush_timer_.cancel();
    stall_timer_.cancel();
    life_.cancel();
    stream_->close();
    if (!done_)
        return;
    completion done = std::move(*done_);
    done_.reset();
    asio::get_associated_cancellation_slot(done).clear();
    asio::post(executor_, asio::append(std::move(done), result_));
}

} // namespace partyline
