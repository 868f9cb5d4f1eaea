// Sessions of MCP and streams of events where peers are authenticated: whose they are, and for how long.

#include "http_fixture.hpp"
#include "support/fake_access.hpp"
#include "support/text_search.hpp"
#include "without_date.hpp"

#include <partyline/mcp/mcp.hpp>

#include <boost/asio/deferred.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace asio = boost::asio;
namespace json = boost::json;
namespace mcp = partyline::mcp;
using partyline::access_answer;
using partyline::test::bearer;
using partyline::test::contains;
using partyline::test::fake_access;
using partyline::test::fake_view;
using partyline::test::http_client;
using partyline::test::http_response;
using auth = partyline::authentication_outcome;

namespace {

std::shared_ptr<const fake_view> all_but(std::string_view tool, access_answer is)
{
    return partyline::test::allow_others({{"tools/call " + std::string(tool), is}});
}

std::string call_of(std::string_view tool, std::string_view more_of_meta = {})
{
    return R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")" + std::string(tool) +
           R"(","arguments":{},"_meta":{"progressToken":"p")" + std::string(more_of_meta) + "}}}";
}

constexpr std::string_view of_modern = R"(,"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                                       R"("io.modelcontextprotocol/clientCapabilities":{})";

struct owned_fixture : partyline::test::http_fixture {
    owned_fixture()
    {
        options.access = access;
        options.mcp.sessions = 4;
        server.add_tool("who", "Says who asks.", [](mcp::context& own) { return own.rpc().peer().principal; });
        server.add_tool("wait", "Waits.", [this](mcp::context& own) { return wait(own, false); });
        server.add_tool("tell", "Tells, and waits.", [this](mcp::context& own) { return wait(own, true); });
        access->admit("alice", "alice");
        access->admit("alice-2", "alice", all_but("who", access_answer::lacks_scope));
        access->admit("bob", "bob");
        served().add_mcp("/mcp", server);
        start();
    }

    partyline::task<std::string> wait(mcp::context& own, bool tells)
    {
        ++waiting;
        if (tells)
            co_await own.progress(1);
        asio::steady_timer timer(own.get_executor(), asio::steady_timer::time_point::max());
        release = [&timer] { timer.cancel(); };
        try {
            co_await timer.async_wait(asio::deferred);
        } catch (const boost::system::system_error&) { // released, or cancelled
        }
        --waiting;
        was_cancelled = own.cancelled();
        co_return "waited";
    }

    // Begins a session, and returns the field that names it.
    std::string greet(http_client& client, std::string_view token)
    {
        const http_response got =
            client.ask("/mcp",
                       R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
                       R"("capabilities":{},"clientInfo":{"name":"t","version":"1"}}})",
                       bearer(token));
        BOOST_TEST_REQUIRE(got.status == 200);
        const std::string field = "Mcp-Session-Id: " + got.field("mcp-session-id") + "\r\n";
        client.ask("/mcp", R"({"jsonrpc":"2.0","method":"notifications/initialized"})", bearer(token) + field);
        return field;
    }

    // The answer to this within a session, without its date.
    std::string answer(std::string_view method, std::string_view fields, std::string_view body = {})
    {
        http_client client = connect();
        const std::string all =
            std::string(fields) + "Accept: text/event-stream, application/json\r\nConnection: close\r\n";
        if (method == "POST")
            client.post("/mcp", body, all);
        else
            client.request(method, "/mcp", all);
        return partyline::test::without_date(client.read_to_end());
    }

