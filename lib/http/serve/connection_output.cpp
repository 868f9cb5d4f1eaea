// What goes out over a connection, and how long its client takes.

#include "http/serve/connection.hpp"
#include "http/serve/post_answer.hpp"
#include "session/use_grant.hpp"

#include <partyline/protocol/error.hpp>
#include <partyline/transport/detail/peer_state.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>

#include <string>
#include <utility>

namespace asio = boost::asio;

namespace partyline::http {
namespace {

using namespace std::chrono_literals;

// For the client to read the last answer, and to end its side.
constexpr auto linger_time = 2s;
constexpr std::size_t kept_bytes = std::size_t(128) << 10;

// By what has come of a body.
std::chrono::seconds earned_time(const time_limits& most, std::size_t bytes) noexcept
{
    return most.body_bytes_per_second == 0 ? 0s : std::chrono::seconds(bytes / most.body_bytes_per_second);
}

// The request did not come in time.
response late()
{
    return refuse(408, error_codes::invalid_request, "the request took too long to come");
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
        request_.record().note_sent(count);
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
            self->guard([&] { self->on_writable(); });
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
        return upgrade_ ? hand_on() : linger();
    if (at_ == phase::receiving && !request_.has_head() && work_->untaken().empty()) {
        enter(phase::idle);
        core_->idle().add(kept_, core_->now());
    }
    const bool waits = at_ == phase::idle || (at_ == phase::answering && exchange_);
    if (waits && work_ && work_->untaken().empty())
        work_.give_back();
    wait_readable();
}

// The answer is sent, and what has come and was not taken is for the next stage.
void connection::hand_on()
{
    const std::unique_ptr<upgrade> to = std::move(upgrade_);
    const std::string untaken(work_->untaken());
    enter(phase::closed);
    kept_.drop();
    work_.give_back();
    exit_.hand_on(*core_, [&] { return to->serve(std::move(channel_).with_first(untaken), exit_.on_end()); });
}

// Closed at once, a connection loses its last answer where something has come that was not read.
void connection::linger()
{
    error_code ignored;
    channel_.shutdown(socket_channel::shutdown_send, ignored);
    enter(phase::lingering);
    kept_.drop();
    work_.give_back();
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
    return core_->has_drained(since_, now) || now - since_ > core_->options().times.idle;
}

void connection::on_tick(clock::time_point now)
{
    const time_limits& most = core_->options().times;
    const clock::duration taken = now - since_;
    switch (at_) {
    case phase::receiving:
        if (is_writing_)
            return check_writing(now);
        if (request_.has_head() ? taken - earned_time(most, work_->content.size()) > most.body : taken > most.head)
            guard([&] { break_off(late()); });
        return;
    case phase::answering:
        if (has_lost_client())
            return stop_at_once();
        if (request_.grant() && exchange_ && exchange_->is_event_stream()) [[unlikely]]
            guard([&] { renew_access(); });
        return check_writing(now);
    case phase::finishing: return check_writing(now);
    case phase::lingering:
        if (taken > linger_time)
            stop_at_once();
        return;
    default: return;
    }
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
        guard([&] { comment(); });
}

// A stream goes on as long as the grant that its request came with.
void connection::renew_access()
{
    const std::shared_ptr<const access_grant> known = request_.grant();
    const authentication again = renew_same_peer(*core_->options().access, known, std::chrono::system_clock::now());
    if (again.outcome != authentication_outcome::admitted) {
        const std::shared_ptr<exchange> ended = exchange_; // which this connection lets go of meanwhile
        request_.style().closes = true;
        return ended->end_stream();
    }
    if (again.grant == known)
        return;
    request_.use_grant(again.grant);
    exchange_->follow_grant(*known, *again.grant);
}

void connection::comment()
{
    exchange_->write_comment(work_.take().out);
    write();
}

} // namespace partyline::http
