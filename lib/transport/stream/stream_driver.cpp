#include "transport/stream/stream_driver.hpp"

#include "session/check_options.hpp"
#include "session/due_time.hpp"
#include "session/persistent_post.hpp"

#include <partyline/protocol/framing.hpp>
#include <partyline/session/log.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

#include <cerrno>
#include <string>
#include <utility>

namespace asio = boost::asio;

namespace partyline {
namespace {

silence_rule silence_of(const session_options& options)
{
    using namespace std::chrono_literals;
    return silence_rule(options.first_message_timeout.value_or(0s), options.idle_timeout.value_or(0s),
                        std::chrono::steady_clock::now());
}

liveness_rule liveness_of(const session_options& options)
{
    return liveness_rule(options.ping_interval.value_or(usual_ping_interval), std::chrono::steady_clock::now());
}

} // namespace

stream_driver::stream_driver(asio::any_io_executor executor, std::unique_ptr<detail::byte_stream> stream,
                             std::shared_ptr<const dispatcher> methods, session_options options)
    : stream_driver(std::move(executor), std::move(stream), std::move(methods), std::move(options), nullptr)
{
}

stream_driver::stream_driver(asio::any_io_executor executor, std::unique_ptr<detail::byte_stream> stream,
                             std::shared_ptr<const dispatcher> methods, session_options options,
                             std::unique_ptr<framing> frames)
    : executor_(std::move(executor)), stream_(std::move(stream)), life_(executor_),
      pace_(options.write_stall.value_or(usual_write_stall(*stream_)), options.write_stall_bytes)
{
    check_options(options);
    const framing_kind usual = options.framing.value_or(options.profile->framing);
    if (!frames) {
        if (stream_->is_socket())
            http_.emplace();
        frames = make_framing(usual, options.bounds);
    }
    speaks_ = frames->speaks();
    conversation_ =
        std::make_shared<conversation>(executor_, std::move(methods), std::move(options), std::move(frames));
    conversation_->attach(*this);
}

stream_driver::~stream_driver()
{
    conversation_->detach();
}

void stream_driver::start(completion<error_code> done)
{
    if (at_ != phase::created) {
        const bool is_running = done_ && at_ != phase::complete;
        const error_code failed = is_running ? errc::already_started : errc::session_closed;
        const auto told = std::make_shared<completion<error_code>>(std::move(done));
        return (*told)(told, failed);
    }
    at_ = phase::conversing;
    done_.emplace(std::move(done));
    done_->on_cancel([self = weak_from_this()] {
        if (const auto driver = self.lock())
            driver->stop(asio::error::operation_aborted);
    });
    conversation_->guarded([this] {
        life_.start(shared_from_this());
        silence_ = silence_of(conversation_->context().options);
        if (speaks_)
            liveness_ = liveness_of(conversation_->context().options);
        watch_quiet();
        conversation_->begin();
    });
    conversation_->drive(); // reads, and sends what was said before
}

void stream_driver::stop(error_code result)
{
    // Posted also when it comes from a handler: that one is not to be cancelled while it runs.
    post_persistently(executor_, [self = shared_from_this(), result] {
        if (result == errc::peer_gone)
            self->output_ = output::closed;
        self->conversation_->guarded([&] { self->end(result); });
    });
}

void stream_driver::close_by(void (conversation::*how)())
{
    post_persistently(executor_, [self = shared_from_this(), how] {
        const bool is_first = !self->conversation_->context().end.was_closed();
        self->conversation_->guarded([&] { ((*self->conversation_).*how)(); });
        self->conversation_->drive();
        if (is_first)
            self->bound_flush(); // where the end was there before
    });
}

// A reset shows in whichever comes first, a read or a write.
bool stream_driver::tells_peer_gone(const error_code& failed) noexcept
{
    return failed == asio::error::broken_pipe || failed == asio::error::connection_reset;
}

// Ends the session early. While the last replies are still being sent, `why` takes the place of success.
void stream_driver::end(error_code why)
{
    const detail::end_reason unanswered = unanswered_by(why);
    if (why == errc::peer_gone && unanswered.is_failure)
        why = unanswered.code;
    conversation_->stop(why, unanswered);
    switch (at_) {
    case phase::flushing:
        if (!result_)
            result_ = why;
        if (output_ == output::writing)
            bound(conversation_->context().options.cancel_grace, &stream_driver::give_up_output);
        return complete();
    case phase::lingering:
    case phase::closing: return close_stream();
    default: return;
    }
}

// What calls fail with: the stream may know more of a peer that has gone.
detail::end_reason stream_driver::unanswered_by(error_code why) const
{
    if (stream_->explains_end() && (why == errc::peer_gone || why == stream_->why_ended().code))
        return stream_->why_ended();
    if (why == asio::error::operation_aborted)
        why = errc::session_closed;
    return {why, why == errc::peer_gone ? words_of_close() : std::string(), true};
}

void stream_driver::use_methods(std::shared_ptr<const dispatcher> methods)
{
    asio::post(executor_, [self = shared_from_this(), methods = std::move(methods)]() mutable {
        self->conversation_->guarded([&] { self->conversation_->use_methods(std::move(methods)); });
    });
}

void stream_driver::use_access(std::shared_ptr<const access_view> view)
{
    asio::post(executor_, [self = shared_from_this(), view = std::move(view)]() mutable {
        self->conversation_->use_access(std::move(view));
    });
}

void stream_driver::use_quota(std::shared_ptr<request_quota> quota)
{
    asio::post(executor_, [self = shared_from_this(), quota = std::move(quota)]() mutable {
        self->conversation_->use_quota(std::move(quota));
    });
}

void stream_driver::flush()
{
    outlet& box = conversation_->out();
    hold_.note_sent(box.take_longest());
    if (speaks_ && conversation_->frames().owes()) [[unlikely]]
        say_owed();
    if (output_ != output::idle || at_ == phase::created)
        return;
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

void stream_driver::start_write(asio::const_buffer unsent)
{
    stream_->start_write(unsent, shared_from_this());
    output_ = output::writing;
    if (pace_.is_watched() && !pace_.is_running()) {
        pace_.start(std::chrono::steady_clock::now(), read_by_peer());
        watch_write();
    }
}

void stream_driver::on_written(error_code failed, std::size_t count)
{
    if (output_ == output::writing)
        output_ = output::idle;
    conversation_->out().sent(count);
    if (count != 0)
        hold_.on_written();
    conversation_->guarded([&] {
        if (pace_.is_running())
            pace_.note(std::chrono::steady_clock::now(), read_by_peer());
        if (failed)
            on_write_failed(failed);
    });
    conversation_->drive(); // there is room for more
    flush_or_give_up();
    if (output_ != output::writing && pace_.is_running()) { // the peer has caught up
        pace_.end();
        stall_timer_.cancel();
    }
    complete();
}

// What flush() throws closes the output, and fails the conversation if it still runs.
void stream_driver::flush_or_give_up() noexcept
{
    try {
        flush();
    } catch (...) {
        output_ = output::closed;
        conversation_->fail(std::current_exception());
    }
}

void stream_driver::on_write_failed(error_code failed)
{
    const bool is_peer_gone = tells_peer_gone(failed) || failed == error_code(EIO, boost::system::system_category());
    output_ = output::closed;
    if (at_ != phase::conversing && at_ != phase::flushing)
        return;
    if (is_peer_gone && stream_->explains_end() && input_ != input::over && at_ == phase::conversing)
        return bound(conversation_->context().options.close_timeout,
                     &stream_driver::give_up_input); // why, and what it has said before
    end(is_peer_gone ? make_error_code(errc::peer_gone) : failed);
}

// Whoever is at the other end of a socket may be on another machine, where the number means another process.
void stream_driver::watch_process(int id)
{
    if (stream_->is_socket())
        return;
    client_.emplace(executor_);
    const error_code failed = client_->start(id, [self = weak_from_this()] {
        if (const auto driver = self.lock())
            driver->stop(errc::peer_gone);
    });
    if (!failed)
        return;
    client_.reset();
    if (failed == boost::system::errc::no_such_process)
        return stop(errc::peer_gone); // it has ended before its message was read
    write_log(conversation_->context().options.log,
              "can't watch the client's process " + std::to_string(id) + ": " + failed.message());
}

} // namespace partyline
