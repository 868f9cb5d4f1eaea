#pragma once

#include "async/keep_running.hpp"
#include "protocol/framing/http_check.hpp"
#include "session/calls/make_outgoing.hpp"
#include "session/calls/posted_completion.hpp"
#include "session/conversation.hpp"
#include "session/lazy_timer.hpp"
#include "transport/session_driver.hpp"
#include "transport/stream/liveness_rule.hpp"
#include "transport/stream/process_watch.hpp"
#include "transport/stream/read_hold.hpp"
#include "transport/stream/silence_rule.hpp"
#include "transport/stream/write_pace.hpp"

#include <partyline/config.hpp>
#include <partyline/protocol/errc.hpp>
#include <partyline/transport/detail/byte_stream.hpp>

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/any_io_executor.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace partyline {

/// The read and write loops of one session over one byte stream.
///
/// Flow: read as much as there is (64 KiB), hand it to the framing, let the conversation handle every message in it,
/// then send everything that it has to say by one write: at once what goes out without waiting, the rest
/// asynchronously. Reading goes on while the conversation has room, and waits a little for what is unsent.
/// Thread safety: everything on the executor, but for what says otherwise.
class PARTYLINE_EXPORT stream_driver final : public session_driver,
                                             public conversation::host,
                                             public detail::byte_stream::user,
                                             public std::enable_shared_from_this<stream_driver> {
public:
    stream_driver(boost::asio::any_io_executor executor, std::unique_ptr<detail::byte_stream> stream,
                  std::shared_ptr<const dispatcher> methods, session_options options);
    /// With a framing of which it is known that the peer speaks it.
    stream_driver(boost::asio::any_io_executor executor, std::unique_ptr<detail::byte_stream> stream,
                  std::shared_ptr<const dispatcher> methods, session_options options, std::unique_ptr<framing> frames);
    ~stream_driver();

    // session_driver
    boost::asio::any_io_executor get_executor() const override { return executor_; }

    void start(completion<error_code> done) override;
    void stop(error_code result) override;
    void close() override { close_by(&conversation::close); }
    bool takes_calls() const noexcept override;
    void launch(const std::shared_ptr<outgoing_message>& message, error_code failed) override;
    call_origin origin() const override { return {calling(), executor_}; }
    void use_methods(std::shared_ptr<const dispatcher> methods) override;
    void use_access(std::shared_ptr<const access_view> view) override;
    void use_quota(std::shared_ptr<request_quota> quota) override;
    void end_access() override { close_by(&conversation::end_access); }
    std::shared_ptr<partyline::lifecycle> lifecycle() const override { return conversation_->context().lifecycle; }
    session_counters counters() const noexcept override { return conversation_->context().counters.snapshot(); }

    /// Sends what nobody else has prepared: it is for the caller to listen to its cancellation, and to `cancel()` it.
    void adopt(const std::shared_ptr<outgoing_message>& message) noexcept;
    void cancel(outgoing_message& message) noexcept { conversation_->cancel_call(message); }

    /// What the handshake has told by which the peer has begun the session: see `outlet::sender`. Before `start()`.
    void set_sender(sender_facts of) noexcept { conversation_->out().set_sender(std::move(of)); }

    /// Whose calls are made into messages so. From any thread.
    const call_rules& calling() const noexcept { return conversation_->context().calling; }

    /// Whether handlers were left running. Valid when it has ended.
    bool has_abandoned() const noexcept { return conversation_->context().end.has_abandoned(); }

private:
    void close_by(void (conversation::*how)());
    void start_write(boost::asio::const_buffer unsent);
    void end(error_code why);
    detail::end_reason unanswered_by(error_code why) const;
    void end_input(detail::end_reason unanswered);
    static bool tells_peer_gone(const error_code& failed) noexcept;
    void complete() noexcept;
    void linger();
    void linger_on() noexcept;
    void close_stream();
    void bound_flush();
    void bound(std::chrono::steady_clock::duration most, void (stream_driver::*then)());
    void give_up_output();
    void give_up_input();
    void on_write_failed(error_code failed);
    void take_input(error_code failed, std::size_t count);
    void flush_or_give_up() noexcept;

    // What the framing says by itself: stream_driver_framing.cpp
    void say_owed();
    void say_end() noexcept;
    void end_by_framing();
    std::string words_of_close() const;
    void end_by_framing_soon();
    void discard_input(std::size_t count);
    bool has_heard_end() const noexcept;
    bool has_broken_off() const noexcept;
    error_code check_liveness(std::chrono::steady_clock::time_point now);

    // What the peer is watched for: stream_driver_peer.cpp
    bool is_http(std::string_view bytes);
    void refuse_http();
    void watch_peer();
    void watch_input_end();
    void check_input_end();
    bool is_reading() const noexcept { return input_ == input::reading || input_ == input::waiting; }
    void watch_write();
    void check_stalled();
    std::int64_t read_by_peer();
    bool is_held();
    bool watch_hold();
    void watch_quiet();
    void check_quiet();
    error_code check_silence(std::chrono::steady_clock::time_point now);

    // conversation::host
    void flush() override;
    void resume_reading() override;
    void on_pause() override;
    void watch_process(int id) override;
    void on_end(error_code result) noexcept override;
    // byte_stream::user
    void on_read(error_code failed, std::size_t count) override;
    void on_readable() override;
    void on_written(error_code failed, std::size_t count) override;
    void on_hang_up() override;
    void on_closed() override;

    boost::asio::any_io_executor executor_;
    std::unique_ptr<detail::byte_stream> stream_;
    std::shared_ptr<conversation> conversation_;
    keep_running life_;    // until the end
    lazy_timer end_timer_; // bounds each step of the end
    lazy_timer stall_timer_;
    lazy_timer hold_timer_;
    lazy_timer quiet_timer_; // of the silence and the liveness
    lazy_timer input_end_timer_;
    write_pace pace_;
    read_hold hold_;
    silence_rule silence_{{}, {}, {}}; // until it is started
    liveness_rule liveness_{{}, {}};   // the same, where the framing speaks
    std::optional<http_check> http_;   // while it is open what the first bytes are
    std::span<char> room_;             // of the read under way
    std::optional<process_watch> client_;
    std::optional<completion<error_code>> done_;
    error_code result_;
    // Once the conversation has ended: what is written goes out, the peer's end of input is awaited where we have ended
    // ours, the stream is closed.
    enum class phase : std::uint8_t { created, conversing, flushing, lingering, closing, complete };
    enum class input : std::uint8_t { idle, waiting, reading, over }; // waiting: without a buffer
    enum class output : std::uint8_t { idle, writing, closed };       // closed: nothing goes out any more
    phase at_ = phase::created;
    input input_ = input::idle;
    output output_ = output::idle;
    bool is_hold_watched_ = false; // hold_timer_ runs
    bool is_input_end_watched_ = false;
    bool has_more_to_read_ = false; // the last read has filled its buffer
    bool speaks_ = false;           // the framing does
    bool has_said_end_ = false;     // by it
};

} // namespace partyline
