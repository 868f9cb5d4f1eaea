#include "http/serve/connection.hpp"

#include "http/serve/post_answer.hpp"

#include <boost/asio/error.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace asio = boost::asio;

namespace partyline::http {
namespace {

// So much of later requests is read while one is answered; the rest stays with the system.
constexpr std::size_t most_ahead = std::size_t(64) << 10;

} // namespace

connection::connection(std::shared_ptr<http_service> of, opened_connection opened, stage_exit exit)
    : core_(std::move(of)), channel_(std::move(opened.channel)), exit_(std::move(exit)), work_(std::move(opened.work)),
      request_(*core_, std::move(opened.peer), opened.requests), since_(core_->now())
{
}

void connection::start(std::optional<response> refusal) noexcept
{
    if (at_ == phase::closed)
        return;
    core_->connections().place(*this, timed_connections::state::busy);
    guard([&] {
        if (!refusal)
            return advance();
        request_.begin_unread();
        answer_and_close(std::move(*refusal));
    });
}

void connection::enter(phase next) noexcept
{
    using state = timed_connections::state;
    at_ = next;
    since_ = core_->now();
    if (next == phase::closed)
        core_->connections().remove(*this);
    else
        core_->connections().place(*this, next == phase::idle ? state::waits_for_request : state::busy);
}

void connection::wait_readable()
{
    const bool is_far_ahead = at_ != phase::receiving && work_ && work_->untaken().size() >= most_ahead;
    if (is_waiting_ || at_ == phase::closed || is_far_ahead)
        return;
    channel_.async_wait(socket_channel::wait_read, [self = shared_from_this()](error_code) {
        self->is_waiting_ = false;
        self->core_->note_time();
        if (self->at_ != phase::closed)
            self->guard([&] { self->at_ == phase::lingering ? self->discard_input() : self->read(); });
    });
    is_waiting_ = true;
}

void connection::read()
{
    error_code failed;
    read_some(channel_, work_.take(), failed);
    if (failed == errc::no_data)
        core_->note_tls_failed("a TLS connection", request_.peer().identity, failed);
    if (failed && failed != asio::error::would_block)
        return stop_at_once(); // also at the end of input: whoever asks by HTTP reads the answer before
    if (at_ == phase::idle && current_request::has_begun(*work_))
        enter(phase::receiving);
    if (at_ == phase::receiving)
        return advance();
    if (work_->untaken().empty() && work_->unsent().empty())
        work_.give_back(); // there was nothing
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
    const bool had_head = request_.has_head();
    const current_request::progress now = request_.read(*work_);
    if (request_.has_head() != had_head)
        enter(phase::receiving); // the time of the body begins
    switch (now) {
    case current_request::progress::more: return false;
    case current_request::progress::elsewhere: move_to_session(); return false;
    case current_request::progress::complete: on_request(); break;
    case current_request::progress::refused: answer_and_close(*request_.take_known_answer()); break;
    }
    return true;
}

// The connection goes on where the session of its next request is, when all answers before that are sent: clients
// mostly stay with one session.
void connection::move_to_session()
{
    write();
    if (at_ == phase::closed)
        return;
    if (is_writing_)
        return work_->begin_head(); // to be read again
    const std::size_t to = core_->thread_of(work_->head.head());
    moved_connection one{std::move(channel_), request_.peer(), std::string(work_->untaken()), request_.number(), {}};
    enter(phase::closed);
    kept_.drop();
    work_.give_back();
    exit_.move_on(*core_, to, std::move(one));
}

void connection::on_request()
{
    enter(phase::answering);
    last_sent_ = since_;
    has_begun_answer_ = false;
    if (std::optional<response> known = request_.take_known_answer())
        return answer(std::move(*known));
    endpoint::answer by = core_->serve(request_.take(*work_), kept_, *this);
    if (at_ != phase::answering)
        return;
    if (response* const known = std::get_if<response>(&by))
        return answer(std::move(*known));
    if (upgrade* const next = std::get_if<upgrade>(&by))
        return answer_upgrade(std::move(*next));
    exchange_ = std::move(std::get<std::shared_ptr<exchange>>(by));
    if (core_->is_draining())
        exchange_->drain(); // which may have had it answered
    if (exchange_)
        produce();
}

// What has come of later requests is answered before the connection ends.
bool connection::has_more() const noexcept
{
    return work_ && work_->untaken().find_first_not_of("\r\n") != std::string_view::npos;
}

void connection::begin_answer(int status, response_style& style) noexcept
{
    has_begun_answer_ = true;
    bool& closes = request_.style().closes;
    closes = closes || (core_->is_ending() && !has_more());
    style.closes = closes;
    request_.record().note_status(status);
}

void connection::answer(response known)
{
    response_style& style = request_.style();
    style.closes = style.closes || known.closes;
    begin_answer(known.status, style);
    byte_buffer& out = work_.take().out;
    append_head(out, {known.status, known.type, known.body.size(), known.fields, core_->date()}, style);
    if (!style.is_for_head)
        out.append(known.body);
    finish_request();
}

// What the client sends next can't be told from this request.
void connection::answer_and_close(response known)
{
    enter(phase::answering);
    last_sent_ = since_;
    request_.style().closes = true;
    answer(std::move(known));
}

// It is not known any more what the request is answered by, or will not be.
void connection::break_off(response known)
{
    request_.break_off();
    if (const std::shared_ptr<exchange> from = std::exchange(exchange_, nullptr))
        from->on_client_gone();
    answer_and_close(std::move(known));
}

// The answer is the last word of HTTP.
void connection::answer_upgrade(upgrade to)
{
    upgrade_ = std::make_unique<upgrade>(std::move(to));
    append_upgrade_head(work_->out, upgrade_->fields + request_.style().fields, core_->date());
    request_.record().note_status(101);
    request_.style().closes = true;
    finish_request();
}

void connection::flush()
{
    if (at_ == phase::answering && exchange_ && !is_writing_ && !is_producing_)
        guard([&] { produce(); });
}

// Asks for what is to be sent, as long as the client takes it.
void connection::produce()
{
    const std::shared_ptr<exchange> from = exchange_;
    exchange::progress how = exchange::progress::more;
    while (how == exchange::progress::more && at_ == phase::answering && !is_writing_) {
        is_producing_ = true;
        how = from->produce(work_.take().out);
        is_producing_ = false;
        if (how == exchange::progress::more)
            write();
    }
    if (how == exchange::progress::done && at_ == phase::answering)
        return finish_request();
    settle();
}

void connection::finish_request()
{
    exchange_.reset();
    request_.end(work_.take());
    enter(request_.style().closes ? phase::finishing : phase::receiving);
    advance();
}

void connection::close_in_order()
{
    if (!exchange_)
        return;
    const std::shared_ptr<connection> hold = shared_from_this();
    bool& closes = request_.style().closes;
    closes = closes || exchange_->is_event_stream();
    exchange_->drain();
}

void connection::give_up() noexcept
{
    const bool is_asked = at_ == phase::receiving ? !is_writing_ : at_ == phase::answering && !has_begun_answer_;
    if (is_asked)
        guard([&] { break_off(busy()); });
    else if (at_ != phase::lingering) // its client has a moment to read the answer
        stop_at_once();
}

void connection::stop_at_once() noexcept
{
    if (at_ == phase::closed)
        return;
    const std::shared_ptr<connection> hold = shared_from_this();
    if (at_ == phase::idle && channel_.layer())
        channel_.layer()->close_send(); // nothing was cut off
    enter(phase::closed);
    if (const std::shared_ptr<exchange> from = std::exchange(exchange_, nullptr)) {
        from->on_client_gone();
        request_.record().end(0);
    }
    kept_.drop();
    request_.forget_body();
    error_code ignored;
    channel_.close(ignored);
    work_.give_back();
    exit_.end(*core_);
}

} // namespace partyline::http
