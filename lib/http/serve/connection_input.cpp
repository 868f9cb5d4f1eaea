// What comes over a connection.

#include "http/serve/connection.hpp"
#include "http/serve/http_service.hpp"
#include "http/serve/post_answer.hpp"

#include <partyline/protocol/error.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>

#include <utility>

namespace asio = boost::asio;

namespace partyline::http {
namespace {

constexpr std::size_t read_at_once = std::size_t(16) << 10;
// So much of later requests is read while one is answered; the rest stays with the system.
constexpr std::size_t most_ahead = std::size_t(64) << 10;
// So much of a body that nobody wants is read for the sake of the connection.
constexpr std::uint64_t most_discarded = std::uint64_t(64) << 10;

} // namespace

void connection::wait_readable()
{
    const bool is_far_ahead = at_ != phase::receiving && work_ && work_->untaken().size() >= most_ahead;
    if (is_waiting_ || at_ == phase::closed || is_far_ahead)
        return;
    channel_.async_wait(socket_channel::wait_read, [self = shared_from_this()](error_code) {
        self->is_waiting_ = false;
        self->core_->note_time();
        if (self->at_ != phase::closed)
            self->guard(self->at_ == phase::lingering ? &connection::discard_input : &connection::read);
    });
    is_waiting_ = true;
}

void connection::read()
{
    error_code failed;
    byte_buffer& in = work().in;
    const std::size_t count = channel_.read_some(asio::buffer(in.prepare(read_at_once), read_at_once), failed);
    in.commit(count);
    if (at_ == phase::handshaking)
        note_handshake(failed);
    if (failed == errc::no_data)
        core_->note_tls_failed("a TLS connection", peer_, failed);
    if (failed && failed != asio::error::would_block)
        return stop_at_once(); // also at the end of input: whoever asks by HTTP reads the answer before
    if (count != 0 && at_ == phase::fresh)
        return open();
    if (at_ == phase::idle && has_request_begun())
        enter(phase::receiving);
    if (at_ == phase::receiving)
        return advance();
    if (work_->untaken().empty() && work_->unsent().empty())
        rest(); // there was nothing
    wait_readable();
}

// Takes every request that is complete, unless an answer is awaited or can't be sent now.
void connection::advance()
{
    if (std::exchange(is_advancing_, true))
        return;
    while (at_ == phase::receiving && !is_writing_ && take_request()) {
        if (at_ != phase::closed && work_->unsent().size() >= exchange::most_at_once)
            write();
    }
    is_advancing_ = false;
    settle();
}

// False: more has to come first.
bool connection::take_request()
{
    if (!has_head_ && !take_head())
        return false;
    if (at_ == phase::receiving && !take_body())
        return false;
    if (at_ == phase::receiving)
        on_request();
    return true;
}

bool connection::take_head()
{
    working_set& work = *work_;
    if (work.untaken().empty())
        return false;
    switch (work.head.read(work.untaken())) {
    case head_reader::state::more:
        if (!work.head.has_begun())
            skip_empty_lines();
        return false;
    case head_reader::state::refused:
        style_ = {};
        record_.begin(core_->log(), {}, peer_);
        answer_and_close(refuse(work.head.why().status, error_codes::invalid_request, work.head.why().reason));
        return true;
    case head_reader::state::done: break;
    }
    has_head_ = true;
    on_head();
    return true;
}

// Whether more has come than empty lines: these do not put off the time limit of an idle connection.
bool connection::has_request_begun() noexcept
{
    constexpr std::string_view line_end = "\r\n";
    working_set& work = *work_;
    while (work.untaken().starts_with(line_end))
        work.taken += line_end.size();
    work.forget_taken();
    return !line_end.starts_with(work.untaken());
}

// No request has begun with them.
void connection::skip_empty_lines() noexcept
{
    work_->taken += work_->head.size();
    work_->begin_head();
    work_->forget_taken();
}

void connection::on_head()
{
    working_set& work = *work_;
    const request_head& head = work.head.head();
    enter(phase::receiving);
    style_ = {};
    style_.is_for_http_1_0 = head.is_http_1_0;
    style_.is_for_head = head.method == "HEAD";
    const bool is_last = ++requests_ >= core_->options().requests.requests_per_connection;
    closes_ = !head.keeps_alive || is_last;
    record_.begin(core_->log(), head, peer_);
    work.taken += work.head.size();
    known_ = core_->check_head(head, from_, style_);
    work.body.start(head);
    if (work.body.current() == body_reader::state::refused && !known_)
        known_ = refuse(work.body.why().status, error_codes::invalid_request, work.body.why().reason);
    if (known_)
        refuse_body();
    else if (head.expects_continue && work.body.current() == body_reader::state::more && work.untaken().empty())
        work.out.append("HTTP/1.1 100 Continue\r\n\r\n");
}

// The answer is known before the body has come: a short one is read for nothing, so that the connection may go on.
void connection::refuse_body()
{
    const request_head& head = work_->head.head();
    const bool is_short = head.body == body_kind::length && head.content_length <= most_discarded;
    if (head.body != body_kind::none && (!is_short || head.expects_continue))
        answer_and_close(*std::exchange(known_, std::nullopt));
}

// False: more has to come first.
bool connection::take_body()
{
    working_set& work = *work_;
    if (work.body.current() == body_reader::state::done)
        return true;
    std::size_t used = 0;
    const body_reader::state now = work.body.read(work.untaken(), used, work.content);
    if (now == body_reader::state::more)
        work.keep_head();
    work.taken += used;
    work.forget_taken();
    if (known_)
        work.content.clear();
    if (now == body_reader::state::refused)
        answer_and_close(refuse(work.body.why().status, error_codes::invalid_request, work.body.why().reason));
    else if (!has_room_for_body())
        answer_and_close(busy());
    return at_ != phase::receiving || now != body_reader::state::more;
}

// What all bodies under way take counts with what conversations hold. Small ones are read whatever the others take.
bool connection::has_room_for_body() noexcept
{
    memory_budget* const all = core_->options().session.budget.get();
    if (!all)
        return true;
    const std::size_t size = work_->content.size();
    if (size > counted_)
        all->add(size - counted_);
    else
        all->sub(counted_ - size);
    counted_ = size;
    return size <= memory_budget::always || !all->is_used_up();
}

void connection::forget_body() noexcept
{
    if (counted_ != 0)
        core_->options().session.budget->sub(std::exchange(counted_, 0));
}

} // namespace partyline::http
