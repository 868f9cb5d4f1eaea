#include "gateway/remote_server.hpp"

#include "gateway/remote_message.hpp"

#include <partyline/protocol/error.hpp>
#include <partyline/run_stdio.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/system/system_error.hpp>

#include <algorithm>
#include <chrono>
#include <optional>
#include <stdexcept>
#include <utility>

namespace asio = boost::asio;
namespace json = boost::json;
using partyline::json_text;
using partyline::message_type;
using partyline::request_context;
using partyline::rpc_error;

namespace gateway {
namespace {

using namespace std::chrono_literals;

constexpr int ok = 200;
constexpr int not_found = 404;
constexpr int not_allowed = 405;
constexpr std::chrono::milliseconds first_pause = 1s;
constexpr std::chrono::milliseconds longest_pause = 30s;

std::string named(int status)
{
    return "HTTP status " + std::to_string(status);
}

// What a host is asked, as an answer for the server.
std::string answer_text(const std::string& id, const partyline::error_code& failed, const partyline::response& reply)
{
    if (reply.has_value())
        return response_text(id, "result", reply.value().text());
    json::object error{{"code", partyline::error_codes::internal_error}, {"message", failed.message()}};
    if (const partyline::error_object* const said = reply.error()) {
        error = {{"code", said->code}, {"message", said->message}};
        if (said->data)
            error["data"] = *said->data;
    }
    return response_text(id, "error", json::serialize(error));
}

} // namespace

/// How far the stream of what the server says unasked has been read.
struct remote_server::listen_place {
    std::string session;
    std::string last; // event
    std::chrono::milliseconds pause = first_pause;
};

remote_server::remote_server(http_url at) : url_(at), session_(std::move(at))
{
    const auto pass_on = [this](request_context& context, json_text params) {
        return forward(context, std::move(params));
    };
    methods_.set_fallback(pass_on);
    partyline::method_options alone; // what comes behind it needs what it brings
    alone.exclusive = true;
    methods_.add("initialize", pass_on, alone);
    partyline::method_options in_order;
    in_order.ordered = true;
    methods_.add_notification("notifications/initialized", pass_on, in_order);
}

std::shared_ptr<const partyline::dispatcher> remote_server::methods_of(const std::shared_ptr<remote_server>& one)
{
    return {one, &one->methods_};
}

void remote_server::log(const std::string& line) const
{
    if (profile_.link())
        profile_.link()->log(line);
}

field_list remote_server::fields_for(const std::string& method, const json_text& params) const
{
    field_list fields = modern_fields(method, params);
    if (fields.empty())
        fields = session_.fields();
    for (auto& one : message_fields())
        fields.push_back(std::move(one));
    return fields;
}

asio::awaitable<json_text> remote_server::forward(request_context& context, json_text params)
{
    const std::string method(context.method());
    if (!context.id().empty()) {
        json_text result = co_await request(context, method, params);
        co_return result;
    }
    if (method == "notifications/initialized")
        session_.note_initialized();
    const executor_type executor = context.get_executor();
    co_await tell(executor, method, std::move(params));
    if (session_.is_initialized() && !session_.id().empty() && !std::exchange(is_listening_, true))
        asio::co_spawn(
            executor, [self = shared_from_this(), executor] { return self->listen(executor); }, asio::detached);
    co_return json_text();
}

// Nobody waits for an answer to it: what becomes of it is logged.
asio::awaitable<void> remote_server::tell(executor_type executor, std::string method, json_text params)
{
    std::string failure;
    try {
        const std::string text = message_text({}, method, params);
        const bool is_modern = !modern_fields(method, params).empty();
        for (bool is_again = false;; is_again = true) {
            std::string session = session_.id();
            http_call call(executor, url_);
            field_list fields = fields_for(method, params);
            const answer_head head = co_await call.send("POST", std::move(fields), text);
            if (head.status < 400)
                co_return;
            failure = named(head.status);
            if (head.status != not_found || is_modern || session.empty() || is_again)
                break;
            co_await session_.renew(executor, std::move(session));
            if (method == "notifications/initialized")
                co_return; // which has been said again
        }
    } catch (const rpc_error& e) {
        failure = e.what();
    } catch (const boost::system::system_error& e) {
        failure = e.what();
    }
    log("the server did not take " + method + ": " + failure);
}

void remote_server::send_later(const executor_type& executor, std::string text)
{
    asio::co_spawn(
        executor,
        [](std::shared_ptr<remote_server> self, executor_type on, std::string said) -> asio::awaitable<void> {
            http_call call(std::move(on), self->url_);
            field_list fields = self->fields_for({}, json_text());
            co_await call.send("POST", std::move(fields), std::move(said));
        }(shared_from_this(), executor, std::move(text)),
        [self = shared_from_this()](std::exception_ptr thrown) {
            if (thrown)
                self->log("an answer or a cancel did not reach the server");
        });
}

asio::awaitable<json_text> remote_server::request(request_context& context, const std::string& method,
                                                  const json_text& params)
{
    const bool is_modern = !modern_fields(method, params).empty();
    if (method == "initialize")
        session_.begin(params);
    std::string failure;
    try {
        json_text result = co_await post(context, method, params, is_modern);
        co_return result;
    } catch (const boost::system::system_error& e) {
        if (e.code() != asio::error::operation_aborted)
            failure = e.what();
    } catch (const std::length_error& e) {
        failure = e.what();
    }
    if (!failure.empty())
        throw no_answer(failure);
    if (!is_modern &&
        method != "initialize") // in the modern era the closed connection says it; a greeting has no cancel
        send_later(context.get_executor(),
                   message_text({}, "notifications/cancelled",
                                json_text("{\"requestId\":" + std::string(context.id().text()) + '}')));
    throw boost::system::system_error(asio::error::operation_aborted);
}

asio::awaitable<json_text> remote_server::post(request_context& context, const std::string& method,
                                               const json_text& params, bool is_modern)
{
    const std::string text = message_text(context.id().text(), method, params);
    for (bool is_again = false;; is_again = true) {
        std::string session = session_.id();
        http_call call(context.get_executor(), url_);
        field_list fields = fields_for(method, params);
        const answer_head head = co_await call.send("POST", std::move(fields), text);
        if (head.status == not_found && !is_modern && !session.empty() && !is_again) {
            co_await session_.renew(context.get_executor(), std::move(session));
            continue;
        }
        json_text result = co_await read_reply(context, call, head.status);
        if (method == "initialize")
            session_.note_begun(head.session_id, result);
        co_return result;
    }
}

asio::awaitable<json_text> remote_server::read_reply(request_context& context, http_call& answer, int status)
{
    partyline::message_reader reader{partyline::limits()};
    while (true) {
        const std::optional<std::string> text = co_await answer.next_message();
        if (!text)
            throw no_answer(status == ok ? "its answer has ended before the reply" : named(status));
        const partyline::message& m = reader.read(*text);
        if (m.type == message_type::notification) {
            auto telling = context.notify(std::string(m.method), json_text(m.params));
            co_await std::move(telling);
        } else if (m.type == message_type::request) {
            take_unasked(context.get_executor(), *text);
        } else if (m.type != message_type::reply) {
            throw no_answer(status == ok ? "what it says is no message" : named(status));
        } else if (m.is_error && (m.id.empty() || m.id_key == context.id().key() || status != ok)) {
            throw error_in(m);
        } else if (m.id_key == context.id().key()) {
            co_return json_text(m.outcome);
        } else {
            throw no_answer("it replied to another request");
        }
    }
}

// What the server says unasked. One that has no such stream says so by 405.
asio::awaitable<void> remote_server::listen(executor_type executor)
{
    listen_place at;
    while (true) {
        try {
            const bool goes_on = co_await listen_once(executor, at);
            if (!goes_on)
                co_return;
        } catch (const boost::system::system_error& e) {
            if (e.code() == asio::error::operation_aborted)
                co_return;
        } catch (const std::exception& e) {
            log(std::string("the server's own messages can not be read: ") + e.what());
        }
        asio::steady_timer timer(executor, at.pause);
        co_await timer.async_wait(asio::use_awaitable);
        at.pause = std::min(2 * at.pause, longest_pause);
    }
}

// False: there is no such stream.
asio::awaitable<bool> remote_server::listen_once(const executor_type& executor, listen_place& at)
{
    if (at.session != session_.id())
        at = {session_.id(), {}, at.pause};
    http_call call(executor, url_);
    field_list fields = session_.fields();
    fields.emplace_back("Accept", "text/event-stream");
    if (!at.last.empty())
        fields.emplace_back("Last-Event-ID", at.last);
    const answer_head head = co_await call.send("GET", std::move(fields), {});
    if (head.status == not_allowed)
        co_return false;
    if (head.status == not_found && !at.session.empty())
        co_await session_.renew(executor, at.session);
    if (head.status != ok || !head.is_event_stream)
        co_return true;
    at.pause = first_pause;
    while (true) {
        const std::optional<std::string> text = co_await call.next_message();
        if (!text)
            break;
        take_unasked(executor, *text);
        at.last = call.last_event_id();
    }
    at.last = call.last_event_id();
    at.pause = std::max(first_pause, call.retry().value_or(first_pause));
    co_return true;
}

void remote_server::take_unasked(const executor_type& executor, const std::string& text)
{
    partyline::message_reader reader{partyline::limits()};
    const partyline::message& m = reader.read(text);
    if (!profile_.link() || (m.type != message_type::notification && m.type != message_type::request))
        return;
    profile_.link()->post([self = shared_from_this(), executor, type = m.type, id = std::string(m.id),
                           method = std::string(m.method),
                           params = json_text(m.params)](partyline::live_session& host) {
        if (type == message_type::notification)
            return host.async_notify(method, params, asio::detached);
        host.async_call(method, params, partyline::call_options(),
                        [self, executor, id](partyline::error_code failed, const partyline::response& reply) {
                            self->send_later(executor, answer_text(id, failed, reply));
                        });
    });
}

void remote_server::end_session()
{
    if (session_.id().empty())
        return;
    asio::io_context context(1);
    http_call call(context.get_executor(), url_);
    asio::co_spawn(context, call.send("DELETE", session_.fields(), {}), asio::detached);
    context.run_for(1s);
}

int serve_host(const http_url& at)
{
    const auto server = std::make_shared<remote_server>(at);
    partyline::stdio_options how;
    how.session.profile = &server->profile();
    const int code = partyline::run_stdio(remote_server::methods_of(server), std::move(how));
    server->end_session();
    return code;
}

} // namespace gateway
