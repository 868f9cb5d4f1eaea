// What the server says by itself: beside the reply to a request, or in the stream for that.

#include "gateway/remote_message.hpp"
#include "gateway/remote_server.hpp"
#include "http/client/reconnect_rules.hpp"

#include <partyline/protocol/error.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/system/system_error.hpp>

#include <chrono>
#include <limits>
#include <optional>
#include <utility>

namespace asio = boost::asio;
namespace json = boost::json;
using partyline::json_text;
using partyline::message_type;

namespace gateway {
namespace {

constexpr int http_ok = 200;
constexpr int http_not_found = 404;
constexpr int http_not_allowed = 405;
constexpr std::size_t most_questions = 100;
constexpr unsigned for_ever = std::numeric_limits<unsigned>::max(); // a host may last for days

// What a host is asked, as an answer for the server.
std::string answer_text(const std::string& id, const partyline::response& reply)
{
    if (reply.has_value())
        return response_text(id, "result", reply.value().text());
    json::object error{{"code", partyline::error_codes::internal_error}, {"message", reply.code().message()}};
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
    bool has_begun = false;
    std::optional<std::chrono::milliseconds> retry; // that the server has asked for
    partyline::http::reconnect_rules pauses{partyline::http::random_part, for_ever};
};

// What the server says unasked. One that has no such stream says so by 405, or some by 404.
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
            host_.log(std::string("the server's own messages can not be read: ") + e.what());
        }
        asio::steady_timer timer(executor, *at.pauses.on_end(std::exchange(at.retry, std::nullopt)));
        co_await timer.async_wait(asio::use_awaitable);
    }
}

// False: there is no such stream.
asio::awaitable<bool> remote_server::listen_once(const executor_type& executor, listen_place& at)
{
    if (at.session != session_.id()) {
        at.session = session_.id();
        at.last.clear();
        at.has_begun = false;
    }
    http_call call(link(executor));
    field_list fields = session_.fields();
    fields.emplace_back("Accept", "text/event-stream");
    if (!at.last.empty())
        fields.emplace_back("Last-Event-ID", at.last);
    const answer_head head = co_await call.get(std::move(fields));
    if (head.status == http_not_allowed)
        co_return false;
    if (head.status == http_not_found) { // of the session, where there was such a stream before
        if (!at.has_begun || at.session.empty())
            co_return false;
        call.close();
        co_await session_.renew(link(executor), executor, at.session);
    }
    if (head.status != http_ok || !head.is_event_stream)
        co_return true;
    at.has_begun = true;
    partyline::message_reader reader{partyline::limits()};
    while (true) {
        const std::optional<std::string> text = co_await call.next_message();
        if (!text)
            break;
        at.pauses.on_event();
        co_await take(executor, reader.read(*text));
        at.last = call.last_event_id();
    }
    at.last = call.last_event_id();
    at.retry = call.retry();
    co_return true;
}

asio::awaitable<void> remote_server::take(const executor_type& executor, const partyline::message& m)
{
    if (m.type != message_type::notification && m.type != message_type::request)
        co_return;
    std::string method(m.method);
    json_text params(m.params);
    if (m.type == message_type::notification) {
        co_await host_.tell(std::move(method), std::move(params));
        co_return;
    }
    auto answering = answer(executor, std::string(m.id), std::move(method), std::move(params));
    if (questions_ >= most_questions) { // it says no more until this one is answered
        co_await std::move(answering);
        co_return;
    }
    asio::co_spawn(executor, std::move(answering), asio::detached);
    co_await asio::post(executor, asio::use_awaitable); // it is asked before what comes behind it is told
}

asio::awaitable<void> remote_server::answer(executor_type executor, std::string id, std::string method,
                                            json_text params)
{
    const auto self = shared_from_this();
    struct counted {
        explicit counted(std::size_t& of) : count(of) { ++count; }
        ~counted() { --count; }
        std::size_t& count;
    } const open(questions_);
    const partyline::response reply = co_await host_.ask(std::move(method), std::move(params));
    std::string text = answer_text(id, reply);
    try {
        co_await send(std::move(executor), std::move(text));
    } catch (const boost::system::system_error& e) {
        host_.log(std::string("an answer did not reach the server: ") + e.what());
    }
}

} // namespace gateway
