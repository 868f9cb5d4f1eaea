#include "http/websocket/websocket_framing.hpp"

#include <boost/asio/error.hpp>

#include <algorithm>
#include <utility>

namespace partyline::http {
namespace {

close_code code_for(error_code why, close_code at_end) noexcept
{
    if (!why || why == errc::peer_gone || why == errc::drain_timeout)
        return at_end;
    if (why == errc::idle || why == errc::no_message || why == boost::asio::error::operation_aborted)
        return close_code::going_away;
    if (why == errc::overloaded)
        return close_code::try_again_later;
    if (why == errc::access_ended)
        return close_code::policy_violation;
    return close_code::internal_error;
}

bool is_in_order(close_code code) noexcept
{
    return code == close_code::normal || code == close_code::going_away || code == close_code::service_restart;
}

std::string code_text(close_code code)
{
    const auto number = static_cast<unsigned>(code);
    return {static_cast<char>(number >> 8), static_cast<char>(number & 0xFF)};
}

bool is_utf8(std::string_view text) noexcept
{
    utf8_check check;
    return check.feed(text) && check.is_whole();
}

} // namespace

websocket_framing::websocket_framing(side of, const limits& bounds, close_code at_end, content taken)
    : taken_(taken), at_end_(at_end), max_size_(bounds.message_bytes),
      masks_(of == side::client ? std::make_unique<mask_source>() : nullptr)
{
}

std::span<char> websocket_framing::prepare()
{
    drop_message();
    close_gap();
    return in_.prepare(max_size_ + frame_head::max_size + frame_head::max_control);
}

void websocket_framing::commit(std::size_t count)
{
    in_.commit(count);
}

bool websocket_framing::next(frame& out)
{
    drop_message();
    while (!end_) {
        const bool is_head_there = is_in_frame_ || take_head();
        if (!is_head_there || !(head_.is_control() ? take_control() : take_content()))
            break;
        if (is_handed_out_) {
            hand_out(out);
            return true;
        }
    }
    return false;
}

void websocket_framing::hand_out(frame& out) noexcept
{
    in_.at(message_) = '\0'; // where the head of its frame stood, or is to be read to
    out = frame{};
    out.text = in_.pending().substr(0, message_);
}

// The one that was handed out.
void websocket_framing::drop_message() noexcept
{
    if (!is_handed_out_)
        return;
    is_handed_out_ = false;
    in_.drop(at_);
    message_ = at_ = 0;
}

// What has not been looked at is little: no more than the head of a frame, or a control frame. A byte is left between,
// for the NUL behind the message.
void websocket_framing::close_gap() noexcept
{
    if (end_)
        at_ = in_.pending().size();
    const std::size_t kept = is_in_frame_ || is_in_message_ ? 1 : 0;
    if (message_ == 0)
        in_.drop(at_ - kept);
    else
        in_.erase(message_ + kept, at_ - message_ - kept);
    at_ = message_ + kept;
}

bool websocket_framing::take_head()
{
    switch (head_.read(in_.pending().substr(at_))) {
    case frame_head::state::more: return false;
    case frame_head::state::refused: break_off(close_code::protocol_error); return false;
    case frame_head::state::done: break;
    }
    if (!check_head())
        return false;
    at_ += head_.size;
    left_ = head_.length;
    is_in_frame_ = true;
    return true;
}

// RFC 6455 §5.1: who sees that a client's frame is not masked, or a server's is, ends the connection.
bool websocket_framing::check_head() noexcept
{
    const bool is_server = !masks_;
    if (head_.is_masked != is_server) {
        break_off(close_code::protocol_error);
        return false;
    }
    return head_.is_control() || check_message_head();
}

bool websocket_framing::check_message_head() noexcept
{
    const bool continues = head_.type == opcode::continuation;
    if (continues != is_in_message_) {
        break_off(close_code::protocol_error);
        return false;
    }
    if (!continues) {
        type_ = head_.type;
        frames_ = 0;
        text_.reset();
        is_in_message_ = true;
    }
    if (type_ == opcode::binary && taken_ == content::text)
        break_off(close_code::unsupported_data);
    else if (++frames_ > max_frames)
        break_off(close_code::policy_violation);
    else if (head_.length > max_size_ - message_)
        break_off(close_code::too_big, errc::message_too_large);
    return !end_;
}

// Takes what has come of the frame, right behind what is there of its message. False: more has to come first.
bool websocket_framing::take_content()
{
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(left_, in_.pending().size() - at_));
    if (count != 0) {
        char* const to = &in_.at(message_);
        const mask_key key = rotated(head_.mask, head_.length - left_);
        const bool is_ascii = move_unmasked(to, &in_.at(at_), count, key);
        at_ += count;
        message_ += count;
        left_ -= count;
        const bool is_plain = type_ == opcode::binary || (is_ascii && text_.is_whole());
        if (!is_plain && !text_.feed({to, count})) {
            break_off(close_code::bad_text);
            return false;
        }
    }
    return left_ == 0 && end_frame();
}

