// mcp::client over HTTP and WebSocket, against a server of ours: of both eras, and one that loses its sessions.

#include "client/fickle_server.hpp"
#include "http_fixture.hpp"

#include <partyline/http.hpp>
#include <partyline/mcp/client.hpp>
#include <partyline/mcp/mcp.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/describe/class.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <exception>
#include <optional>
#include <string>

using namespace std::chrono_literals;
using namespace partyline;
using partyline::mcp::wanted_era;
using partyline::test::asked_request;
using partyline::test::fickle_server;
using partyline::test::http_fixture;
using partyline::test::json_answer;
namespace asio = boost::asio;

namespace {

struct consent {
    bool yes = false;
};
BOOST_DESCRIBE_STRUCT(consent, (), (yes))

task<std::string> ask(mcp::context& own)
{
    mcp::form<consent> question("sure", "Really?");
    const auto [answer] = co_await own.ask(std::move(question));
    co_return answer && answer->yes ? "done" : "left";
}

// Runs it to its end, and throws what it has thrown.
task<void> awaited(operation<void> what)
{
    co_await std::move(what);
}

void run_task(asio::io_context& context, task<void> what)
{
    std::optional<std::exception_ptr> end;
    co_spawn(context.get_executor(), std::move(what), [&](std::exception_ptr thrown) { end = thrown; });
    test::run_until(context, [&] { return end.has_value(); });
    if (*end)
        std::rethrow_exception(*end);
}

struct mcp_client_fixture : http_fixture {
    mcp::server offered{"play", "1"};
    mcp::feature_handle tool;
    std::optional<mcp::client> client;
    int waiting = 0;
    int cancelled = 0;

    mcp_client_fixture()
    {
        options.session.executor_is_serial = true;
        tool = offered.add_tool("add", "Adds.", [](int a, int b) { return a + b; }, {{"a", "First"}, {"b", "Second"}});
        offered.add_tool("wait", "Waits.", [this](mcp::context& own) { return wait(own); });
        offered.add_tool("ask", "Asks.", &ask);
        offered.add_tool("count", "Counts.", [](mcp::context& c) {
            for (int i = 1; i != 4; ++i)
                static_cast<void>(c.progress(i, 3.0));
            return 3;
        });
        served().add_mcp("/mcp", offered);
        served().add_websocket("/ws", offered);
        start();
    }
    ~mcp_client_fixture() { client.reset(); }

