// MCP over HTTP, both eras at one address, over real sockets.

#include "http/sessions/session_table.hpp"
#include "http_fixture.hpp"

#include <partyline/mcp/mcp.hpp>
#include <partyline/rpc/args.hpp>
#include <partyline/session/served_event.hpp>
#include <partyline/session/session_link.hpp>

#include <boost/asio/deferred.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace asio = boost::asio;
namespace json = boost::json;
namespace mcp = partyline::mcp;
using partyline::test::http_client;
using partyline::test::http_response;

namespace {

struct mcp_fixture : partyline::test::http_fixture {
    mcp_fixture()
    {
        server.add_tool("add", "Adds.", [](int a, int b) { return a + b; }, {{"a", "First"}, {"b", "Second"}});
        server.add_tool("tell", "Tells, and waits.", [this](mcp::context& own) { return tell(own); });
        server.add_tool("stop", "Stops the server, tells, and waits.", [this](mcp::context& own) { return stop(own); });
        server.add_tool("wait", "Waits.", [this](mcp::context& own) { return wait(own); });
    }

    partyline::task<int> wait(mcp::context& own)
    {
        ++waiting;
        co_await wait_for_release(own);
        --waiting;
        was_cancelled = own.cancelled();
        co_return 7;
    }

    partyline::task<std::string> stop(mcp::context& own)
    {
        served().stop();
        return tell(own);
    }

    partyline::task<void> wait_for_release(mcp::context& own)
    {
        asio::steady_timer timer(own.get_executor(), asio::steady_timer::time_point::max());
        release = [&timer] { timer.cancel(); };
        try {
            co_await timer.async_wait(asio::deferred);
        } catch (const boost::system::system_error&) {
        }
    }

    partyline::task<std::string> tell(mcp::context& own)
    {
        ++waiting;
        co_await own.progress(1);
        co_await wait_for_release(own);
        --waiting;
        was_cancelled = own.cancelled();
        if (!was_cancelled)
            co_await own.progress(2);
        co_return "told";
    }

    http_client begin()
    {
        if (port() == 0) {
            served().add_mcp("/mcp", server);
            start();
        }
        return connect();
    }

    static std::string greeting(const std::string& revision)
    {
        return R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":")" + revision +
               R"(","capabilities":{},"clientInfo":{"name":"t","version":"1"}}})";
    }

    // Begins a session, and returns the field that names it.
    std::string greet(http_client& client, const std::string& revision = "2025-11-25")
    {
        const http_response got = client.ask("/mcp", greeting(revision));
        BOOST_TEST_REQUIRE(got.status == 200);
        BOOST_TEST((json::parse(got.body).at("result").at("protocolVersion") == json::string(revision)));
        const std::string id = got.field("mcp-session-id");
        BOOST_TEST(id.size() == (options.node.empty() ? 26u : options.node.size() + 27u));
        const std::string field = "Mcp-Session-Id: " + id + "\r\n";
        BOOST_TEST(client.ask("/mcp", R"({"jsonrpc":"2.0","method":"notifications/initialized"})", field).status ==
                   202);
        return field;
    }

    mcp::server server{"play", "1"};
    int waiting = 0;
    bool was_cancelled = false;
    std::function<void()> release;
};

std::string call(int id, std::string_view tool, std::string_view arguments = "{}",
                 std::string_view meta = "{\"progressToken\":\"p\"}")
{
    return "{\"jsonrpc\":\"2.0\",\"id\":" + std::to_string(id) + ",\"method\":\"tools/call\",\"params\":{\"name\":\"" +
           std::string(tool) + "\",\"arguments\":" + std::string(arguments) + ",\"_meta\":" + std::string(meta) + "}}";
}

const std::string modern_meta = R"({"progressToken":"p","io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                                R"("io.modelcontextprotocol/clientCapabilities":{}})";
const std::string modern_fields = "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\n";

int code_of(const http_response& got)
{
    return json::parse(got.body).at("error").at("code").to_number<int>();
}