    const std::shared_ptr<fake_access> access = std::make_shared<fake_access>();
    mcp::server server{"play", "1"};
    int waiting = 0;
    bool was_cancelled = false;
    std::function<void()> release; // what has begun to wait last
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(http_session_owners, owned_fixture, *boost::unit_test::timeout(100))

// rule: security.access.sessions
BOOST_AUTO_TEST_CASE(a_session_of_another_peer_is_as_unknown_as_none)
{
    http_client client = connect();
    const std::string session = greet(client, "alice");
    const std::string unknown = "Mcp-Session-Id: aaaaaaaaaaaaaaaaaaaaaaaaaa\r\n";
    const struct {
        std::string_view method;
        std::string fields;
    } rows[] = {{"POST", {}}, {"GET", {}}, {"GET", "Last-Event-ID: 0-1\r\n"}, {"DELETE", {}}};
    for (const auto& row : rows) {
        const std::string foreign = answer(row.method, bearer("bob") + session + row.fields, call_of("who"));
        BOOST_TEST(foreign == answer(row.method, bearer("bob") + unknown + row.fields, call_of("who")));
        BOOST_TEST(foreign.starts_with("HTTP/1.1 404 Not Found\r\n"));
        BOOST_TEST(contains(foreign, R"({"code":-32001,"message":"Session not found"})"));
    }
    BOOST_TEST(contains(client.ask("/mcp", call_of("who"), bearer("alice") + session).body, R"("text":"alice")"));
    BOOST_TEST(served().sessions() == 1u);
    access->refuse("bob", auth::expired);
    BOOST_TEST(answer("POST", bearer("bob") + session, call_of("who")).starts_with("HTTP/1.1 401 "));
}

BOOST_AUTO_TEST_CASE(its_owner_may_come_with_other_credentials_and_has_their_rights)
{
    http_client client = connect();
    const std::string session = greet(client, "alice");
    BOOST_TEST(client.ask("/mcp", call_of("who"), bearer("alice") + session).status == 200);
    const http_response lacking = client.ask("/mcp", call_of("who"), bearer("alice-2") + session);
    BOOST_TEST(lacking.status == 403);
    BOOST_TEST(contains(lacking.field("www-authenticate"), "scope=\"files:write\""));
    BOOST_TEST(client.ask("/mcp", call_of("who"), bearer("alice") + session).status == 200);
    BOOST_TEST(served().sessions() == 1u);
    client.request("DELETE", "/mcp", bearer("alice-2") + session);
    BOOST_TEST(client.response().status == 204);
}

// rule: security.access.sessions
BOOST_AUTO_TEST_CASE(a_session_whose_owner_is_not_admitted_any_more_ends)
{
    http_client client = connect();
    greet(client, "alice");
    const std::string other = greet(client, "bob");
    access->refuse("alice", auth::invalid);
    run_until([this] { return served().sessions() == 1; });
    BOOST_TEST(client.ask("/mcp", call_of("who"), bearer("bob") + other).status == 200);
}

BOOST_AUTO_TEST_CASE(a_session_goes_on_with_a_new_token_where_the_old_one_has_expired)
{
    http_client client = connect();
    const std::string session = greet(client, "alice");
    http_client reader = connect();
    reader.request("GET", "/mcp", bearer("alice") + session + "Accept: text/event-stream\r\n");
    BOOST_TEST(reader.head().status == 200);
    access->refuse("alice", auth::expired);
    reader.read_to_end(); // so the tick has looked at both
    BOOST_TEST(client.ask("/mcp", call_of("who"), bearer("alice") + session).status == 401);
    access->admit("alice-3", "alice");
    BOOST_TEST(contains(client.ask("/mcp", call_of("who"), bearer("alice-3") + session).body, R"("text":"alice")"));
}

// rule: security.access.connections
BOOST_AUTO_TEST_CASE(a_principal_that_begins_many_sessions_ends_none_of_others_from_its_address)
{
    http_client client = connect();
    const std::string kept = greet(client, "bob");
    const std::string first = greet(client, "alice");
    std::string last;
    for (int i = 0; i != 3; ++i) {
        greet(client, "alice");
        last = greet(client, "alice-2"); // other credentials make nobody another one
    }
    BOOST_TEST(client.ask("/mcp", call_of("who"), bearer("bob") + kept).status == 200);
    BOOST_TEST(client.ask("/mcp", call_of("who"), bearer("alice") + first).status == 404);
    BOOST_TEST(client.ask("/mcp", call_of("who"), bearer("alice") + last).status == 200);
    BOOST_TEST(served().sessions() == 4u);
}

BOOST_AUTO_TEST_CASE(rights_that_change_hold_for_the_session_at_once)
{
    http_client client = connect();
    const std::string session = greet(client, "alice");
    BOOST_TEST(client.ask("/mcp", call_of("who"), bearer("alice") + session).status == 200);
    access->admit("alice", "alice", all_but("who", access_answer::hidden));
    const http_response hidden = client.ask("/mcp", call_of("who"), bearer("alice") + session);
    const http_response absent = client.ask("/mcp", call_of("how"), bearer("alice") + session);
    std::string body = hidden.body;
    for (std::size_t at = 0; (at = body.find("who")) != body.npos;)
        body.replace(at, 3, "how");
    BOOST_TEST(body == absent.body);
    BOOST_TEST(hidden.status == absent.status);
}

BOOST_AUTO_TEST_CASE(a_body_that_comes_late_does_not_bring_back_rights_of_before)
{
    http_client client = connect();
    const std::string session = greet(client, "alice");
    http_client late = connect();
    const std::string body = call_of("who");
    const std::size_t before = access->attempts();
    late.send("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
              "Accept: application/json, text/event-stream\r\n" +
              bearer("alice") + session + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n{");
    run_until([&] { return access->attempts() != before; });
    access->admit("alice", "alice", all_but("who", access_answer::lacks_scope));
    BOOST_TEST(client.ask("/mcp", body, bearer("alice") + session).status == 403);
    late.send(body.substr(1));
    BOOST_TEST(late.response().status == 403);
    BOOST_TEST(client.ask("/mcp", body, bearer("alice") + session).status == 403);
}

BOOST_AUTO_TEST_CASE(readers_of_streams_are_told_that_their_lists_have_changed)
{
    http_client reader = connect();
    const std::string session = greet(reader, "alice");
    reader.request("GET", "/mcp", bearer("alice") + session + "Accept: text/event-stream\r\n");
    reader.head();
    http_client listener = connect();
    listener.post("/mcp",
                  R"({"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":)"
                  R"({"toolsListChanged":true},"_meta":{"x":1)" +
                      std::string(of_modern) + "}}}",
                  bearer("bob") + "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen\r\n"
                                  "Accept: application/json, text/event-stream\r\n");
    BOOST_TEST(listener.head().status == 200);
    listener.read_until("acknowledged");
    for (const std::string_view name : {"alice", "bob"})
        access->admit(name, std::string(name), all_but("who", access_answer::hidden));
    reader.read_until("notifications/tools/list_changed");
    listener.read_until("notifications/tools/list_changed");
    access->refuse("bob", auth::invalid);
    listener.read_to_end();
    BOOST_TEST(served().sessions() == 1u);
}

// rule: security.access.end
BOOST_AUTO_TEST_CASE(a_stream_of_a_session_ends_with_the_token_that_it_came_with)
{
    http_client client = connect();
    const std::string session = greet(client, "alice");
    http_client reader = connect();
    reader.request("GET", "/mcp", bearer("alice") + session + "Accept: text/event-stream\r\n");
    reader.head();
    http_client teller = connect();
    teller.post("/mcp", call_of("tell"), bearer("bob") + greet(teller, "bob") + "Accept: text/event-stream\r\n");
    teller.head();
    access->refuse("alice", auth::invalid);
    BOOST_TEST(reader.read_to_end().ends_with("0\r\n\r\n"));
    BOOST_TEST(waiting == 1); // the other one's
    access->refuse("bob", auth::invalid);
    BOOST_TEST(teller.read_to_end().ends_with("0\r\n\r\n"));
    run_until([this] { return served().sessions() == 0 && waiting == 0; });
    BOOST_TEST(was_cancelled);
}

BOOST_AUTO_TEST_CASE(a_session_answers_requests_from_before_its_token_expired)
{
    http_client client = connect();
    const std::string session = greet(client, "alice");
    client.post("/mcp", call_of("wait"), bearer("alice") + session);
    run_until([this] { return waiting == 1; });
    http_client reader = connect();
    reader.request("GET", "/mcp", bearer("alice") + session + "Accept: text/event-stream\r\n");
    reader.head();
    access->refuse("alice", auth::expired);
    reader.read_to_end(); // so the tick has looked
    BOOST_TEST(waiting == 1);
    release();
    BOOST_TEST(contains(client.response().body, "waited"));
    BOOST_TEST(!was_cancelled);
}

BOOST_AUTO_TEST_CASE(a_stream_without_a_session_ends_with_its_token_and_cancels)
{
    http_client client = connect();
    const std::string fields = bearer("alice") +
                               "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: tell\r\n"
                               "Accept: application/json, text/event-stream\r\n";
    client.post("/mcp", call_of("tell", of_modern), fields);
    BOOST_TEST(client.head().status == 200);
    client.read_until("\"progress\":1");
    access->refuse("alice", auth::expired);
    BOOST_TEST(client.read_to_end().ends_with("0\r\n\r\n"));
    run_until([this] { return waiting == 0; });
    BOOST_TEST(was_cancelled);
    run_until([this] { return served().connections() == 0; });
}

BOOST_AUTO_TEST_SUITE_END()