    std::string address(const std::string& scheme, const std::string& path) const
    {
        return scheme + "://127.0.0.1:" + std::to_string(port()) + path;
    }
    void connect(const std::string& to, wanted_era era, const http::client_options& way = {})
    {
        mcp::client_options how;
        how.era = era;
        how.session.executor_is_serial = true;
        client.emplace(http::mcp_client(context.get_executor(), to, way), std::move(how));
        client->on_elicit([](const mcp::elicit_request& asked) {
            BOOST_TEST(asked.message == "Really?");
            return mcp::elicit_answer::accept(consent{true});
        });
    }
    void run(task<void> what) { run_task(context, std::move(what)); }
    void run(operation<void> what) { run_task(context, awaited(std::move(what))); }

private:
    task<std::string> wait(mcp::context& own)
    {
        ++waiting;
        asio::steady_timer timer(own.get_executor(), asio::steady_timer::time_point::max());
        try {
            co_await timer.async_wait(asio::deferred);
        } catch (const boost::system::system_error&) {
            ++cancelled;
        }
        co_return "waited";
    }
};

task<void> use_all(mcp::client& client)
{
    co_await client.start();
    BOOST_TEST(client.server().info.name == "play");
    const std::vector<mcp::tool_info> tools = co_await client.tools();
    BOOST_TEST(tools.size() == 4u);
    const mcp::tool_answer counted = co_await client.call_tool("count");
    BOOST_TEST(counted.as<int>() == 3);
    const mcp::tool_answer asked = co_await client.call_tool("ask");
    BOOST_TEST(asked.as<std::string>() == "done");
    co_await client.ping();
}

task<void> list_tools(mcp::client& client)
{
    const std::vector<mcp::tool_info> tools = co_await client.tools();
    BOOST_TEST(tools.size() == 5u);
}

task<void> ask_where(mcp::client& client)
{
    boost::json::object arguments;
    arguments["region"] = "s\u00fcd";
    const mcp::tool_answer answer = co_await client.call_tool("where", arguments);
    BOOST_TEST(answer.text() == "s\u00fcd");
}

task<void> count_once(mcp::client& client)
{
    const mcp::tool_answer counted = co_await client.call_tool("count");
    BOOST_TEST(counted.as<int>() == 3);
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(http_mcp_client, mcp_client_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(uses_all_in_either_era)
{
    for (const wanted_era era : {wanted_era::automatic, wanted_era::legacy}) {
        for (const std::string& to : {address("http", "/mcp"), address("ws", "/ws")}) {
            BOOST_TEST_CONTEXT("era " << int(era) << " at " << to)
            {
                connect(to, era);
                run(use_all(*client));
                BOOST_TEST((client->era() == (era == wanted_era::legacy ? mcp::era::legacy : mcp::era::modern)));
                run(client->close());
            }
        }
    }
    run_until([this] { return served().sessions() == 0; });
}

// What a server asks in the answer to a call is answered beside that.
BOOST_AUTO_TEST_CASE(needs_one_connection_for_calls)
{
    for (const wanted_era era : {wanted_era::automatic, wanted_era::legacy}) {
        http::client_options way;
        way.connections = 1;
        connect(address("http", "/mcp"), era, way);
        run(use_all(*client));
        run(client->close());
    }
    run_until([this] { return served().sessions() == 0; });
}

// As the SDKs of the handshake's era do, whose 400 has no id.
BOOST_AUTO_TEST_CASE(begins_with_the_handshake_where_anything_else_is_refused)
{
    std::string asked;
    fickle_server server(context, [&](const asked_request& request) {
        asked += request.member("method") + ' ';
        return json_answer(400,
                           R"({"jsonrpc":"2.0","error":{"code":-32000,"message":"Server not initialized"},"id":null})");
    });
    connect(server.address(), wanted_era::automatic);
    BOOST_CHECK_THROW(run(client->start()), rpc_error);
    BOOST_TEST(asked == "server/discover initialize ");
}

BOOST_AUTO_TEST_CASE(hears_of_changes_and_progress)
{
    for (const wanted_era era : {wanted_era::automatic, wanted_era::legacy}) {
        BOOST_TEST_CONTEXT("era " << int(era))
        {
            connect(address("http", "/mcp"), era);
            int changes = 0;
            client->on_tools_changed([&] { ++changes; });
            run(client->start());
            run_until([&] { // what changes before it listens is not told
                mcp::feature_handle another = offered.add_tool("more", "More.", [] { return 1; });
                another.remove();
                return changes != 0;
            });
            double last = 0;
            bool has_ended = false;
            mcp::call_hooks hooks;
            hooks.on_progress = [&](double done, std::optional<double>, const std::string&) { last = done; };
            client->call_tool("count", nullptr, hooks)([&](error_code, auto) { has_ended = true; });
            run_until([&] { return has_ended; });
            BOOST_TEST(last == 3);
            run(client->close());
        }
    }
}

BOOST_AUTO_TEST_CASE(cancels_what_is_under_way)
{
    for (const wanted_era era : {wanted_era::automatic, wanted_era::legacy}) {
        BOOST_TEST_CONTEXT("era " << int(era))
        {
            connect(address("http", "/mcp"), era);
            run(client->start());
            std::optional<error_code> failed;
            asio::cancellation_signal stop;
            const int before = cancelled;
            const int waited = waiting;
            client->call_tool("wait")(
                asio::bind_cancellation_slot(stop.slot(), [&](error_code code, auto) { failed = code; }));
            run_until([&] { return waiting == waited + 1; });
            stop.emit(asio::cancellation_type::terminal);
            run_until([&] { return failed && cancelled == before + 1; });
            BOOST_TEST(*failed == asio::error::operation_aborted);
            run(count_once(*client));
            run(client->close());
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_CASE(http_mcp_client_repeats_marked_arguments, mcp_client_fixture, *boost::unit_test::timeout(60))
{
    auto where = offered.add_tool(
        "where", "Says where.",
        json_text(R"({"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}}})"),
        [](json_view arguments) { return std::string(arguments.to_value().at("region").as_string()); });
    connect(address("http", "/mcp"), wanted_era::modern);
    run(client->start());
    run(list_tools(*client)); // which says what is marked
    run(ask_where(*client));
}

// A server that is started again and again at the same address, and knows nothing of sessions it had before.
struct forgetful_fixture {
    asio::io_context context{1};
    mcp::server offered{"play", "1"};
    std::optional<http::server> served;
    std::uint16_t port = 0;

    forgetful_fixture()
    {
        offered.add_tool("count", "Counts.", [] { return 3; });
        start();
    }
    ~forgetful_fixture()
    {
        served.reset();
        context.restart();
        context.poll();
    }
    void start()
    {
        http::server_options options;
        options.session.executor_is_serial = true;
        served.emplace(context.get_executor(), options);
        served->add_mcp("/mcp", offered);
        port = served->listen_tcp("127.0.0.1", port).port();
        served->async_run([](error_code) {});
    }
    void start_again()
    {
        served->stop();
        test::run_until(context, [this] { return served->connections() == 0; });
        served.reset();
        start();
    }
    void run(task<void> what) { run_task(context, std::move(what)); }
    void run(operation<void> what) { run_task(context, awaited(std::move(what))); }
};

BOOST_FIXTURE_TEST_SUITE(http_mcp_client_of_the_forgetful, forgetful_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(begins_again_what_the_server_has_lost)
{
    mcp::client_options how;
    how.era = wanted_era::legacy;
    how.session.executor_is_serial = true;
    mcp::client client(http::mcp_client(context.get_executor(), "http://127.0.0.1:" + std::to_string(port) + "/mcp"),
                       how);
    run(client.start());
    run(count_once(client));
    for (int i = 0; i != 3; ++i) {
        start_again();
        run(count_once(client));
        BOOST_TEST(served->sessions() == 1u);
    }
    std::optional<error_code> first;
    std::optional<error_code> second;
    start_again();
    client.call_tool("count")([&](error_code code, auto) { first = code; });
    client.call_tool("count")([&](error_code code, auto) { second = code; });
    test::run_until(context, [&] { return first && second; });
    BOOST_TEST(!*first);
    BOOST_TEST(!*second);
    BOOST_TEST(served->sessions() == 1u); // begun once, however many have found out
    run(client.close());
    BOOST_TEST(served->sessions() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