std::string id_in(const std::string& events, std::string_view of)
{
    const std::size_t data = events.find(of);
    const std::size_t begin = events.rfind("id: ", data) + 4;
    return events.substr(begin, events.find('\n', begin) - begin);
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(http_mcp_sessions, mcp_fixture, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(a_session_is_begun_used_and_ended)
{
    http_client client = begin();
    const std::string session = greet(client);
    BOOST_TEST(client.ask("/mcp", call(1, "add", R"({"a":1,"b":2})"), session).body.find("\"text\":\"3\"") !=
               std::string::npos);
    BOOST_TEST(connect().ask("/mcp", R"({"jsonrpc":"2.0","id":2,"method":"ping"})", session).body ==
               R"({"jsonrpc":"2.0","id":2,"result":{}})");
    BOOST_TEST(served().sessions() == 1u);
    client.request("DELETE", "/mcp", session);
    BOOST_TEST(client.response().status == 204);
    BOOST_TEST(served().sessions() == 0u);
    const http_response gone = client.ask("/mcp", R"({"jsonrpc":"2.0","id":3,"method":"ping"})", session);
    BOOST_TEST(gone.status == 404);
    BOOST_TEST(code_of(gone) == -32001);
    client.request("DELETE", "/mcp", session);
    BOOST_TEST(client.response().status == 404);
}

BOOST_AUTO_TEST_CASE(begin_and_end_of_sessions_are_told_and_not_of_requests_without_one)
{
    const auto open = std::make_shared<std::vector<std::shared_ptr<partyline::session_link>>>();
    const auto ends = std::make_shared<int>(0);
    options.session.on_start = [=](const std::shared_ptr<partyline::session_link>& its) { open->push_back(its); };
    options.session.on_end = [=](const std::shared_ptr<partyline::session_link>& its, partyline::error_code) {
        BOOST_TEST((its == open->front()));
        ++*ends;
    };
    http_client client = begin();
    const std::string session = greet(client);
    client.ask("/mcp", call(1, "add", R"({"a":1,"b":2})", modern_meta), modern_fields + "Mcp-Name: add\r\n");
    BOOST_REQUIRE(open->size() == 1u);
    http_client listener = connect();
    listener.request("GET", "/mcp", session);
    listener.head();
    open->front()->post([](partyline::live_session& now) {
        now.notify("notifications/message", partyline::named("level", "info", "data", "hello"))(asio::detached);
    });
    listener.read_until("hello");
    client.request("DELETE", "/mcp", session);
    BOOST_TEST(client.response().status == 204);
    run_until([&] { return *ends == 1; });
    BOOST_TEST(!open->front()->is_open());
    client.close();
    listener.close();
    run_until([&] { return served().connections() == 0; });
    BOOST_TEST(open->size() == 1u);
    BOOST_TEST(*ends == 1);
}

BOOST_AUTO_TEST_CASE(a_session_whose_start_is_refused_by_its_hook_is_none)
{
    options.session.on_start = [](const std::shared_ptr<partyline::session_link>&) {
        throw std::runtime_error("not today");
    };
    options.session.on_end = [](const std::shared_ptr<partyline::session_link>&, partyline::error_code) {
        BOOST_ERROR("it has not started");
    };
    http_client client = begin();
    BOOST_TEST(client.ask("/mcp", greeting("2025-11-25")).status == 503);
    run_until([&] { return served().sessions() == 0; });
}

BOOST_AUTO_TEST_CASE(ids_of_a_node_begin_with_its_name)
{
    options.node = "node7";
    http_client client = begin();
    const std::string session = greet(client);
    BOOST_TEST(session.starts_with("Mcp-Session-Id: node7."));
    BOOST_TEST(client.ask("/mcp", call(1, "add", R"({"a":2,"b":3})"), session).status == 200);
    http_client caller = connect();
    caller.post("/mcp", call(5, "tell"), session);
    caller.head();
    const std::string first = caller.read_until("\"progress\":1");
    caller.reset();
    release();
    http_client again = connect();
    again.request("GET", "/mcp", session + "Last-Event-ID: " + id_in(first, "\"progress\":1") + "\r\n");
    BOOST_TEST(again.response().body.find("\"text\":\"told\"") != std::string::npos);
    const std::string random = session.substr(session.find('.') + 1, 26);
    for (const std::string& id : {"node8." + random, random, "node7" + random, "." + random}) {
        const http_response got = client.ask("/mcp", call(1, "add"), "Mcp-Session-Id: " + id + "\r\n");
        BOOST_TEST(got.status == 404, id);
    }
    client.request("DELETE", "/mcp", session);
    BOOST_TEST(client.response().status == 204);
    BOOST_TEST(client.ask("/mcp", call(1, "add"), session).status == 404);
}

BOOST_AUTO_TEST_CASE(what_is_served_in_a_session_is_told_with_a_digest_of_its_id)
{
    std::vector<std::string> digests;
    options.session.on_served = [&](const partyline::served_event& e) { digests.emplace_back(e.session_digest); };
    http_client client = begin();
    const std::string field = greet(client);
    client.ask("/mcp", call(1, "add", R"({"a":1,"b":2})", modern_meta), modern_fields + "Mcp-Name: add\r\n");
    const std::string id = field.substr(std::string("Mcp-Session-Id: ").size(), 26);
    const std::string digest = partyline::http::session_table::digest_of(id);
    BOOST_TEST(digests == (std::vector<std::string>{digest, digest, ""}), boost::test_tools::per_element());
    BOOST_TEST(partyline::http::session_table::digest_of(std::string(26, 'a')) == "9976d549a25115da"); // sha256sum
}

BOOST_AUTO_TEST_CASE(what_has_no_session_is_told_so)
{
    http_client client = begin();
    const http_response without = client.ask("/mcp", R"({"jsonrpc":"2.0","id":1,"method":"ping"})");
    BOOST_TEST(without.status == 400);
    BOOST_TEST(code_of(without) == -32000);
    BOOST_TEST(client.ask("/mcp", R"({"jsonrpc":"2.0","id":1,"method":"ping"})", "Mcp-Session-Id: nobody\r\n").status ==
               404);
    const http_response bad = client.ask("/mcp", "{\"jsonrpc");
    BOOST_TEST(bad.status == 400);
    BOOST_TEST(code_of(bad) == -32700);
    BOOST_TEST(bad.body.find("\"id\"") == bad.body.npos);
    const std::string session = greet(client);
    BOOST_TEST(client
                   .ask("/mcp", R"({"jsonrpc":"2.0","id":1,"method":"ping"})",
                        session + "MCP-Protocol-Version: 1999-01-01\r\n")
                   .status == 400);
    BOOST_TEST(client.ask("/mcp", "[]", session).status == 400);
}

BOOST_AUTO_TEST_CASE(a_stream_that_can_not_be_had_is_not_asked_for_again)
{
    http_client client = begin();
    for (const char* fields : {"", "Accept: text/event-stream\r\n", "Accept: application/json\r\n",
                               "MCP-Protocol-Version: 2026-07-28\r\nMcp-Session-Id: x\r\n"}) {
        client.request("GET", "/mcp", fields);
        const http_response got = client.response();
        BOOST_TEST(got.status == 405);
        BOOST_TEST(got.field("allow") == "post, options");
    }
    client.request("GET", "/mcp", "Mcp-Session-Id: x\r\n");
    BOOST_TEST(client.response().status == 404);
    const std::string session = greet(client);
    client.request("GET", "/mcp", session + "Accept: application/json\r\n");
    BOOST_TEST(client.response().status == 406);
}

BOOST_AUTO_TEST_CASE(the_stream_of_a_call_goes_on_without_its_connection)
{
    http_client client = begin();
    const std::string session = greet(client);
    http_client caller = connect();
    caller.post("/mcp", call(5, "tell"), session);
    BOOST_TEST(caller.head().field("content-type") == "text/event-stream");
    const std::string first = caller.read_until("\"progress\":1");
    BOOST_TEST(first.starts_with("id: 1-0\nretry: 3000\ndata: \n\n"));
    caller.reset();
    run_until([this] { return served().connections() == 1; });
    BOOST_TEST(waiting == 1); // to lose a connection is no cancel
    release();
    run_until([this] { return waiting == 0; });
    BOOST_TEST(!was_cancelled);

    http_client again = connect();
    again.request("GET", "/mcp", session + "Last-Event-ID: " + id_in(first, "\"progress\":1") + "\r\n");
    const http_response rest = again.response(); // and it ends with the reply
    BOOST_TEST(rest.status == 200);
    BOOST_TEST(rest.body.find("\"progress\":1") == rest.body.npos);
    BOOST_TEST(rest.body.find("\"progress\":2") != rest.body.npos);
    BOOST_TEST(rest.body.find("\"text\":\"told\"") != rest.body.npos);
    again.request("GET", "/mcp", session + "Last-Event-ID: 9-1\r\n");
    BOOST_TEST(again.response().status == 400);
    again.request("GET", "/mcp", session + "Last-Event-ID: nonsense\r\n");
    BOOST_TEST(again.response().status == 400);
}

BOOST_AUTO_TEST_CASE(who_comes_back_takes_the_stream_over)
{
    http_client client = begin();
    const std::string session = greet(client);
    http_client caller = connect();
    caller.post("/mcp", call(5, "tell"), session);
    caller.head();
    const std::string first = caller.read_until("\"progress\":1");
    http_client again = connect();
    again.request("GET", "/mcp", session + "Last-Event-ID: " + id_in(first, "\"progress\":1") + "\r\n");
    again.head();
    again.read_until("retry: 3000");
    release();
    again.read_until("\"text\":\"told\"");
    BOOST_TEST(client.ask("/mcp", R"({"jsonrpc":"2.0","id":6,"method":"ping"})", session).status == 200);
}

BOOST_AUTO_TEST_CASE(changes_are_told_in_the_stream_of_the_session)
{
    http_client client = begin();
    const std::string session = greet(client);
    http_client listener = connect();
    listener.request("GET", "/mcp", session + "Accept: text/event-stream\r\n");
    BOOST_TEST(listener.head().status == 200);
    server.add_tool("later", "Comes later.", [] { return "x"; });
    const std::string told = listener.read_until("tools/list_changed");
    http_client second = connect(); // it takes over
    second.request("GET", "/mcp", session);
    second.head();
    server.add_tool("latest", "Comes later still.", [] { return "x"; });
    const std::string next = second.read_until("tools/list_changed");
    BOOST_TEST(id_in(next, "tools/list_changed") != id_in(told, "tools/list_changed"));
    listener.close();
    second.close();
    run_until([this] { return served().connections() == 1; });
    server.add_tool("last", "Comes when nobody listens.", [] { return "x"; });
    context.poll();
    http_client third = connect();
    third.request("GET", "/mcp", session);
    third.head();
    third.read_until("tools/list_changed"); // it was kept
}

BOOST_AUTO_TEST_CASE(revisions_without_such_events_get_none)
{
    http_client client = begin();
    const std::string session = greet(client, "2025-06-18");
    http_client caller = connect();
    caller.post("/mcp", call(5, "tell"), session);
    caller.head();
    BOOST_TEST(caller.read_until("\"progress\":1").starts_with("id: 1-1\nevent: message\n"));
}

BOOST_AUTO_TEST_CASE(initialize_agrees_about_the_revision_whatever_the_field_says)
{
    http_client client = begin();
    const std::string greeting = R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":)"
                                 R"("2031-01-01","capabilities":{},"clientInfo":{"name":"t","version":"1"}}})";
    for (const std::string fields : {"", "MCP-Protocol-Version: 2031-01-01\r\n", "MCP-Protocol-Version: none\r\n"}) {
        const http_response got = client.ask("/mcp", greeting, fields);
        BOOST_TEST_REQUIRE(got.status == 200);
        BOOST_TEST((json::parse(got.body).at("result").at("protocolVersion") == "2025-11-25"));
    }
    const std::string session = greet(client);
    const std::string ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
    BOOST_TEST(client.ask("/mcp", ping, session + "MCP-Protocol-Version: 2031-01-01\r\n").status == 400);
}

BOOST_AUTO_TEST_CASE(a_request_under_way_at_the_servers_end_is_answered_with_connection_close)
{
    http_client client = begin();
    const std::string session = greet(client);
    client.post("/mcp", call(1, "wait"), session);
    run_until([this] { return waiting == 1; });
    served().close();
    context.restart();
    context.poll();
    release();
    const http_response got = client.response();
    BOOST_TEST(got.field("connection") == "close");
    BOOST_TEST(got.body.find("\"text\":\"7\"") != got.body.npos, got.body);
    client.close();
    run_until([this] { return ended.has_value(); });
}

BOOST_AUTO_TEST_CASE(a_client_that_closes_behind_unread_bytes_leaves_its_connection_and_cancels_nothing)
{
    http_client client = begin();
    const std::string session = greet(client);
    client.post("/mcp", call(1, "wait"), session);
    client.send(std::string(80'000, 'x'));
    run_until([this] { return waiting == 1; });
    client.close();
    run_until([this] { return served().connections() == 0; });
    BOOST_TEST(waiting == 1); // that a connection is lost is no cancel
    release();
    run_until([this] { return waiting == 0; });
    BOOST_TEST(!was_cancelled);
}

BOOST_AUTO_TEST_CASE(idle_sessions_end)
{
    options.mcp.idle = std::chrono::milliseconds(1);
    http_client client = begin();
    const std::string session = greet(client);
    run_until([&] {
        return client.ask("/mcp", R"({"jsonrpc":"2.0","id":1,"method":"ping"})", session).status == 404 ||
               (context.run_one_for(std::chrono::milliseconds(300)), false);
    });
}

BOOST_AUTO_TEST_CASE(the_oldest_idle_session_makes_room)
{
    options.mcp.sessions = 2;
    http_client client = begin();
    const std::string ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
    const std::string first = greet(client);
    const std::string second = greet(client);
    BOOST_TEST(client.ask("/mcp", ping, first).status == 200); // so the second one is older
    const std::string third = greet(client);
    BOOST_TEST(client.ask("/mcp", ping, second).status == 404);
    BOOST_TEST(client.ask("/mcp", ping, first).status == 200);
    BOOST_TEST(client.ask("/mcp", ping, third).status == 200);
}

// rule: security.access.connections
BOOST_AUTO_TEST_CASE(an_address_that_begins_many_sessions_ends_none_of_others)
{
    options.mcp.sessions = 3;
    options.allowed_hosts = {"localhost"};
    begin();
    http::accepted_protocols accepted;
    accepted.proxy_protocol = true;
    const std::uint16_t proxied = served().listen_tcp("127.0.0.1", 0, accepted).port();
    http_client honest(context, proxied);
    honest.send("PROXY TCP4 192.0.2.1 192.0.2.9 56324 443\r\n");
    http_client greedy(context, proxied);
    greedy.send("PROXY TCP4 192.0.2.2 192.0.2.9 56324 443\r\n");
    const std::string kept = greet(honest);
    const std::string first = greet(greedy);
    std::string last;
    for (int i = 0; i != 5; ++i)
        last = greet(greedy);
    const std::string ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
    BOOST_TEST(honest.ask("/mcp", ping, kept).status == 200);
    BOOST_TEST(greedy.ask("/mcp", ping, first).status == 404);
    BOOST_TEST(greedy.ask("/mcp", ping, last).status == 200);
}

BOOST_AUTO_TEST_CASE(a_session_that_works_does_not_make_room)
{
    options.mcp.sessions = 2;
    http_client client = begin();
    const std::string first = greet(client);
    http_client caller = connect();
    caller.post("/mcp", call(1, "tell"), first);
    caller.head();
    http_client listener = connect();
    const std::string second = greet(client);
    const std::string ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
    listener.request("GET", "/mcp", second);
    listener.head();
    BOOST_TEST(client.ask("/mcp", greeting("2025-11-25")).status == 503);
    listener.close();
    run_until([this] { return served().connections() == 2; });
    const std::string third = greet(client);
    BOOST_TEST(client.ask("/mcp", ping, second).status == 404);
    release();
    caller.read_until("\"told\"");
    BOOST_TEST(client.ask("/mcp", ping, first).status == 200);
    BOOST_TEST(client.ask("/mcp", ping, third).status == 200);
}

BOOST_AUTO_TEST_CASE(modern_requests_need_no_session)
{
    http_client client = begin();
    const http_response got =
        client.ask("/mcp", call(1, "add", R"({"a":1,"b":2})", modern_meta), modern_fields + "Mcp-Name: add\r\n");
    BOOST_TEST(got.status == 200);
    BOOST_TEST(got.field("mcp-session-id").empty());
    BOOST_TEST(got.body.find("\"resultType\"") != got.body.npos);
}

BOOST_AUTO_TEST_CASE(modern_fields_repeat_the_body)
{
    http_client client = begin();
    const std::string body = call(1, "add", R"({"a":1,"b":2})", modern_meta);
    struct row {
        std::string fields;
        int status;
    };
    const std::string version = "MCP-Protocol-Version: 2026-07-28\r\n";
    const std::string method = "mcp-method: tools/call\r\n";
    for (const row& each : std::initializer_list<row>{
             {version + method + "Mcp-Name: add\r\n", 200},
             {version + method + "MCP-NAME:   add  \r\n", 200},
             {version + method + "Mcp-Name: =?base64?YWRk?=\r\n", 200},
             {version + method + "Mcp-Name: =?base64?YWR?=\r\n", 400},
             {version + method + "Mcp-Name: =?base64?YW!k?=\r\n", 400},
             {version + method + "Mcp-Name: Add\r\n", 400},
             {version + method + "Mcp-Name: add\r\nMcp-Name: add\r\n", 400},
             {version + method, 400},
             {version + "Mcp-Name: add\r\n", 400},
             {version + "Mcp-Method: tools/CALL\r\nMcp-Name: add\r\n", 400},
             {method + "Mcp-Name: add\r\n", 400},
             {"MCP-Protocol-Version: 2025-11-25\r\n" + method + "Mcp-Name: add\r\n", 400},
         }) {
        const http_response got = client.ask("/mcp", body, each.fields);
        BOOST_TEST(got.status == each.status, each.fields);
        if (each.status != 200) {
            BOOST_TEST(code_of(got) == -32020);
            BOOST_TEST((json::parse(got.body).at("id") == 1));
        }
    }
}

BOOST_AUTO_TEST_CASE(marked_arguments_are_repeated_too)
{
    server.add_tool("marked", "Has marks.",
                    partyline::json_text(
                        R"({"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"},)"
                        R"("in":{"type":"object","properties":{"count":{"type":"integer","x-mcp-header":"Count"}}}}})"),
                    [](partyline::json_view) { return std::string("marked"); });
    http_client client = begin();
    const auto status = [&](const std::string& arguments, const std::string& fields) {
        return client
            .ask("/mcp", call(1, "marked", arguments, modern_meta), modern_fields + "Mcp-Name: marked\r\n" + fields)
            .status;
    };
    BOOST_TEST(status("{}", "") == 200);
    BOOST_TEST(status(R"({"region":"a"})", "Mcp-Param-Region: a\r\n") == 200);
    BOOST_TEST(status(R"({"region":"a"})", "mcp-param-region: =?base64?YQ==?=\r\n") == 200);
    BOOST_TEST(status(R"({"region":"a"})", "") == 400);
    BOOST_TEST(status(R"({"region":"a"})", "Mcp-Param-Region: b\r\n") == 400);
    BOOST_TEST(status(R"({"region":"a"})", "Mcp-Param-Region: a\r\nMcp-Param-Region: a\r\n") == 400);
    BOOST_TEST(status(R"({"region":null})", "") == 200);
    BOOST_TEST(status("{}", "Mcp-Param-Region: a\r\n") == 400);
    BOOST_TEST(status(R"({"in":{"count":42}})", "Mcp-Param-Count: 042\r\n") == 200); // by its number
    BOOST_TEST(status(R"({"in":{"count":42}})", "Mcp-Param-Count: 43\r\n") == 400);
    BOOST_TEST(status("{}", "Mcp-Param-Other: x\r\n") == 200);
}

BOOST_AUTO_TEST_CASE(marks_that_clients_refuse_are_refused)
{
    const auto add = [&](const std::string& properties) {
        server.add_tool("bad", "Has a bad mark.",
                        partyline::json_text("{\"type\":\"object\",\"properties\":" + properties + '}'),
                        [](partyline::json_view) { return std::string(); });
    };
    for (const char* properties :
         {R"({"a":{"type":"string","x-mcp-header":""}})", R"({"a":{"type":"string","x-mcp-header":"a b"}})",
          R"({"a":{"type":"string","x-mcp-header":1}})", R"({"a":{"type":"number","x-mcp-header":"A"}})",
          R"({"a":{"x-mcp-header":"A"}})",
          R"({"a":{"type":"string","x-mcp-header":"R"},"b":{"type":"string","x-mcp-header":"r"}})"})
        BOOST_CHECK_THROW(add(properties), std::invalid_argument);
    add(R"({"a":{"type":"string","x-mcp-header":"R"},"b":{"type":"boolean","x-mcp-header":"S"}})");
}

BOOST_AUTO_TEST_CASE(modern_errors_have_the_status_of_where_they_come_from)
{
    http_client client = begin();
    const auto ask = [&](const std::string& method, const std::string& params, const std::string& fields = {}) {
        return client.ask("/mcp",
                          "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + method + "\",\"params\":" + params + '}',
                          "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: " + method + "\r\n" + fields);
    };
    BOOST_TEST(ask("nope", "{\"_meta\":" + modern_meta + '}').status == 404);
    BOOST_TEST(ask("initialize", "{\"_meta\":" + modern_meta + '}').status == 404);
    BOOST_TEST(ask("tools/list", "{}").status == 400);
    BOOST_TEST(ask("tools/list", R"({"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}})").status ==
               400);
    BOOST_TEST(ask("tools/call", "{\"name\":\"nope\",\"_meta\":" + modern_meta + '}', "Mcp-Name: nope\r\n").status ==
               200);
    BOOST_TEST(ask("tools/list", "{\"cursor\":\"nonsense\",\"_meta\":" + modern_meta + '}').status == 200);
}

BOOST_AUTO_TEST_CASE(a_modern_client_cancels_by_closing_the_answer)
{
    http_client client = begin();
    client.post("/mcp", call(1, "tell", "{}", modern_meta), modern_fields + "Mcp-Name: tell\r\n");
    client.head();
    const std::string first = client.read_until("\"progress\":1");
    BOOST_TEST(first.find("id: ") == first.npos); // such a stream is not resumed
    client.close();
    run_until([this] { return waiting == 0; });
    BOOST_TEST(was_cancelled);
}

// rule: security.access.gone
BOOST_AUTO_TEST_CASE(a_modern_client_that_closes_behind_unread_bytes_cancels)
{
    http_client client = begin();
    client.post("/mcp", call(1, "wait", "{}", modern_meta), modern_fields + "Mcp-Name: wait\r\n");
    client.send(std::string(80'000, 'x'));
    run_until([this] { return waiting == 1; });
    client.close();
    run_until([this] { return waiting == 0 && served().connections() == 0; });
    BOOST_TEST(was_cancelled);
}

BOOST_AUTO_TEST_CASE(a_stream_that_is_asked_for_at_the_end_ends_at_once)
{
    http_client client = begin();
    const std::string session = greet(client);
    served().close();
    context.restart();
    context.poll();
    client.request("GET", "/mcp", session);
    const http_response got = client.response();
    BOOST_TEST(got.field("content-type") == "text/event-stream");
    BOOST_TEST(got.field("connection") == "close");
    BOOST_TEST(client.is_closed());
    client.close();
    run_until([this] { return ended.has_value(); });
}

BOOST_AUTO_TEST_CASE(a_tool_that_stops_the_server_is_cancelled_with_its_session)
{
    http_client client = begin();
    client.post("/mcp", call(1, "stop"), greet(client));
    client.read_to_end();
    run_until([this] { return waiting == 0 && ended.has_value() && served().sessions() == 0; });
    BOOST_TEST(was_cancelled);
}

BOOST_AUTO_TEST_CASE(streams_end_with_the_server)
{
    http_client client = begin();
    const std::string session = greet(client);
    http_client listener = connect();
    listener.request("GET", "/mcp", session);
    listener.head();
    served().close();
    BOOST_TEST(listener.is_closed() == false); // the end of the chunks comes first
    run_until([this] { return ended.has_value(); });
    BOOST_TEST(!*ended);
}

BOOST_AUTO_TEST_SUITE_END()
