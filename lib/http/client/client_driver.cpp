#include "http/client/client_driver.hpp"

#include "session/persistent_post.hpp"

#include <partyline/protocol/framing.hpp>
#include <partyline/session/log.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <exception>
#include <utility>

namespace asio = boost::asio;

namespace partyline::http {
namespace {

// The outlets hold one message a line; no message has a line break.
message_bracket& lines()
{
    struct line final : message_bracket {
        void begin_message(byte_buffer&) override {}
        void end_message(byte_buffer& out) override { out.push_back('\n'); }
    };
    static line one;
    return one;
}

std::vector<field_text> fields_of_all(const connection_options& how)
{
    std::vector<field_text> all = {{"Content-Type", "application/json"},
                                   {"Accept", "application/json, text/event-stream"}};
    all.insert(all.end(), how.fields.begin(), how.fields.end());
    return all;
}

} // namespace

client_driver::client_driver(asio::any_io_executor serial, url to, connection_options how,
                             std::unique_ptr<exchange_protocol> speaks, std::shared_ptr<const dispatcher> methods,
                             session_options options)
    : executor_(std::move(serial)), pool_(executor_, std::move(to), how), tokens_(how.tokens),
      protocol_(std::move(speaks)), fields_(fields_of_all(how)), secrets_(secrets_of(fields_)), reader_(options.bounds),
      life_(executor_), room_(executor_)
{
    auto frames = std::make_unique<line_framing>(options.bounds);
    conversation_ =
        std::make_shared<conversation>(executor_, std::move(methods), std::move(options), std::move(frames));
    conversation_->context().calling.are_posted = true;
    conversation_->attach(*this);
    answers_ = &conversation_->open_outlet(lines(), static_cast<outlet::user&>(*this));
}

client_driver::~client_driver()
{
    conversation_->detach();
}

void client_driver::start(completion<error_code> done)
{
    if (at_ != phase::created) {
        const bool is_running = done_ && at_ != phase::complete;
        const auto told = std::make_shared<completion<error_code>>(std::move(done));
        return (*told)(told, is_running ? errc::already_started : errc::session_closed);
    }
    at_ = phase::running;
    done_.emplace(std::move(done));
    done_->on_cancel([self = weak_from_this()] {
        if (const auto driver = self.lock())
            driver->stop(asio::error::operation_aborted);
    });
    conversation_->guarded([this] {
        life_.start(shared_from_this());
        conversation_->begin();
        start_listening();
    });
    conversation_->drive(); // sends what was said before
}

void client_driver::start_listening()
{
    asio::co_spawn(
        executor_, [self = shared_from_this()] { return self->protocol_->listen(self); },
        asio::bind_cancellation_slot(stop_listening_.slot(), [self = shared_from_this()](std::exception_ptr) {}));
}

void client_driver::stop(error_code result)
{
    // Posted also when it comes from a handler: that one is not to be cancelled while it runs.
    post_persistently(executor_, [self = shared_from_this(), result] {
        error_code why = result;
        if (why == asio::error::operation_aborted)
            why = errc::session_closed;
        self->conversation_->guarded([&] { self->conversation_->stop(result, {why, {}, true}); });
    });
}

void client_driver::close_by(void (conversation::*how)())
{
    post_persistently(executor_, [self = shared_from_this(), how] {
        self->conversation_->guarded([&] { ((*self->conversation_).*how)(); });
        self->conversation_->drive();
    });
}

void client_driver::launch(const std::shared_ptr<outgoing_message>& message, error_code failed)
{
    if (!conversation_->prepare(message, failed))
        return;
    asio::post(executor_, [self = shared_from_this(), message] { self->conversation_->start_call(message, nullptr); });
}

void client_driver::use_methods(std::shared_ptr<const dispatcher> methods)
{
    asio::post(executor_, [self = shared_from_this(), methods = std::move(methods)]() mutable {
        self->conversation_->guarded([&] { self->conversation_->use_methods(std::move(methods)); });
    });
}

void client_driver::use_access(std::shared_ptr<const access_view> view)
{
    asio::post(executor_, [self = shared_from_this(), view = std::move(view)]() mutable {
        self->conversation_->use_access(std::move(view));
    });
}

void client_driver::use_quota(std::shared_ptr<request_quota> quota)
{
    asio::post(executor_, [self = shared_from_this(), quota = std::move(quota)]() mutable {
        self->conversation_->use_quota(std::move(quota));
    });
}

// Replies have places of their own, since the server waits for them. While these are taken, its requests are not read.
void client_driver::flush()
{
    const bool is_said = at_ == phase::running || (at_ == phase::closing && !result_);
    if (!is_said)
        return;
    take_from(*answers_, 2 * max_exchanges);
    take_from(conversation_->out(), max_exchanges);
}

void client_driver::take_from(outlet& box, std::size_t most)
{
    while (exchanges_.size() < most && (!ahead_ || &box == answers_)) {
        const std::string_view unsent = box.unsent();
        if (unsent.empty())
            return;
        const std::size_t size = unsent.find('\n');
        std::string text(unsent.substr(0, size));
        box.sent(size + 1);
        room_.set();
        post(std::move(text));
    }
}

void client_driver::post(std::string text)
{
    posted_message sent = read(std::move(text));
    const bool is_posted = protocol_->is_posted(sent);
    if (sent.type == message_type::notification) // it may be a cancel
        abort_unwanted();
    if (!is_posted)
        return;
    const auto one = std::make_shared<client_exchange>(shared_from_this(), std::move(sent));
    exchanges_.push_back(*one);
    if (protocol_->goes_ahead(one->sent()))
        ahead_ = one.get();
    one->start();
}

posted_message client_driver::read(std::string text)
{
    posted_message sent;
    sent.text = std::move(text);
    const message& m = reader_.read(sent.text);
    sent.type = m.type;
    sent.method = m.method;
    if (m.type == message_type::request) {
        sent.ids.emplace_back(m.id);
        sent.proof = conversation_->proof_beside_call(m.id);
    }
    if (m.type != message_type::batch)
        return sent;
    for (const std::string_view element : reader_.elements()) {
        const message& each = reader_.read_element(element);
        if (each.type == message_type::request)
            sent.ids.emplace_back(each.id);
    }
    return sent;
}

// The answers to calls that were cancelled or have timed out are not read any further.
void client_driver::abort_unwanted()
{
    for (auto next = exchanges_.begin(); next != exchanges_.end();) {
        client_exchange& one = *next++;
        if (one.sent().asks() && !is_wanted(one.sent()))
            one.abort();
    }
}

std::vector<field_text> client_driver::fields_for(const posted_message& sent) const
{
    std::vector<field_text> all = fields_;
    for (field_text& one : protocol_->fields_for(sent))
        all.push_back(std::move(one));
    if (!sent.proof.empty())
        all.push_back({"Partyline-Proof", sent.proof});
    return all;
}

client_request client_driver::request_for(std::string method, std::vector<field_text> fields) const
{
    client_request request;
    request.method = std::move(method);
    request.target = server().target;
    request.fields = std::move(fields);
    request.secrets = secrets_;
    return request;
}

std::string client_driver::addressed_to(const posted_message& refused, std::string body)
{
    const message& m = reader_.read(body);
    const bool is_about_it =
        m.id == "null" || (protocol_->takes_refusals_of_any_id() && !conversation_->is_open_call(m.id));
    if (m.type != message_type::reply || !m.is_error || !is_about_it || refused.type != message_type::request)
        return body;
    return R"({"jsonrpc":"2.0","id":)" + refused.ids.front() + R"(,"error":)" + std::string(m.outcome.text()) + '}';
}

client_driver::body_facts client_driver::look_at(std::string_view body)
{
    const message& m = reader_.read(body);
    return {m.type != message_type::bad, m.type == message_type::reply && !m.id.empty() && m.id != "null"};
}

bool client_driver::is_wanted(const posted_message& sent) const
{
    return std::any_of(sent.ids.begin(), sent.ids.end(),
                       [&](const std::string& id) { return conversation_->is_open_call(id); });
}

asio::awaitable<bool> client_driver::take(const posted_message& answered, std::string text)
{
    if (answered.asks())
        protocol_->on_message(answered, text);
    const bool needs_slot = !conversation_->has_slot_for(text.size()) && runs_handlers(text);
    while (needs_slot && !conversation_->has_slot_for(text.size()) && !has_ended())
        co_await wait_for_room();
    for (error_code failed; (failed = conversation_->push(*answers_, text)); co_await wait_for_room()) {
        if (failed != errc::overloaded || has_ended())
            co_return false;
    }
    // An answer that is there at once is pushed within the turn that has sent the request, and taken in the next one.
    // Until then the call has no reply, and must not be failed for that.
    while (conversation_->has_untaken() && !has_ended())
        co_await wait_for_room();
    co_return true;
}

// Replies never wait for a slot: handlers that hold one may be waiting for them.
bool client_driver::runs_handlers(std::string_view text)
{
    const auto is_it = [](const message& m) {
        return m.type == message_type::request || m.type == message_type::notification;
    };
    const message& m = reader_.read(text);
    if (m.type != message_type::batch)
        return is_it(m);
    const auto elements = reader_.elements();
    return std::any_of(elements.begin(), elements.end(),
                       [&](std::string_view element) { return is_it(reader_.read_element(element)); });
}

asio::awaitable<void> client_driver::wait_for_room()
{
    room_.reset();
    auto waiting = room_.async_wait(asio::as_tuple(asio::use_awaitable));
    co_await std::move(waiting);
}

void client_driver::note_taken(const client_exchange& one) noexcept
{
    if (ahead_ != &one)
        return;
    ahead_ = nullptr;
    conversation_->drive();
}

void client_driver::forget(client_exchange& one) noexcept
{
    unlink(one);
    conversation_->drive(); // there is a place for another one
    if (at_ == phase::closing)
        go_on_closing();
}

void client_driver::unlink(client_exchange& one) noexcept
{
    if (ahead_ == &one)
        ahead_ = nullptr;
    if (one.is_linked())
        exchanges_.erase(exchanges_.iterator_to(one));
}

void client_driver::resume_reading()
{
    room_.set();
}

void client_driver::log(std::string_view line) const noexcept
{
    write_log(conversation_->context().options.log, line);
}

} // namespace partyline::http
