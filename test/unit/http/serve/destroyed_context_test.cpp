// A context that is destroyed while handlers run that have ignored their cancellation: nothing of a server is left.

#include "support/http_client.hpp"

#include <partyline/async/async_event.hpp>
#include <partyline/http/server.hpp>
#include <partyline/mcp/mcp.hpp>
#include <partyline/rpc/method_table.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace asio = boost::asio;
namespace mcp = partyline::mcp;
using partyline::test::http_client;
using partyline::test::run_until;

namespace {

struct server_that_is_destroyed {
    server_that_is_destroyed()
    {
        partyline::method_table methods;
        methods.add("wait", [this, held = of_methods](partyline::request_context& own) {
            return wait_on(own.get_executor(), *held);
        });
        served->add_rpc("/rpc", std::move(methods));
        mcp::server tools("test", "1");
        tools.add_tool("wait", "Waits.",
                       [this, held = of_methods](mcp::context& own) { return wait_on(own.get_executor(), *held); });
        served->add_mcp("/mcp", std::move(tools));
        port = served->listen_tcp("127.0.0.1", 0).port();
        served->async_run([](partyline::error_code) {});
    }

    // Goes on when it is cancelled.
    asio::awaitable<int> wait_on(asio::any_io_executor on, int result)
    {
        co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
        ++waiting;
        partyline::async_event never(on);
        co_await never.async_wait(asio::use_awaitable);
        co_return result;
    }

    http_client connect() { return {*context, port}; }
    // Returns whether the methods are gone, which each conversation shares.
    bool destroy()
    {
        const std::weak_ptr<int> watched = std::exchange(of_methods, nullptr);
        served.reset();
        context.reset();
        return watched.expired();
    }

    std::shared_ptr<int> of_methods = std::make_shared<int>(1); // the methods own it
    std::optional<asio::io_context> context{std::in_place, 1};
    std::optional<partyline::http::server> served{std::in_place, context->get_executor(),
                                                  partyline::http::server_options()};
    std::uint16_t port = 0;
    int waiting = 0;
};

constexpr std::string_view call_that_waits = R"({"jsonrpc":"2.0","id":1,"method":"wait"})";
constexpr std::string_view tool_call_that_waits =
    R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait","arguments":{}}})";

struct mcp_session_that_is_destroyed : server_that_is_destroyed {
    mcp_session_that_is_destroyed()
    {
        client.emplace(connect());
        const auto greeted = client->ask(
            "/mcp", R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
                    R"("capabilities":{},"clientInfo":{"name":"t","version":"1"}}})");
        field = "Mcp-Session-Id: " + greeted.field("mcp-session-id") + "\r\n";
        client->ask("/mcp", R"({"jsonrpc":"2.0","method":"notifications/initialized"})", field);
        client->post("/mcp", tool_call_that_waits, field);
        run_until(*context, [this] { return waiting == 1; });
    }

    bool destroy()
    {
        client.reset();
        return server_that_is_destroyed::destroy();
    }

    std::optional<http_client> client;
    std::string field;
};

} // namespace

BOOST_AUTO_TEST_SUITE(http_destroyed_context, *boost::unit_test::timeout(60))

BOOST_FIXTURE_TEST_CASE(a_conversation_whose_connection_has_ended_is_destroyed, server_that_is_destroyed)
{
    std::optional<http_client> client(connect());
    client->post("/rpc", call_that_waits);
    run_until(*context, [this] { return waiting == 1; });
    client.reset();
    run_until(*context, [this] { return served->connections() == 0; });
    BOOST_TEST(destroy());
}

BOOST_FIXTURE_TEST_CASE(a_conversation_whose_connection_is_open_is_destroyed, server_that_is_destroyed)
{
    std::optional<http_client> client(connect());
    client->post("/rpc", call_that_waits);
    run_until(*context, [this] { return waiting == 1; });
    client.reset();
    BOOST_TEST(destroy());
}

BOOST_FIXTURE_TEST_CASE(a_session_that_has_ended_is_destroyed, mcp_session_that_is_destroyed)
{
    {
        http_client other = connect();
        other.request("DELETE", "/mcp", field);
        BOOST_TEST(other.response().status == 204);
    }
    BOOST_TEST(destroy());
}

BOOST_FIXTURE_TEST_CASE(a_session_that_is_open_is_destroyed, mcp_session_that_is_destroyed)
{
    BOOST_TEST(destroy());
}

BOOST_AUTO_TEST_SUITE_END()