bool websocket_framing::end_frame() noexcept
{
    is_in_frame_ = false;
    if (!head_.is_last)
        return true;
    if (!text_.is_whole()) {
        break_off(close_code::bad_text);
        return false;
    }
    is_in_message_ = false;
    is_handed_out_ = true;
    return true;
}

// False: more has to come first.
bool websocket_framing::take_control()
{
    const auto count = static_cast<std::size_t>(left_);
    if (in_.pending().size() - at_ < count)
        return false;
    if (count != 0)
        apply_mask(&in_.at(at_), count, head_.mask);
    on_control(in_.pending().substr(at_, count));
    at_ += count;
    is_in_frame_ = false;
    return true;
}

// A ping that others have followed need not be answered (RFC 6455 §5.5.3).
void websocket_framing::on_control(std::string_view told)
{
    if (head_.type == opcode::close)
        return on_close(told);
    if (head_.type != opcode::ping)
        return;
    if (pongs_.size() > max_owed)
        pongs_.clear();
    append_control(pongs_, opcode::pong, told, next_mask());
}

void websocket_framing::on_close(std::string_view told)
{
    if (told.size() == 1)
        return break_off(close_code::protocol_error);
    if (!told.empty()) {
        const auto code =
            static_cast<std::uint16_t>(static_cast<unsigned char>(told[0]) << 8 | static_cast<unsigned char>(told[1]));
        if (!is_valid_code(code))
            return break_off(close_code::protocol_error);
        if (!is_utf8(told.substr(2)))
            return break_off(close_code::bad_text);
        own_code_ = close_code(code);
        if (!is_in_order(*own_code_)) {
            const std::string_view reason = told.substr(2);
            std::string words = std::to_string(code);
            if (!reason.empty())
                words.append(" \"").append(reason).append("\"");
            close_reason_ = std::make_unique<const std::string>(std::move(words));
        }
    } else {
        own_code_ = close_code::no_code;
    }
    pongs_.clear(0);
    end_.emplace();
}

void websocket_framing::break_off(close_code code, errc why) noexcept
{
    end_ = why;
    own_code_ = code;
    pongs_.clear(0);
}

std::size_t websocket_framing::pending() const noexcept
{
    return is_handed_out_ ? in_.pending().size() - at_ : message_ + (in_.pending().size() - at_);
}

void websocket_framing::give_up_pending()
{
    break_off(close_code::try_again_later, errc::overloaded);
    message_ = 0;
    is_handed_out_ = is_in_frame_ = is_in_message_ = false;
    close_gap(); // all of it
}

void websocket_framing::release_memory()
{
    drop_message();
    in_.release_memory();
}

void websocket_framing::begin_message(byte_buffer& out)
{
    start_ = out.size();
    out.append("....");
    static_assert(usual_head == 4);
}

void websocket_framing::end_message(byte_buffer& out)
{
    finish_frame(out, start_, opcode::text, next_mask());
}

void websocket_framing::append_owed(byte_buffer& out)
{
    out.append(pongs_.view());
    pongs_.clear(0);
}

void websocket_framing::append_probe(byte_buffer& out)
{
    append_control(out, opcode::ping, {}, next_mask());
}

void websocket_framing::append_end(error_code why, byte_buffer& out)
{
    const close_code code = own_code_.value_or(code_for(why, at_end_));
    std::string told = code == close_code::no_code ? std::string() : code_text(code);
    if (!own_code_ && why == errc::access_ended)
        told += "credentials have expired or were taken away";
    append_control(out, opcode::close, told, next_mask());
}

} // namespace partyline::http
