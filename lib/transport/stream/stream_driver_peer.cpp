// What a driver watches its peer for, besides what it reads: that it goes, reads too slowly, says nothing, is a
// browser.

#include "session/due_time.hpp"
#include "transport/stream/stream_driver.hpp"

#include <algorithm>
#include <chrono>

namespace partyline {

namespace {

using namespace std::chrono_literals;

// Between two looks for the end of a peer of which nothing is read.
constexpr auto time_between_looks = 250ms;

} // namespace

// Only what comes first can be one. What the framing has been given meanwhile holds no whole line, so no message.
bool stream_driver::is_http(std::string_view bytes)
{
    const http_check::answer found = http_->feed(bytes);
    if (found != http_check::answer::open)
        http_.reset();
    return found == http_check::answer::http;
}

// Whoever has a web page open in a browser has not asked for what that page sends. It is told nothing.
void stream_driver::refuse_http()
{
    output_ = output::closed;
    end(errc::http_request);
}

void stream_driver::on_pause()
{
    watch_peer();
}

// Where nothing is read: a read sees more.
void stream_driver::watch_peer()
{
    if (at_ != phase::conversing || is_reading())
        return;
    stream_->start_watch(shared_from_this());
    if (input_ == input::idle && conversation_->context().options.at_end_of_input == end_of_input::peer_gone)
        watch_input_end();
}

// Nobody is woken up by the end of input where something stands in front of it.
void stream_driver::watch_input_end()
{
    if (is_input_end_watched_ || !stream_->is_socket())
        return;
    input_end_timer_.start(executor_, due_time(time_between_looks), [self = weak_from_this()](error_code failed) {
        const auto driver = self.lock();
        if (failed || !driver)
            return;
        driver->is_input_end_watched_ = false;
        driver->conversation_->guarded([&] { driver->check_input_end(); });
    });
    is_input_end_watched_ = true;
}

void stream_driver::check_input_end()
{
    if (input_ != input::idle)
        return; // it is seen when it is read, or was
    stream_->has_ended_input() ? on_hang_up() : watch_peer();
}

void stream_driver::on_hang_up()
{
    if (at_ != phase::conversing || is_reading())
        return;
    output_ = output::closed;
    conversation_->guarded([this] { end(errc::peer_gone); });
}

// As far as the system tells.
std::int64_t stream_driver::read_by_peer()
{
    const auto sent = static_cast<std::int64_t>(conversation_->context().counters.bytes_out.get());
    return sent - static_cast<std::int64_t>(stream_->unread());
}

void stream_driver::watch_write()
{
    try {
        stall_timer_.start(executor_, pace_.deadline(), [self = weak_from_this()](error_code failed) {
            const auto driver = self.lock();
            if (!failed && driver)
                driver->conversation_->guarded([&] { driver->check_stalled(); });
        });
    } catch (const std::bad_alloc&) {
        if (at_ == phase::conversing)
            throw;        // the session ends, within its grace
        give_up_output(); // nothing else would bound the end
    }
}

void stream_driver::check_stalled()
{
    const auto now = std::chrono::steady_clock::now();
    pace_.note(now, read_by_peer());
    if (!pace_.is_running() || at_ == phase::lingering || at_ == phase::closing || at_ == phase::complete)
        return;
    if (!pace_.is_over(now))
        return watch_write();
    pace_.end();
    if (at_ != phase::conversing)
        output_ = output::closed; // else it has the grace to read how its requests ended
    end(errc::write_stalled);
}

// Whether reading waits for the peer to take what is written. Not where we wait for replies of its own: two sides that
// owe each other much would stall each other again and again.
bool stream_driver::is_held()
{
    if (output_ != output::writing || at_ != phase::conversing || !stream_->can_try_write() ||
        conversation_->context().counters.open_calls.get() != 0)
        return false;
    return !hold_.may_read(conversation_->out().unsent_bytes(), std::chrono::steady_clock::now()) && watch_hold();
}

// One timer at a time, and none for each write: where reading has gone on before it expires, and is held again, the
// timer is started anew only then. False: nothing would end the hold.
bool stream_driver::watch_hold()
{
    if (is_hold_watched_)
        return true;
    try {
        hold_timer_.start(executor_, hold_.deadline(), [self = weak_from_this()](error_code failed) {
            const auto driver = self.lock();
            if (failed || !driver)
                return;
            driver->is_hold_watched_ = false;
            if (driver->hold_.is_holding())
                driver->conversation_->drive(); // reads on, or waits for the rest of a later hold
        });
    } catch (const std::bad_alloc&) {
        return false;
    }
    return is_hold_watched_ = true;
}

// One timer for both: that nothing is to be done, and that nothing comes.
void stream_driver::watch_quiet()
{
    const auto next = std::min(silence_.next_look(), liveness_.next_look());
    if (at_ != phase::conversing || next == std::chrono::steady_clock::time_point::max())
        return;
    quiet_timer_.start(executor_, next, [self = weak_from_this()](error_code failed) {
        const auto driver = self.lock();
        if (!failed && driver)
            driver->conversation_->guarded([&] { driver->check_quiet(); });
    });
}

void stream_driver::check_quiet()
{
    if (at_ != phase::conversing)
        return;
    const auto now = std::chrono::steady_clock::now();
    error_code why;
    if (now >= silence_.next_look())
        why = check_silence(now);
    if (!why && now >= liveness_.next_look())
        why = check_liveness(now);
    why ? end(why) : watch_quiet();
}

// Why the session is to end for that.
error_code stream_driver::check_silence(std::chrono::steady_clock::time_point now)
{
    const live_counters& counts = conversation_->context().counters;
    // Where the framing asks whether somebody is there, bytes are no sign of work.
    const std::uint64_t moved =
        speaks_ ? counts.messages_in.get() + counts.messages_out.get() : counts.bytes_in.get() + counts.bytes_out.get();
    silence_rule::sight seen{counts.messages_in.get(), moved};
    seen.is_busy = counts.in_flight.get() != 0 || counts.waiting.get() != 0 || counts.open_calls.get() != 0 ||
                   !conversation_->out().empty();
    return silence_.look(now, seen);
}

} // namespace partyline
