#pragma once

#include "http/websocket/frame.hpp"
#include "http/websocket/mask_source.hpp"
#include "protocol/framing/read_buffer.hpp"
#include "protocol/json/utf8_check.hpp"

#include <partyline/protocol/errc.hpp>
#include <partyline/protocol/framing.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace partyline::http {

/// One message a text message of WebSocket (RFC 6455), which may come in several frames, with control frames between
/// them.
///
/// What breaks the rules, is longer than `limits::message_bytes`, has more frames than `max_frames`, is binary or not
/// UTF-8 ends the input, and the peer is told by the code of the last frame. Takes nothing on the word of a length. Of
/// more pings than `max_owed` has room for, before there is any to answer them, the last ones are answered.
/// Cost: linear in what comes, however it is cut.
class websocket_framing final : public framing {
public:
    enum class side : std::uint8_t { server, client };
    /// Which kinds of messages are taken; binary ones by nobody but tests.
    enum class content : std::uint8_t { text, any };

    /// Frames of a message, which all may be empty.
    static constexpr std::size_t max_frames = 4096;
    /// Bytes of answers to pings that wait for room.
    static constexpr std::size_t max_owed = 4096;

    /// `at_end` is what the peer is told where a session has come to its end in order.
    websocket_framing(side of, const limits& bounds, close_code at_end, content taken = content::text);

    std::span<char> prepare() override;
    void commit(std::size_t count) override;
    bool next(frame& out) override;
    void finish() override {} // an end without the frame that says so
    std::size_t pending() const noexcept override;
    bool is_within_message() const noexcept override { return is_in_frame_ || is_in_message_ || pending() != 0; }
    void give_up_pending() override;
    void release_memory() override;
    void begin_message(byte_buffer& out) override;
    void end_message(byte_buffer& out) override;

    bool speaks() const noexcept override { return true; }
    std::optional<error_code> input_end() const noexcept override { return end_; }
    /// The code and the reason of the peer's close frame (RFC 6455 §5.5.1), as in `1008 "token expired"`.
    std::string close_reason() const override { return close_reason_ ? *close_reason_ : std::string(); }
    bool owes() const noexcept override { return !pongs_.empty(); }
    void append_owed(byte_buffer& out) override;
    void append_probe(byte_buffer& out) override;
    void append_end(error_code why, byte_buffer& out) override;

    /// What the last message was; for tests.
    opcode last_type() const noexcept { return type_; }

private:
    void drop_message() noexcept;
    void close_gap() noexcept;
    bool take_head();
    bool check_head() noexcept;
    bool check_message_head() noexcept;
    bool take_content();
    bool end_frame() noexcept;
    void hand_out(frame& out) noexcept;
    bool take_control();
    void on_control(std::string_view told);
    void on_close(std::string_view told);
    void break_off(close_code code, errc why = errc::bad_frame) noexcept;
    const mask_key* next_mask() { return masks_ ? &masks_->next() : nullptr; }

    const content taken_;
    const close_code at_end_;
    const std::size_t max_size_;
    read_buffer in_;          // the message so far, a gap, what has not been looked at
    std::size_t message_ = 0; // bytes of the message so far
    std::size_t at_ = 0;      // of what has not been looked at
    frame_head head_;         // of the frame under way
    std::uint64_t left_ = 0;  // bytes of it
    std::size_t frames_ = 0;  // of the message under way
    opcode type_ = opcode::text;
    utf8_check text_;
    bool is_in_frame_ = false;
    bool is_in_message_ = false; // and its last frame has not come
    bool is_handed_out_ = false; // the message at the front
    byte_buffer pongs_;          // frames that the peer is owed
    std::optional<error_code> end_;
    std::unique_ptr<const std::string> close_reason_; // none: in order, or not yet
    std::optional<close_code> own_code_;              // that this side ends with, where it is known
    std::size_t start_ = 0;                           // of the outgoing message
    const std::unique_ptr<mask_source> masks_;        // a client's
};

} // namespace partyline::http
