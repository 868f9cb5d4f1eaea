#include "gateway/message_pump.hpp"

#include "protocol/json/one_line.hpp"

#include <partyline/protocol/errc.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>

#include <utility>

namespace asio = boost::asio;
using partyline::error_code;

namespace gateway {
namespace {

// So much is read ahead of a side that takes it more slowly.
constexpr std::size_t most_unsent = std::size_t(1) << 20;

} // namespace

message_pump::message_pump(std::unique_ptr<partyline::detail::byte_stream> stream,
                           std::unique_ptr<partyline::framing> frames)
    : stream_(std::move(stream)), frames_(std::move(frames))
{
}

void message_pump::connect(const std::shared_ptr<message_pump>& other,
                           std::function<bool(const partyline::frame&)> on_frame,
                           std::function<void(error_code)> on_end)
{
    other_ = other;
    on_frame_ = std::move(on_frame);
    on_end_ = std::move(on_end);
}

void message_pump::watch(const asio::any_io_executor& executor, partyline::liveness_rule liveness,
                         partyline::write_pace pace)
{
    looking_.emplace(executor);
    liveness_ = liveness;
    stalling_.emplace(executor);
    pace_ = pace;
}

void message_pump::start()
{
    read();
    wait_to_look();
}

void message_pump::wait_to_look()
{
    const auto next = liveness_.next_look();
    if (!looking_ || has_ended_ || next == std::chrono::steady_clock::time_point::max())
        return;
    looking_->expires_at(next);
    looking_->async_wait([known = weak_from_this()](error_code failed) {
        const std::shared_ptr<message_pump> self = known.lock();
        if (!failed && self)
            self->look();
    });
}

// One that has gone takes nothing more either.
void message_pump::look()
{
    switch (liveness_.look(std::chrono::steady_clock::now(), come_, is_reading_)) {
    case partyline::liveness_rule::peer_condition::there: break;
    case partyline::liveness_rule::peer_condition::ask:
        frames_->append_probe(out_);
        write();
        break;
    case partyline::liveness_rule::peer_condition::gone: is_broken_ = true; return note_end(partyline::errc::peer_gone);
    }
    wait_to_look();
}

void message_pump::read()
{
    const std::shared_ptr<message_pump> other = other_.lock();
    if (is_reading_ || has_ended_ || (other && other->is_behind()))
        return;
    const auto room = frames_->prepare();
    is_reading_ = true;
    stream_->start_read(asio::buffer(room.data(), room.size()), shared_from_this());
}

bool message_pump::is_behind() const noexcept
{
    return out_.size() + sending_.size() - sent_ > most_unsent;
}

void message_pump::on_read(error_code failed, std::size_t count)
{
    is_reading_ = false;
    come_ += count;
    frames_->commit(count);
    if (failed)
        frames_->finish();
    take();
    if (const auto end = frames_->input_end())
        return note_end(*end);
    if (failed)
        return note_end(failed == asio::error::eof ? end_of_stream() : failed);
    read();
}

// Where a framing has words for its end, one without them is none.
error_code message_pump::end_of_stream() const noexcept
{
    return frames_->speaks() ? make_error_code(partyline::errc::peer_closed) : error_code();
}

void message_pump::take()
{
    const std::shared_ptr<message_pump> other = other_.lock();
    for (partyline::frame next; frames_->next(next);) {
        if (other && on_frame_(next))
            other->send(next.text);
    }
    if (!frames_->owes() || is_behind())
        return;
    frames_->append_owed(out_);
    write();
}

void message_pump::send(std::string_view text)
{
    if (is_broken_)
        return;
    frames_->begin_message(out_);
    append_on_one_line(out_, text);
    frames_->end_message(out_);
    write();
}

void message_pump::write()
{
    while (!is_writing_ && !is_broken_) {
        if (sent_ == sending_.size()) {
            sending_.clear();
            sent_ = 0;
            sending_.swap(out_);
        }
        if (sending_.empty())
            break;
        const std::string_view unsent = sending_.view().substr(sent_);
        error_code failed;
        const std::size_t count = stream_->try_write(asio::buffer(unsent.data(), unsent.size()), failed);
        note_written(count);
        if (failed == asio::error::would_block) {
            is_writing_ = true;
            watch_pace();
            stream_->start_write(asio::buffer(unsent.data() + count, unsent.size() - count), shared_from_this());
        } else if (failed) {
            is_broken_ = true;
            note_end(failed);
        }
    }
    if (is_writing_)
        return;
    pace_.end(); // the other end has caught up
    if (done_)
        std::exchange(done_, nullptr)();
}

void message_pump::note_written(std::size_t count) noexcept
{
    sent_ += count;
    written_ += static_cast<std::int64_t>(count);
    pace_.note(std::chrono::steady_clock::now(), written_);
}

void message_pump::watch_pace()
{
    if (!stalling_ || pace_.is_running() || !pace_.is_watched())
        return;
    pace_.start(std::chrono::steady_clock::now(), written_);
    wait_for_pace();
}

void message_pump::wait_for_pace()
{
    stalling_->expires_at(pace_.deadline());
    stalling_->async_wait([known = weak_from_this()](error_code failed) {
        const std::shared_ptr<message_pump> self = known.lock();
        if (!failed && self && self->pace_.is_running())
            self->check_pace();
    });
}

void message_pump::check_pace()
{
    if (!pace_.is_over(std::chrono::steady_clock::now()))
        return wait_for_pace();
    is_broken_ = true;
    note_end(partyline::errc::write_stalled);
}

void message_pump::on_written(error_code failed, std::size_t count)
{
    is_writing_ = false;
    note_written(count);
    if (failed) {
        is_broken_ = true;
        note_end(failed);
    }
    write();
    if (const std::shared_ptr<message_pump> other = other_.lock())
        other->read(); // there may be room again
}

void message_pump::note_end(error_code why)
{
    if (std::exchange(has_ended_, true))
        return;
    if (looking_) {
        looking_->cancel();
        stalling_->cancel();
    }
    on_end_(why);
}

void message_pump::finish(error_code why, std::function<void()> done)
{
    done_ = std::move(done);
    if (looking_)
        looking_->cancel();
    if (frames_->speaks() && !is_broken_)
        frames_->append_end(why, out_);
    write();
}

} // namespace gateway
