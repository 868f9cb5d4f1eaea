#pragma once

#include "transport/stream/liveness_rule.hpp"
#include "transport/stream/write_pace.hpp"

#include <partyline/protocol/byte_buffer.hpp>
#include <partyline/protocol/framing.hpp>
#include <partyline/transport/detail/byte_stream.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace gateway {

/// One side of two that have their messages passed on to each other, as they are: a stream, and how messages stand in
/// it.
///
/// Flow: `connect()` both, `start()` both; each tells its end, when nothing more comes from it. `finish()` sends what
/// there is, and the last word.
/// Thread safety: everything on one executor, which is serial.
class message_pump final : public partyline::detail::byte_stream::user,
                           public std::enable_shared_from_this<message_pump> {
public:
    message_pump(std::unique_ptr<partyline::detail::byte_stream> stream, std::unique_ptr<partyline::framing> frames);

    /// `on_frame` sees what has come, also what was too long, and says whether it is passed on.
    void connect(const std::shared_ptr<message_pump>& other, std::function<bool(const partyline::frame&)> on_frame,
                 std::function<void(partyline::error_code)> on_end);
    /// The other end of the stream is asked whether it is there when it has been silent for so long, by what the
    /// framing has for that; it ends with `errc::peer_gone` when it stays so for as long again, and with
    /// `errc::write_stalled` when it reads too slowly what there is for it. Once, before `start()`.
    void watch(const boost::asio::any_io_executor& executor, partyline::liveness_rule liveness,
               partyline::write_pace pace);
    void start();
    /// No more will be sent. `done` is called when all has gone out, or can't.
    void finish(partyline::error_code why, std::function<void()> done);

    /// Why the other end of the stream has ended it: see `framing`.
    std::string close_reason() const { return frames_->close_reason(); }

    /// Sends one more message.
    void send(std::string_view text);

private:
    void take();
    void read();
    void write();
    void note_end(partyline::error_code why);
    void wait_to_look();
    void look();
    void note_written(std::size_t count) noexcept;
    void watch_pace();
    void wait_for_pace();
    void check_pace();
    bool is_behind() const noexcept;
    partyline::error_code end_of_stream() const noexcept;

    void on_read(partyline::error_code failed, std::size_t count) override;
    void on_written(partyline::error_code failed, std::size_t count) override;
    void on_closed() override {}

    std::unique_ptr<partyline::detail::byte_stream> stream_;
    std::unique_ptr<partyline::framing> frames_;
    std::weak_ptr<message_pump> other_;
    std::function<bool(const partyline::frame&)> on_frame_;
    std::function<void(partyline::error_code)> on_end_;
    std::function<void()> done_;
    partyline::byte_buffer out_;     // to be sent
    partyline::byte_buffer sending_; // nothing is appended to these
    std::size_t sent_ = 0;           // of those
    std::uint64_t come_ = 0;         // bytes, so far
    std::optional<boost::asio::steady_timer> looking_;
    partyline::liveness_rule liveness_{{}, {}};
    std::int64_t written_ = 0; // bytes, so far
    std::optional<boost::asio::steady_timer> stalling_;
    partyline::write_pace pace_{{}, 0};
    bool is_reading_ = false;
    bool is_writing_ = false;
    bool has_ended_ = false; // nothing more comes
    bool is_broken_ = false; // nothing more goes
};

} // namespace gateway
