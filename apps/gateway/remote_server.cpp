#include "gateway/remote_server.hpp"

#include "gateway/remote_message.hpp"

#include <partyline/protocol/error.hpp>
#include <partyline/run_stdio.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/system/system_error.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
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

constexpr int not_found = 404;
constexpr auto first_pause = std::chrono::milliseconds(1000);
constexpr auto longest_pause = std::chrono::milliseconds(30000);

rpc_error no_answer(const std::string& why)
{
    return {partyline::error_codes::internal_error, "The server did not answer", json::object{{"reason", why}}};
}

rpc_error error_in(const partyline::message& m)
{
    const json::value said = m.outcome.to_value();
    const json::object* const members = said.if_object();
    const json::value* const code = members ? members->if_contains("code") : nullptr;
    const json::value* const text = members ? members->if_contains("message") : nullptr;
    if (!code || !code->is_int64() || !text || !text->is_string())
        return no_answer("its error is none: " + std::string(m.outcome.text().substr(0, 200)));
    const json::value* const data = members->if_contains("data");
    return {static_cast<int>(code->get_int64()), std::string(text->get_string()),
            data ? std::optional<json::value>(*data) : std::nullopt};
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

remote_server::remote_server(http_url at) : url_(std::move(at))
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

field_list remote_server::fields_for(const std::string& method, const json_text& params) const
{
    field_list fields = modern_fields(method, params);
    if (fields.empty()) {
        if (!session_.empty())
            fields.emplace_back("Mcp-Session-Id", session_);
        if (!revision_.empty())
            fields.emplace_back("MCP-Protocol-Version", revision_);
    }
    fields.emplace_back("Content-Type", "application/json");
    fields.emplace_back("Accept", "application/json, text/event-stream");
    return fields;
}

asio::awaitable<json_text> remote_server::forward(request_context& context, json_text params)
{
    const std::string method(context.method());
    if (!context.id().empty()) {
        json_text result = co_await request(context, method, params);
        co_return result;
    }
    is_initialized_ = is_initialized_ || method == "notifications/initialized";
    co_await tell(context.get_executor(), message_text({}, method, params), fields_for(method, params));
    if (is_initialized_ && !session_.empty() && !std::exchange(is_listening_, true))
        asio::co_spawn(
            context.get_executor(),
            [self = shared_from_this(), executor = context.get_executor()] { return self->listen(executor); },
            asio::detached);
    co_return json_text();
}

asio::awaitable<void> remote_server::tell(asio::any_io_executor executor, std::string text, field_list fields)
{
    http_call call(executor, url_);
    co_await call.send("POST", std::move(fields), std::move(text));
}

void remote_server::send_later(const asio::any_io_executor& executor, std::string text)
{
    asio::co_spawn(
        executor,
        [self = shared_from_this(), executor, text = std::move(text)] {
            return self->tell(executor, text, self->fields_for({}, json_text()));
        },
        asio::detached);
}

asio::awaitable<json_text> remote_server::request(request_context& context, const std::string& method,
                                                  const json_text& params)
{
    const std::string text = message_text(context.id().text(), method, params);
    const bool is_modern = !modern_fields(method, params).empty();
    if (method == "initialize") {
        session_.clear();
        revision_.clear();
        greeting_ = params;
    }
    std::string failure;
    bool is_cancelled = false;
    try {
        for (int attempt = 0;; ++attempt) {
            http_call call(context.get_executor(), url_);
            field_list fields = fields_for(method, params);
            const answer_head head = co_await call.send("POST", std::move(fields), text);
            if (head.status == not_found && !is_modern && !session_.empty() && attempt == 0) {
                co_await begin_again(context.get_executor());
                continue;
            }
            if (method == "initialize")
                session_ = head.session_id;
            json_text result = co_await read_reply(context, call);
            if (method == "initialize")
                note_greeting(result);
            co_return result;
        }
    } catch (const boost::system::system_error& e) {
        is_cancelled = e.code() == asio::error::operation_aborted;
        failure = e.what();
    }
    if (!is_cancelled)
        throw no_answer(failure);
    if (!is_modern) // there the closed connection says it
        send_later(context.get_executor(),
                   message_text({}, "notifications/cancelled",
                                json_text("{\"requestId\":" + std::string(context.id().text()) + '}')));
    throw boost::system::system_error(asio::error::operation_aborted);
}

asio::awaitable<json_text> remote_server::read_reply(request_context& context, http_call& answer)
{
    partyline::message_reader reader{partyline::limits()};
    while (true) {
        const std::optional<std::string> text = co_await answer.next_message();
        if (!text)
            throw no_answer("its answer has ended before the reply");
        const partyline::message& m = reader.read(*text);
        if (m.type != message_type::reply) {
            co_await take(context, m);
            continue;
        }
        if (m.is_error)
            throw error_in(m);
        co_return json_text(std::string(m.outcome.text()));
    }
}

// What comes before the reply.
asio::awaitable<void> remote_server::take(request_context& context, const partyline::message& m)
{
    if (m.type == message_type::bad || m.type == message_type::batch)
        throw no_answer("what it says is no message");
    std::string method(m.method);
    json_text params{std::string(m.params.text())};
    if (m.type == message_type::notification) {
        co_await context.notify(std::move(method), std::move(params));
        co_return;
    }
    const std::string id(m.id);
    auto asked = context.async_call(std::move(method), std::move(params), asio::as_tuple(asio::use_awaitable));
    const auto [failed, reply] = co_await std::move(asked);
    std::string text = answer_text(id, failed, reply);
    field_list fields = fields_for({}, json_text());
    co_await tell(context.get_executor(), std::move(text), std::move(fields));
}

void remote_server::note_greeting(const json_text& result)
{
    const json::value said = result.to_value();
    const json::object* const members = said.if_object();
    const json::value* const revision = members ? members->if_contains("protocolVersion") : nullptr;
    revision_ = revision && revision->is_string() ? std::string(revision->get_string()) : std::string();
}

// The server has forgotten the session; the host need not know.
asio::awaitable<void> remote_server::begin_again(asio::any_io_executor executor)
{
    session_.clear();
    revision_.clear();
    http_call call(executor, url_);
    field_list fields = fields_for("initialize", greeting_);
    const answer_head head =
        co_await call.send("POST", std::move(fields), message_text("\"gateway\"", "initialize", greeting_));
    const std::optional<std::string> text = co_await call.next_message();
    partyline::message_reader reader{partyline::limits()};
    if (!text || reader.read(*text).type != message_type::reply)
        throw no_answer("it has forgotten the session, and begins no other one");
    session_ = head.session_id;
    const partyline::message& m = reader.read(*text);
    if (m.is_error)
        throw error_in(m);
    note_greeting(json_text(std::string(m.outcome.text())));
    if (!is_initialized_)
        co_return;
    field_list again = fields_for({}, json_text());
    co_await tell(executor, message_text({}, "notifications/initialized", json_text()), std::move(again));
}

// What the server says unasked. One that has no such stream says so by 405.
asio::awaitable<void> remote_server::listen(asio::any_io_executor executor)
{
    std::string last;
    auto pause = first_pause;
    while (true) {
        try {
            http_call call(executor, url_);
            field_list fields = fields_for({}, json_text());
            if (!last.empty())
                fields.emplace_back("Last-Event-ID", last);
            const answer_head head = co_await call.send("GET", std::move(fields), {});
            if (head.status != 200 || !head.is_event_stream)
                co_return;
            pause = first_pause;
            while (true) {
                const std::optional<std::string> text = co_await call.next_message();
                if (!text)
                    break;
                take_unasked(executor, *text);
                last = call.last_event_id();
            }
            pause = std::max(first_pause, call.retry().value_or(first_pause));
        } catch (const boost::system::system_error& e) {
            if (e.code() == asio::error::operation_aborted)
                co_return;
        }
        asio::steady_timer timer(executor, pause);
        co_await timer.async_wait(asio::use_awaitable);
        pause = std::min(2 * pause, longest_pause);
    }
}

void remote_server::take_unasked(const asio::any_io_executor& executor, const std::string& text)
{
    partyline::message_reader reader{partyline::limits()};
    const partyline::message& m = reader.read(text);
    if (!profile_.link() || (m.type != message_type::notification && m.type != message_type::request))
        return;
    profile_.link()->post([self = shared_from_this(), executor, type = m.type, id = std::string(m.id),
                           method = std::string(m.method),
                           params = json_text(std::string(m.params.text()))](partyline::live_session& host) {
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
    if (session_.empty())
        return;
    asio::io_context context(1);
    http_call call(context.get_executor(), url_);
    asio::co_spawn(context, call.send("DELETE", fields_for({}, json_text()), {}), asio::detached);
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
