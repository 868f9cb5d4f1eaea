#include "fleet/channel/channel_core.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace partyline::fleet {

channel_limits channel_limits_for(std::size_t max_payload) noexcept
{
    constexpr std::size_t head_bytes = 1024; // before the bytes
    channel_limits made;
    if (max_payload != 0)
        made.piece_bytes = std::clamp<std::size_t>(max_payload - std::min(max_payload, head_bytes), 1, max_piece_bytes);
    return made;
}

channel_core::channel_core(channel_ends ends, time_point now, channel_limits limits)
    : ends_(std::move(ends)), limits_(limits), heard_at_(now)
{
}

std::vector<publication> channel_core::take_effects()
{
    return std::exchange(effects_, {});
}

// Without memory for more of them, those that were taken are on their way.
std::size_t channel_core::write(std::string_view bytes, time_point now)
{
    std::size_t written = 0;
    try {
        write_pieces(bytes, now, written);
    } catch (const std::bad_alloc&) {
        if (written == 0)
            throw;
    }
    return written;
}

void channel_core::write_pieces(std::string_view bytes, time_point now, std::size_t& written)
{
    while (written < bytes.size() && has_room() && !is_cut_off()) {
        const std::string_view piece = bytes.substr(written, limits_.piece_bytes);
        add_piece(kind::piece, piece);
        written += piece.size();
        send_more(now);
    }
}

void channel_core::finish(time_point now)
{
    if (is_finished_ || is_cut_off())
        return;
    add_piece(kind::end, {});
    is_finished_ = true;
    send_more(now);
}

void channel_core::abort()
{
    if (is_settled())
        return;
    is_aborted_ = true;
    release();
    try {
        send(kind::abort);
    } catch (const std::bad_alloc&) { // it is told so when it says something, or hears nothing
    }
}

// The payload is made once, and tells what has come by then: later on that is less than it could be, and true.
void channel_core::add_piece(kind is, std::string_view bytes)
{
    channel_message made = next_message(is);
    made.number = last_ + 1;
    out_.push_back({std::make_shared<const std::string>(write_channel_message(made, bytes)), bytes.size()});
    ++last_;
    unread_bytes_ += bytes.size();
    if (!is_repeating_)
        note_told();
}

void channel_core::send_more(time_point now)
{
    if (is_repeating_ || is_cut_off())
        return;
    if (next_ == peer_has_ + 1 && next_ <= last_ && !is_pinging_)
        again_at_ = now + limits_.retry_interval;
    for (; next_ <= last_; ++next_)
        send_piece(next_);
}

void channel_core::send_piece(std::uint64_t number)
{
    publish(out_[number - peer_taken_ - 1].payload);
}

void channel_core::send(kind is)
{
    publish(std::make_shared<const std::string>(write_channel_message(next_message(is))));
    note_told();
}

void channel_core::publish(std::shared_ptr<const std::string> payload)
{
    publication made;
    made.subject = ends_.to;
    made.payload = std::move(payload);
    effects_.push_back(std::move(made));
}

channel_message channel_core::next_message(kind is) const
{
    channel_message made;
    made.id = ends_.id;
    made.run = ends_.run;
    made.is = is;
    made.has = has_;
    made.taken = taken_;
    return made;
}

void channel_core::note_told() noexcept
{
    told_has_ = has_;
    told_taken_ = taken_;
    answer_at_.reset();
}

std::size_t channel_core::read(boost::asio::mutable_buffer to, time_point now)
{
    std::size_t count = 0;
    while (!in_.empty() && count != to.size()) {
        const std::string_view piece = std::string_view(in_.front()).substr(offset_, to.size() - count);
        std::memcpy(static_cast<char*>(to.data()) + count, piece.data(), piece.size());
        count += piece.size();
        offset_ += piece.size();
        if (offset_ != in_.front().size())
            break;
        in_.pop_front();
        offset_ = 0;
        ++taken_;
    }
    on_taken(now);
    return count;
}

void channel_core::on_taken(time_point now) noexcept
{
    if (in_end_ && in_.empty())
        taken_ = has_;
    if (taken_ != told_taken_ && !is_settled())
        answer_soon(now, taken_ - told_taken_ >= limits_.window / 4);
}

// What is written meanwhile tells it as well.
void channel_core::answer_soon(time_point now, bool is_much) noexcept
{
    const time_point due = is_much ? now : now + limits_.answer_delay;
    answer_at_ = std::min(answer_at_.value_or(due), due);
}

void channel_core::on_message(channel_message message, time_point now)
{
    if (is_cut_off()) {
        if (message.is != kind::abort)
            send(kind::abort);
        return;
    }
    if (message.has > last_) {
        ++dropped_;
        return;
    }
    heard_at_ = now;
    repeats_ = 0;
    is_pinging_ = false;
    on_has(message, now);
    switch (message.is) {
    case kind::piece:
    case kind::end: on_numbered(message, now); break;
    case kind::ping: answer_soon(now, true); break;
    case kind::abort: return on_abort();
    case kind::answer: break;
    }
    send_more(now);
}

void channel_core::on_has(const channel_message& message, time_point now) noexcept
{
    if (message.has > peer_has_) {
        while (peer_has_ < message.has)
            out_[peer_has_++ - peer_taken_].payload.reset();
        next_ = std::max(next_, peer_has_ + 1);
        is_repeating_ = false;
        again_at_ = now + limits_.retry_interval;
    }
    for (; peer_taken_ < message.taken; ++peer_taken_) {
        unread_bytes_ -= out_.front().bytes;
        out_.pop_front();
    }
}

// What comes before its time comes again.
void channel_core::on_numbered(channel_message& message, time_point now)
{
    if (message.number <= has_)
        return answer_soon(now, true);
    const bool is_end = message.is == kind::end;
    if (in_end_ || message.number - taken_ > limits_.window + (is_end ? 1 : 0)) {
        ++dropped_;
        return;
    }
    if (message.number != has_ + 1)
        return;
    if (!is_end)
        in_.push_back(std::move(message.bytes));
    ++has_;
    in_end_ = is_end;
    if (is_end)
        on_taken(now);
    answer_soon(now, is_end || has_ - told_has_ >= limits_.window / 4);
}

// Who has said all, and heard all of ours, may have left before we have heard of that.
void channel_core::on_abort() noexcept
{
    if (in_end_ && is_finished_ && peer_has_ + 1 >= last_)
        peer_has_ = last_;
    else
        is_broken_ = true;
    release();
}

void channel_core::release() noexcept
{
    for (sent_piece& one : out_)
        one.payload.reset();
    is_pinging_ = false;
    answer_at_.reset();
}

} // namespace partyline::fleet
