// What sessions of MCP keep counts, and goes before anybody is refused.

#include "http_fixture.hpp"

#include <partyline/mcp/mcp.hpp>

#include <boost/asio/deferred.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace asio = boost::asio;
namespace mcp = partyline::mcp;
using partyline::memory_budget;
using partyline::test::http_client;
using partyline::test::http_response;

namespace {

std::string call(std::string_view tool, std::size_t id = 1)
{
    return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":"tools/call","params":{"name":")" +
           std::string(tool) + R"(","arguments":{},"_meta":{"progressToken":"p"}}})";
}

constexpr std::size_t answer_bytes = 40'000;

// Of a server whose memory is a mebibyte.
struct memory_fixture : partyline::test::http_fixture {
    memory_fixture()
    {
        options.session.budget = budget;
        options.mcp.stream_bytes = 30'000;
        server.add_tool("long", "Tells how far it is, and says much.", [](mcp::context& own) { return say_much(own); });
        server.add_tool("chat", "Says four things at once.", [](mcp::context& own) { return chat(own); });
        server.add_tool("wait", "Waits until it is cancelled.", [](mcp::context& own) { return wait(own); });
        served().add_mcp("/mcp", server);
        start();
    }

    static partyline::task<std::string> say_much(mcp::context& own)
    {
        co_await own.progress(1);
        co_return std::string(answer_bytes, 'x');
    }
    static partyline::task<std::string> chat(mcp::context& own)
    {
        for (const char* text : {"first", "second", "third"})
            static_cast<void>(own.log(mcp::log_level::error, text));
        co_return "fourth";
    }

    static partyline::task<std::string> wait(mcp::context& own)
    {
        asio::steady_timer timer(own.get_executor(), asio::steady_timer::time_point::max());
        co_await timer.async_wait(asio::deferred);
        co_return "never";
    }

    // Begins a session, and returns the field that names it.
    static std::string greet(http_client& client, std::size_t bytes = 0)
    {
        const http_response got = client.ask(
            "/mcp", R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
                    R"("capabilities":{"experimental":{"x":{"y":")" +
                        std::string(bytes, 'y') + R"("}}},"clientInfo":{"name":"t","version":"1"}}})");
        BOOST_TEST_REQUIRE(got.status == 200);
        return "Mcp-Session-Id: " + got.field("mcp-session-id") + "\r\n";
    }
    static bool is_answered(const http_response& got)
    {
        return got.status == 200 && got.body.find("\"result\"") != got.body.npos;
    }
    int status_of_resumed(const std::string& session, std::string_view event)
    {
        http_client again = connect();
        again.request("GET", "/mcp", session + "Last-Event-ID: " + std::string(event) + "\r\n");
        return again.response().status;
    }

    const std::shared_ptr<memory_budget> budget = std::make_shared<memory_budget>(std::size_t(1) << 20);
    mcp::server server{"play", "1"};
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(http_session_memory, memory_fixture, *boost::unit_test::timeout(100))

// rule: security.memory.server
BOOST_AUTO_TEST_CASE(answers_kept_for_clients_that_come_back_refuse_nobody)
{
    http_client client = connect();
    const std::string session = greet(client);
    const std::string other = greet(client);
    const std::size_t before = budget->used();
    for (int i = 0; i != 30; ++i) // more than there is memory
        BOOST_TEST_REQUIRE(is_answered(client.ask("/mcp", call("long"), i % 2 == 0 ? session : other)));
    BOOST_TEST(budget->used() == before);
}

BOOST_AUTO_TEST_CASE(the_oldest_answers_of_all_sessions_are_forgotten_first)
{
    http_client client = connect();
    const std::string one = greet(client);
    const std::string two = greet(client);
    for (const std::string& session : {one, two, one, two})
        BOOST_TEST_REQUIRE(is_answered(client.ask("/mcp", call("long"), session)));
    // An eighth of the memory has room for three.
    BOOST_TEST(status_of_resumed(one, "1-1") == 400); // as what has left its ring
    BOOST_TEST(status_of_resumed(two, "1-1") == 200);
    BOOST_TEST(status_of_resumed(one, "2-1") == 200);
    BOOST_TEST(status_of_resumed(two, "2-1") == 200);
}

