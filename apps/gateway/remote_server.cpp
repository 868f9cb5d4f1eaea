#include "gateway/remote_server.hpp"

#include "gateway/remote_message.hpp"
#include "http/connections/client_failure.hpp"

#include <partyline/protocol/error.hpp>
#include <partyline/run_stdio.hpp>

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

// What has become of a request, in words for the host.
std::string words_of(const boost::system::system_error& failed)
{
    return failed.code() == partyline::errc::http_status ? partyline::http::words_of(failed) : failed.what();
}

// Until the context ends, and takes it along.
asio::awaitable<void> hold([[maybe_unused]] std::shared_ptr<remote_link> link)
{
    asio::steady_timer never(co_await asio::this_coro::executor, asio::steady_timer::time_point::max());
    co_await never.async_wait(asio::use_awaitable);
}

} // namespace

remote_server::remote_server(remote_address at) : url_(std::move(at))
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
    return fields.empty() ? session_.fields() : fields;
}

remote_link& remote_server::link(const executor_type& executor)
{
    if (const std::shared_ptr<remote_link> there = link_.lock())
        return *there;
    const auto made = std::make_shared<remote_link>(executor, url_);
    asio::co_spawn(executor, hold(made), asio::detached);
    link_ = made;
    return *made;
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
            http_call call(link(executor));
            const answer_head head = co_await call.post(fields_for(method, params), text, false);
            if (head.status < 400)
                co_return;
            failure = head.words;
            if (head.status != not_found || is_modern || session.empty() || is_again)
                break;
            call.close(); // its connection may be needed
            co_await session_.renew(link(executor), executor, std::move(session));
            if (method == "notifications/initialized")
                co_return; // which has been said again
        }
    } catch (const std::exception& e) {
        failure = e.what();
    }
    host_.log("the server did not take " + method + ": " + failure);
}

asio::awaitable<void> remote_server::send(executor_type executor, std::string text)
{
    http_call call(link(executor));
    field_list fields = fields_for(std::string(), json_text());
    co_await call.post(std::move(fields), std::move(text), false);
}

void remote_server::tell_cancelled(const executor_type& executor, const partyline::request_id& id)
{
    const json_text params("{\"requestId\":" + std::string(id.text()) + '}');
    asio::co_spawn(
        executor,
        [self = shared_from_this(), executor, text = message_text({}, "notifications/cancelled", params)] {
            return self->send(executor, text);
        },
        asio::detached);
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
            failure = words_of(e);
    } catch (const std::length_error& e) {
        failure = e.what();
    }
    if (!failure.empty())
        throw no_answer(failure);
    if (!is_modern && method != "initialize") // a modern server sees the closed connection; a handshake has no cancel
        tell_cancelled(context.get_executor(), context.id());
    throw boost::system::system_error(asio::error::operation_aborted);
}

asio::awaitable<json_text> remote_server::post(request_context& context, const std::string& method,
                                               const json_text& params, bool is_modern)
{
    const std::string text = message_text(context.id().text(), method, params);
    const executor_type executor = context.get_executor();
    for (bool is_again = false;; is_again = true) {
        std::string session = session_.id();
        http_call call(link(executor));
        const answer_head head = co_await call.post(fields_for(method, params), text, true);
        if (head.status == not_found && !is_modern && !session.empty() && !is_again) {
            call.close();
            co_await session_.renew(link(executor), executor, std::move(session));
            continue;
        }
        json_text result = co_await read_reply(context, call, head);
        if (method == "initialize")
            session_.note_begun(head.session_id, result);
        co_return result;
    }
}

asio::awaitable<json_text> remote_server::read_reply(request_context& context, http_call& answer,
                                                     const answer_head& head)
{
    partyline::message_reader reader{partyline::limits()};
    while (true) {
        const std::optional<std::string> text = co_await answer.next_message();
        if (!text)
            throw no_answer(head.status == ok ? "its answer has ended before the reply" : head.words);
        const partyline::message& m = reader.read(*text);
        if (m.type == message_type::notification) { // in order with the reply
            auto telling = context.notify(std::string(m.method), json_text(m.params));
            co_await std::move(telling);
        } else if (m.type == message_type::request) {
            co_await take(context.get_executor(), m);
        } else if (m.type != message_type::reply) {
            throw no_answer(head.status == ok ? "what it says is no message" : head.words);
        } else if (m.is_error && (m.id.empty() || m.id_key == context.id().key() || head.status != ok)) {
            throw error_in(m);
        } else if (m.id_key == context.id().key()) {
            co_return json_text(m.outcome);
        } else {
            throw no_answer("it replied to another request");
        }
    }
}

void remote_server::end_session()
{
    if (session_.id().empty())
        return;
    asio::io_context context(1);
    remote_link over(context.get_executor(), url_);
    http_call call(over);
    asio::co_spawn(context, call.remove(session_.fields()), asio::detached);
    context.run_for(1s);
}

int serve_host(const remote_address& at)
{
    const auto server = std::make_shared<remote_server>(at);
    partyline::stdio_options how;
    how.session.profile = &server->profile();
    const int code = partyline::run_stdio(remote_server::methods_of(server), std::move(how));
    server->end_session();
    return code;
}

} // namespace gateway
