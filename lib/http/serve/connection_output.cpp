// What goes out over a connection, and how long its client takes.

#include "http/serve/connection.hpp"
#include "http/serve/hand_over.hpp"
#include "http/serve/http_service.hpp"

#include <partyline/protocol/error.hpp>
#include <partyline/transport/detail/peer_state.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>

#include <algorithm>
#include <utility>

namespace asio = boost::asio;

namespace partyline::http {
namespace {

using namespace std::chrono_literals;

// For the client to read the last answer, and to end its side.
constexpr auto linger_time = 2s;
// For a request that its client may have sent before it could see that the server ends.
constexpr auto last_request_time = 1s;
constexpr std::size_t kept_bytes = std::size_t(128) << 10;

// By what has come of a body.
std::chrono::seconds earned_time(const time_limits& most, std::size_t bytes) noexcept
{
    return most.body_bytes_per_second == 0 ? 0s : std::chrono::seconds(bytes / most.body_bytes_per_second);
}

} // namespace

void connection::write()
{
    working_set& work = *work_;
    while (!work.unsent().empty()) {
        error_code failed;
        const std::string_view unsent = work.unsent();
        const std::size_t count = channel_.write_some(asio::buffer(unsent.data(), unsent.size()), failed);
        if (failed == asio::error::would_block)
            return wait_writable();
        if (failed)
            return stop_at_once();
        work.sent += count;
        record_.note_sent(count);
        last_sent_ = core_->now();
    }
    work.out.clear(kept_bytes);
    work.sent = 0;
}

void connection::wait_writable()
{
    if (std::exchange(is_writing_, true))
        return;
    channel_.async_wait(socket_channel::wait_write, [self = shared_from_this()](error_code) {
        self->is_writing_ = false;
        self->core_->note_time();
        if (self->at_ != phase::closed)
            self->guard(&connection::on_writable);
    });
}

void connection::on_writable()
{
    write();
    if (is_writing_ || at_ == phase::closed)
        return;
    if (at_ == phase::answering && exchange_)
        produce();
    else if (at_ == phase::receiving)
        advance();
    else
        settle();
}

// Nothing more can be done now: what there is to be sent goes out, and the client is waited for.
void connection::settle()
{
    if (is_advancing_ || at_ == phase::closed)
        return;
    if (work_ && !is_writing_)
        write();
    if (at_ == phase::closed || is_writing_)
        return;
    if (at_ == phase::finishing)
        return upgrade_ ? hand_over(std::exchange(upgrade_, nullptr)->serve) : linger();
    if (at_ == phase::receiving && !has_head_ && work_->untaken().empty()) {
        enter(phase::idle);
        core_->idle().add(kept_, core_->now());
    }
    const bool waits = at_ == phase::idle || (at_ == phase::answering && exchange_);
    if (waits && work_ && work_->untaken().empty())
        rest();
    wait_readable();
}

// Closed at once, a connection loses its last answer where something has come that was not read.
void connection::linger()
{
    error_code ignored;
    channel_.shutdown(socket_channel::shutdown_send, ignored);
    enter(phase::lingering);
    kept_.drop();
    rest();
    wait_readable();
}

void connection::discard_input()
{
    char room[4096];
    for (int i = 0; i < 16; ++i) {
        error_code failed;
        channel_.read_some(asio::buffer(room), failed);
        if (failed == asio::error::would_block)
            break;
        if (failed)
            return stop_at_once();
    }
    wait_readable();
}

bool connection::has_waited_too_long(clock::time_point now) const noexcept
{
    const time_limits& most = core_->options().times;
    if (at_ != phase::handshaking && core_->is_draining() &&
        now - std::max(since_, core_->drains_since()) > last_request_time)
        return true;
    switch (at_) {
    case phase::fresh: return now - since_ > most.first_bytes;
    case phase::handshaking: return now - since_ > most.handshake;
    default: return now - since_ > most.idle;
    }
}

void connection::on_tick(clock::time_point now)
{
    const time_limits& most = core_->options().times;
    const clock::duration taken = now - since_;
    switch (at_) {
    case phase::receiving:
        if (is_writing_)
            return check_writing(now);
        if (has_head_ ? taken - earned_time(most, work_->content.size()) > most.body : taken > most.head)
            guard(&connection::time_out);
        return;
    case phase::answering:
        if (has_lost_client())
            return stop_at_once();
        return check_writing(now);
    case phase::finishing: return check_writing(now);
    case phase::lingering:
        if (taken > linger_time)
            stop_at_once();
        return;
    default: return;
    }
}

// The request did not come in time.
void connection::time_out()
{
    break_off(refuse(408, error_codes::invalid_request, "the request took too long to come"));
}

// Where nothing more is read, nobody else would see that it has gone: what it has sent before stands in front of the
// end.
bool connection::has_lost_client()
{
    return exchange_ && !is_waiting_ && partyline::detail::has_ended_input(channel_.lowest_layer().native_handle());
}

void connection::check_writing(clock::time_point now)
{
    if (is_writing_ && now - last_sent_ > core_->options().times.write_stall) {
        error_code ignored;
        channel_.lowest_layer().set_option(asio::socket_base::linger(true, 0),
                                           ignored); // else the system keeps what is unsent
        return stop_at_once();
    }
    if (!is_writing_ && exchange_ && exchange_->is_event_stream() && now - last_sent_ > core_->options().times.comment)
        guard(&connection::comment);
}

void connection::comment()
{
    exchange_->write_comment(work().out);
    write();
}

} // namespace partyline::http
