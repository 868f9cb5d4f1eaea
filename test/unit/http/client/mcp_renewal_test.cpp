// http::mcp_client and servers of the handshake's era that lose sessions, have no stream of events, or never end one.

#include "client/fickle_server.hpp"
#include "http_fixture.hpp"

#include <partyline/http.hpp>
#include <partyline/mcp/client.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/test/unit_test.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

using namespace partyline;
using partyline::mcp::wanted_era;
using partyline::test::asked_request;
using partyline::test::fickle_server;
namespace asio = boost::asio;

namespace {

struct renewal_fixture {
    asio::io_context context{1};
    int session = 1;      // the one that the server knows
    bool is_known = true; // and has not lost
    int losses = 0;       // at the end of the handshake, which are still to come
    int refusals = 0;     // of `initialize`, which are still to come
    int untold = 0;       // refusals of `notifications/initialized`, which are still to come
    std::string on_refusal = test::bare_answer(500);
    std::string on_get = test::bare_answer(405);
    std::string on_lost = test::bare_answer(404);
    std::vector<std::string> logged;
    fickle_server server{context, [this](const asked_request& asked) { return answer(asked); }};
    std::optional<mcp::client> client;

    ~renewal_fixture()
    {
        client.reset();
        context.restart();
        context.poll();
    }
    void connect(std::size_t connections)
    {
        http::client_options way;
        way.connections = connections;
        mcp::client_options how;
        how.era = wanted_era::legacy;
        how.session.executor_is_serial = true;
        how.session.log = [this](std::string_view line) { logged.emplace_back(line); };
        client.emplace(http::mcp_client(context.get_executor(), server.address(), way), how);
        error_code failed = errc::timeout;
        bool is_there = false;
        client->start()([&](error_code code, auto) { failed = code, is_there = true; });
        run_until([&] { return is_there; });
        BOOST_TEST_REQUIRE(!failed, failed.message());
        run_until([this] { return server.count("GET") == 1; }); // behind which all of the handshake is answered
    }
    void lose()
    {
        is_known = false;
        ++session;
    }
    error_code call(const std::string& tool = "any")
    {
        std::optional<error_code> told;
        client->call_tool(tool)([&](error_code failed, auto) { told = failed; });
        run_until([&] { return told.has_value(); });
        return *told;
    }
    void run_until(const std::function<bool()>& done) { test::run_until(context, done); }

private:
    std::string answer(const asked_request& asked)
    {
        const std::string method = asked.member("method");
        if (method == "initialize")
            return greet(asked);
        if (asked.verb() == "DELETE")
            return test::bare_answer(200);
        if (method == "notifications/initialized" && untold != 0) {
            --untold;
            return test::bare_answer(500);
        }
        if (method == "notifications/initialized" && losses != 0) {
            --losses;
            lose();
        }
        if (!is_known || asked.field("Mcp-Session-Id") != "s" + std::to_string(session))
            return on_lost;
        if (asked.verb() == "GET")
            return on_get;
        if (method != "tools/call")
            return test::bare_answer(202);
        if (asked.member("name") != "endless")
            return test::result_answer(asked, R"({"content":[]})");
        const std::string reply = R"({"jsonrpc":"2.0","id":)" + asked.member("id") + R"(,"result":{"content":[]}})";
        return test::event_answer("data: " + reply + "\n\n");
    }
    std::string greet(const asked_request& asked)
    {
        if (refusals != 0) {
            --refusals;
            return on_refusal;
        }
        is_known = true;
        return test::result_answer(
            asked,
            R"({"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}})",
            "Mcp-Session-Id: s" + std::to_string(session) + "\r\n");
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(http_mcp_renewal, renewal_fixture, *boost::unit_test::timeout(60))

// Some servers say 400 in place of 404, and that to a ping as well.
BOOST_AUTO_TEST_CASE(is_for_a_server_that_takes_a_lost_session_for_a_bad_request)
{
    on_lost = test::bare_answer(400);
    connect(1);
    lose();
    BOOST_TEST(!call());
    BOOST_TEST(server.count("POST initialize") == 2);
    BOOST_TEST(server.count("POST ping") == 1);
}

