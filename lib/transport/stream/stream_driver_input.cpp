// What comes over the stream.

#include "transport/stream/stream_driver.hpp"

#include <partyline/protocol/framing.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>

#include <utility>

namespace asio = boost::asio;

namespace partyline {

void stream_driver::resume_reading()
{
    const bool is_wanted =
        at_ == phase::conversing ? !conversation_->context().end.ignores_input() : at_ == phase::lingering;
    framing& frames = conversation_->frames();
    if (is_wanted && speaks_ && frames.input_end() && at_ == phase::conversing) [[unlikely]]
        return end_by_framing_soon();
    if (input_ != input::idle || !is_wanted || is_held())
        return;
    if (!has_more_to_read_ && stream_->can_wait()) {
        frames.release_memory();
        conversation_->out().release_memory();
        stream_->start_wait(shared_from_this());
        input_ = input::waiting;
        return;
    }
    room_ = frames.prepare();
    stream_->start_read(asio::buffer(room_.data(), room_.size()), shared_from_this());
    input_ = input::reading;
}

void stream_driver::on_readable()
{
    if (at_ != phase::conversing && at_ != phase::lingering)
        return;
    input_ = input::idle; // also where there is no memory to read to
    conversation_->guarded([this] {
        error_code failed;
        room_ = conversation_->frames().prepare();
        const std::size_t count = stream_->try_read(asio::buffer(room_.data(), room_.size()), failed);
        if (failed != asio::error::would_block)
            return on_read(failed, count);
        conversation_->frames().commit(0);
        resume_reading();
    });
}

void stream_driver::on_read(error_code failed, std::size_t count)
{
    input_ = failed ? input::over : input::idle;
    has_more_to_read_ = count == room_.size();
    hold_.on_read(count);
    conversation_->guarded([&] { take_input(failed, count); });
}

void stream_driver::take_input(error_code failed, std::size_t count)
{
    conversation_->context().counters.bytes_in.add(count);
    if (at_ == phase::lingering)
        return failed ? close_stream() : discard_input(count);
    if (at_ != phase::conversing)
        return;
    if (http_ && is_http({room_.data(), count})) [[unlikely]]
        return refuse_http();
    framing& frames = conversation_->frames();
    frames.commit(count);
    if (failed == errc::stream_truncated && count == 0 && !frames.is_within_message())
        failed = asio::error::eof; // nothing that matters is missing, and many close TLS so
    if (failed == asio::error::eof)
        frames.finish();
    conversation_->drive(); // and reads on, if there is room
    if (speaks_ && frames.input_end() && at_ == phase::conversing) [[unlikely]]
        return end_by_framing();
    if (failed == asio::error::eof && output_ != output::closed)
        end_input(stream_->why_ended());
    else if (failed)
        end(failed == asio::error::eof || tells_peer_gone(failed) ? make_error_code(errc::peer_gone) : failed);
    if (failed) [[unlikely]]
        watch_peer();
}

void stream_driver::end_input(detail::end_reason unanswered)
{
    const session_options& options = conversation_->context().options;
    const bool has_gone = stream_->is_socket() && options.at_end_of_input == end_of_input::peer_gone;
    if (has_gone) // where the framing has words for an end in order, one without them is none
        unanswered = {errc::peer_gone, {}, speaks_, true};
    if (unanswered.is_gone)
        output_ = output::closed;
    conversation_->end_of_input(std::move(unanswered));
    if (has_gone && at_ == phase::conversing)
        end(errc::peer_gone); // also where input waits that there is no room for
}

} // namespace partyline