// rule: security.memory.server
BOOST_AUTO_TEST_CASE(nothing_is_kept_that_there_is_no_memory_for)
{
    http_client client = connect();
    const std::string session = greet(client);
    BOOST_TEST_REQUIRE(is_answered(client.ask("/mcp", call("long"), session)));
    BOOST_TEST(status_of_resumed(session, "1-1") == 200);
    budget->add(budget->limit());
    BOOST_TEST(status_of_resumed(session, "1-1") == 400); // it has gone for those who need the memory
    BOOST_TEST(is_answered(client.ask("/mcp", call("long"), session)));
    BOOST_TEST(status_of_resumed(session, "2-1") == 400);
    budget->sub(budget->limit());
}

BOOST_AUTO_TEST_CASE(a_session_keeps_four_times_as_much_as_one_stream)
{
    http_client client = connect();
    const std::string session = greet(client);
    for (int i = 0; i != 3; ++i) // there is memory for three, but the session may keep only two
        BOOST_TEST_REQUIRE(is_answered(client.ask("/mcp", call("long"), session)));
    BOOST_TEST(status_of_resumed(session, "1-1") == 400);
    BOOST_TEST(status_of_resumed(session, "2-1") == 200);
    BOOST_TEST(status_of_resumed(session, "3-1") == 200);
}

// The stream has a reader, so nothing of it is spare.
BOOST_AUTO_TEST_CASE(what_a_client_waits_for_is_not_forgotten_for_want_of_memory)
{
    http_client client = connect();
    const std::string session = greet(client);
    budget->add(budget->limit());
    const http_response got = client.ask("/mcp", call("chat"), session);
    for (const char* text : {"first", "second", "third", "fourth"})
        BOOST_TEST(got.body.find(text) != got.body.npos, text);
    budget->sub(budget->limit());
}

// rule: security.memory.server
BOOST_AUTO_TEST_CASE(calls_that_go_on_without_their_clients_are_counted)
{
    http_client client = connect();
    const std::string session = greet(client);
    const std::size_t idle = budget->used();
    budget->add(budget->limit()); // by others: now a session may have as many as take 64 KiB
    for (std::size_t calls = 1; calls <= 32; ++calls) {
        http_client caller = connect();
        caller.post("/mcp", call("wait", calls), session);
        run_until([&] { return budget->used() >= budget->limit() + idle + calls * 2048; });
        caller.reset();
    }
    BOOST_TEST(client.ask("/mcp", call("wait", 33), session).status == 503);
    budget->sub(budget->limit());
    client.request("DELETE", "/mcp", session);
    BOOST_TEST(client.response().status == 204);
    run_until([this] { return budget->used() == 0; });
}

// rule: security.memory.server
BOOST_AUTO_TEST_CASE(what_a_session_keeps_of_its_client_is_counted)
{
    http_client client = connect();
    const std::string session = greet(client, 50'000);
    BOOST_TEST(budget->used() > 50'000u);
    client.request("DELETE", "/mcp", session);
    BOOST_TEST(client.response().status == 204);
    run_until([this] { return budget->used() == 0; });
}

// rule: security.memory.server
BOOST_AUTO_TEST_CASE(sessions_take_a_quarter_of_the_memory_at_most)
{
    http_client client = connect();
    const std::string ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
    const std::string first = greet(client, 50'000);
    const std::string second = greet(client, 50'000);
    BOOST_TEST(client.ask("/mcp", ping, first).status == 200);
    for (int i = 0; i != 3; ++i)
        greet(client, 50'000);
    run_until([this] { return budget->used() <= budget->limit() / 4; });
    BOOST_TEST(client.ask("/mcp", ping, first).status == 200);
    BOOST_TEST(client.ask("/mcp", ping, second).status == 404); // the one that has been idle for longest
    BOOST_TEST(served().sessions() == 4u);
}

BOOST_AUTO_TEST_SUITE_END()
