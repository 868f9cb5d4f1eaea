// What a framing says by itself, besides the messages: WebSocket's pings, answers to pings, and the frames that end it.

#include "session/persistent_post.hpp"
#include "transport/stream/stream_driver.hpp"

#include <partyline/protocol/printable.hpp>
#include <partyline/session/log.hpp>

#include <exception>
#include <string>
#include <utility>

namespace partyline {

// Where the peer does not read what it has asked for, it is owed the last of it, and no more.
void stream_driver::say_owed()
{
    outlet& box = conversation_->out();
    if (at_ == phase::conversing && !box.is_above_soft())
        box.append([this](byte_buffer& out) { conversation_->frames().append_owed(out); });
}

// Everything else has gone out. A peer that does not take the last word is not waited for as if it were a reply.
void stream_driver::say_end() noexcept
{
    has_said_end_ = true;
    try {
        conversation_->out().append([this](byte_buffer& out) { conversation_->frames().append_end(result_, out); });
        flush_or_give_up();
        if (output_ == output::writing)
            bound(conversation_->context().options.cancel_grace, &stream_driver::give_up_output);
    } catch (...) {
        output_ = output::closed;
    }
    complete();
}

// The peer has said that it is at its end, and reads no replies any more; or what it sends can't be read.
void stream_driver::end_by_framing()
{
    const error_code why = *conversation_->frames().input_end();
    if (why)
        return end(why);
    detail::end_reason unanswered = stream_->why_ended();
    if (std::string said = words_of_close(); !said.empty()) {
        write_log(conversation_->context().options.log, said);
        unanswered.details = std::move(said);
        unanswered.is_failure = true;
    }
    conversation_->end_of_input(std::move(unanswered));
    if (at_ == phase::conversing)
        end(errc::peer_gone);
}

// What the peer says why it has ended; empty where that is in order, or it has not.
std::string stream_driver::words_of_close() const
{
    const std::string said = conversation_->frames().close_reason();
    return said.empty() ? said : "the peer has closed the connection: " + printable(said);
}

// The end was met in a turn that no read has begun: it stood behind messages that several turns have taken.
void stream_driver::end_by_framing_soon()
{
    post_persistently(executor_, [self = shared_from_this()] {
        if (self->at_ == phase::conversing && !self->conversation_->context().end.ignores_input())
            self->conversation_->guarded([&] { self->end_by_framing(); });
    });
}

bool stream_driver::has_heard_end() const noexcept
{
    const std::optional<error_code> end = conversation_->frames().input_end();
    return end && !*end;
}

// What the peer sends is not looked at any more (RFC 6455 §7.1.7), so it is told by the end of the stream as well.
bool stream_driver::has_broken_off() const noexcept
{
    const std::optional<error_code> end = conversation_->frames().input_end();
    return end && *end;
}

// We have ended first: nothing is awaited but the peer's own end.
void stream_driver::discard_input(std::size_t count)
{
    if (!speaks_ || has_broken_off())
        return linger_on();
    framing& frames = conversation_->frames();
    frames.commit(count);
    for (frame unwanted; frames.next(unwanted);) {
    }
    has_heard_end() ? close_stream() : linger_on();
}

// Why the session is to end for that.
error_code stream_driver::check_liveness(std::chrono::steady_clock::time_point now)
{
    const std::uint64_t bytes = conversation_->context().counters.bytes_in.get();
    switch (liveness_.look(now, bytes, is_reading())) {
    case liveness_rule::peer_condition::there: break;
    case liveness_rule::peer_condition::ask:
        conversation_->out().append([this](byte_buffer& out) { conversation_->frames().append_probe(out); });
        flush();
        break;
    case liveness_rule::peer_condition::gone: output_ = output::closed; return errc::peer_gone;
    }
    return {};
}

} // namespace partyline
