#include "http/serve/connection.hpp"

#include "http/serve/http_service.hpp"
#include "http/serve/post_answer.hpp"
#include "protocol/json/byte_order_mark.hpp"

#include <exception>
#include <utility>

namespace partyline::http {

connection::connection(std::shared_ptr<http_service> of, listener::connection accepted)
    : core_(std::move(of)), channel_(std::move(accepted.stream)), peer_(std::move(accepted.peer)),
      since_(core_->note_time()), accepted_(core_->accepted(accepted.listener_number)),
      from_(reach_of(channel_.lowest_layer(), peer_))
{
}

connection::~connection() = default;

void connection::start(connection_stages& of, connection_hooks hooks)
{
    wait_readable();
    stages_ = &of;
    hooks_ = std::move(hooks);
    core_->connections().place(*this, phase::closed, phase::fresh);
}

// Whatever goes wrong here ends this connection, and no other one.
void connection::guard(void (connection::*step)()) noexcept
{
    const std::shared_ptr<connection> hold = shared_from_this();
    try {
        (this->*step)();
    } catch (...) {
        is_producing_ = is_advancing_ = false;
        core_->note_failure(std::current_exception());
        stop_at_once();
    }
}

working_set& connection::work()
{
    if (!work_)
        work_ = core_->working().take();
    return *work_;
}

// Nothing has come that was not taken, and all is sent.
void connection::rest() noexcept
{
    core_->working().give_back(std::move(work_));
}

void connection::enter(phase next) noexcept
{
    core_->connections().place(*this, std::exchange(at_, next), next);
    since_ = core_->now();
}

void connection::on_request()
{
    working_set& work = *work_;
    enter(phase::answering);
    last_sent_ = since_;
    has_begun_answer_ = false;
    if (known_)
        return answer(*std::exchange(known_, std::nullopt));
    record_.note_body(work.content.size());
    if (work.content.starts_with(byte_order_mark))
        work.content.erase(0, byte_order_mark.size());
    forget_body(); // the conversation counts it from now on
    const request_head& head = work.head.head();
    request asked{head, std::exchange(work.content, {}), accepted_by(head), style_, came_from()};
    endpoint::answer by = core_->serve(std::move(asked), kept_, *this);
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

void connection::begin_answer(int status, response_style& style) noexcept
{
    has_begun_answer_ = true;
    closes_ = closes_ || core_->is_draining();
    style.closes = closes_;
    record_.note_status(status);
}

void connection::answer(response known)
{
    closes_ = closes_ || known.closes;
    begin_answer(known.status, style_);
    byte_buffer& out = work().out;
    append_head(out, {known.status, known.type, known.body.size(), known.fields, core_->date()}, style_);
    if (!style_.is_for_head)
        out.append(known.body);
    finish_request();
}

// What the client sends next can't be told from this request.
void connection::answer_and_close(response known)
{
    enter(phase::answering);
    last_sent_ = since_;
    closes_ = true;
    answer(std::move(known));
}

// It is not known any more what the request is answered by, or will not be.
void connection::break_off(response known)
{
    known_.reset();
    if (!has_head_)
        style_ = {};
    if (const std::shared_ptr<exchange> from = std::exchange(exchange_, nullptr))
        from->on_client_gone();
    answer_and_close(std::move(known));
}

void connection::refuse_late()
{
    break_off(busy());
}

// The answer is the last word of HTTP.
void connection::answer_upgrade(upgrade to)
{
    upgrade_ = std::make_unique<upgrade>(std::move(to));
    append_upgrade_head(work_->out, upgrade_->fields + style_.fields, core_->date());
    record_.note_status(101);
    closes_ = true;
    finish_request();
}

void connection::flush()
{
    if (at_ == phase::answering && exchange_ && !is_writing_ && !is_producing_)
        guard(&connection::produce);
}

// Asks for what is to be sent, as long as the client takes it.
void connection::produce()
{
    const std::shared_ptr<exchange> from = exchange_;
    exchange::progress how = exchange::progress::more;
    while (how == exchange::progress::more && at_ == phase::answering && !is_writing_) {
        is_producing_ = true;
        how = from->produce(work().out);
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
    working_set& work = this->work();
    record_.end(work.unsent().size());
    forget_body();
    has_head_ = false;
    work.begin_head();
    work.forget_taken();
    enter(closes_ ? phase::finishing : phase::receiving);
    advance();
}

void connection::close_in_order()
{
    if (!exchange_)
        return;
    const std::shared_ptr<connection> hold = shared_from_this();
    closes_ = closes_ || exchange_->is_event_stream();
    exchange_->drain();
}

void connection::give_up() noexcept
{
    const bool is_asked = at_ == phase::receiving ? !is_writing_ : at_ == phase::answering && !has_begun_answer_;
    if (is_asked)
        guard(&connection::refuse_late);
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
        record_.end(0);
    }
    kept_.drop();
    forget_body();
    error_code ignored;
    channel_.close(ignored);
    rest();
    if (hooks_.on_end)
        core_->post_end(std::exchange(hooks_.on_end, nullptr));
}

} // namespace partyline::http