BOOST_AUTO_TEST_CASE(needs_no_connection_that_calls_may_need)
{
    connect(1);
    for (int i = 0; i != 3; ++i) {
        lose();
        BOOST_TEST(!call());
        BOOST_TEST(server.count("POST initialize") == i + 2);
    }
}

BOOST_AUTO_TEST_CASE(goes_on_with_the_handshake_where_that_was_lost)
{
    losses = 1;
    connect(1);
    BOOST_TEST(!call());
    BOOST_TEST(server.count("POST initialize") == 2);
    BOOST_TEST(server.count("POST notifications/initialized") == 2);
}

BOOST_AUTO_TEST_CASE(is_tried_again_by_the_next_call_where_it_fails)
{
    connect(1);
    lose();
    refusals = 2;
    BOOST_TEST((call() == errc::http_status));
    BOOST_TEST((call() == errc::http_status));
    BOOST_TEST(!call());
    BOOST_TEST(!call());
    BOOST_TEST(server.count("POST initialize") == 4);
    BOOST_TEST(server.count("POST notifications/initialized") == 2);
}

BOOST_AUTO_TEST_CASE(is_none_where_the_server_wants_to_know_first_who_asks)
{
    connect(1);
    lose();
    refusals = 1;
    on_refusal = test::json_answer(401, R"({"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18"}})");
    BOOST_TEST((call() == errc::http_status));
    BOOST_TEST(server.count("POST tools/call") == 1); // not again, in a session that there is not
}

BOOST_AUTO_TEST_CASE(is_followed_by_another_stream_of_events)
{
    on_get = test::event_answer(": here\n\n");
    connect(1);
    for (int i = 0; i != 3; ++i) {
        lose();
        BOOST_TEST(!call());
        run_until([&] { return server.count("GET") == i + 2; });
    }
}

// It would be begun again and again, for nothing.
BOOST_AUTO_TEST_CASE(is_not_for_a_server_that_says_404_where_it_has_no_stream)
{
    on_get = test::bare_answer(404);
    connect(2);
    for (int i = 0; i != 10; ++i)
        BOOST_TEST(!call());
    BOOST_TEST(server.count("POST initialize") == 1);
    BOOST_TEST(server.count("GET") == 1);
}

BOOST_AUTO_TEST_CASE(is_not_for_a_server_that_says_404_to_all)
{
    connect(2);
    is_known = false;
    session = -1;
    refusals = 1000;
    for (int i = 0; i != 3; ++i)
        BOOST_TEST((call() == errc::http_status));
    BOOST_TEST(server.count("POST initialize") == 4); // once for each call
    BOOST_TEST(server.count("POST tools/call") == 3);
}

BOOST_AUTO_TEST_CASE(ends_with_its_client_while_it_is_under_way)
{
    connect(1);
    lose();
    refusals = 0;
    std::optional<error_code> told;
    on_lost.clear(); // and the call is not answered
    client->call_tool("any")([&](error_code failed, auto) { told = failed; });
    run_until([this] { return server.count("POST tools/call") == 1; });
    client.reset();
    run_until([&] { return told.has_value(); });
    BOOST_TEST(*told);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(http_mcp_streams, renewal_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(that_never_end_keep_no_other_call_waiting_for_ever)
{
    connect(1);
    for (int i = 0; i != 2; ++i)
        BOOST_TEST(!call("endless"));
    BOOST_TEST(!call());
}

BOOST_AUTO_TEST_CASE(is_tried_again_as_a_whole_where_its_second_half_fails)
{
    connect(1);
    lose();
    untold = 1;
    BOOST_TEST((call() == errc::http_status));
    BOOST_TEST(!call());
    BOOST_TEST(server.count("POST initialize") == 3);
    BOOST_TEST(server.count("POST notifications/initialized") == 3);
}

BOOST_AUTO_TEST_SUITE_END()
