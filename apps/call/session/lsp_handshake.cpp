#include "lsp_handshake.hpp"

#include <partyline/config.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json/object.hpp>

#include <utility>

#include <unistd.h>

namespace asio = boost::asio;
namespace json = boost::json;

namespace call {
namespace {

json::object introduction(bool is_ours)
{
    json::object params;
    params["processId"] = is_ours ? json::value(::getpid()) : json::value(nullptr);
    params["clientInfo"] = {{"name", "partyline-call"}, {"version", PARTYLINE_VERSION_STRING}};
    params["rootUri"] = nullptr;
    params["capabilities"] = json::object();
    return params;
}

asio::awaitable<handshake_result> ask(partyline::session& server, std::string method, partyline::call_params params,
                                      duration most, asio::cancellation_slot cancel)
{
    partyline::call_options how;
    how.timeout(most);
    auto [failed, reply] = co_await server.call(method, std::move(params), std::move(how))(
        asio::bind_cancellation_slot(cancel, asio::as_tuple(asio::use_awaitable)));
    if (!failed && !reply.error())
        co_return std::nullopt;
    co_return handshake_failure{std::move(method), failed, std::move(reply)};
}

// That the session has ended meanwhile is told by whoever waits for its end.
asio::awaitable<void> tell(partyline::session& server, std::string method, partyline::call_params params)
{
    partyline::error_code failed;
    co_await server.notify(std::move(method), std::move(params))(asio::redirect_error(asio::use_awaitable, failed));
}

} // namespace

asio::awaitable<handshake_result> initialize(partyline::session& server, bool is_ours, duration most,
                                             asio::cancellation_slot cancel)
{
    handshake_result failed = co_await ask(server, "initialize", introduction(is_ours), most, cancel);
    if (!failed)
        co_await tell(server, "initialized", json::object());
    co_return failed;
}

asio::awaitable<handshake_result> shut_down(partyline::session& server, duration most, asio::cancellation_slot cancel)
{
    handshake_result failed = co_await ask(server, "shutdown", nullptr, most, cancel);
    co_await tell(server, "exit", nullptr);
    co_return failed;
}

} // namespace call
