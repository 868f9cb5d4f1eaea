// Who may open a WebSocket, what may be called there, and how it ends with the credentials.

#include "serve/rpc_fixture.hpp"
#include "support/fake_access.hpp"
#include "support/websocket_client.hpp"
#include "support/websocket_frames.hpp"

#include <partyline/http.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

using namespace partyline;
using partyline::test::bearer;
using partyline::test::fake_access;
using partyline::test::fake_view;
using partyline::test::heard_frame;
using partyline::test::http_response;
using partyline::test::rpc_fixture;
using partyline::test::websocket_client;
using auth = partyline::authentication_outcome;
namespace frames = websocket_frames;

namespace {

constexpr unsigned policy_violation = 1008;
constexpr std::string_view last_words = "credentials have expired or were taken away";

std::string error_reply(std::string_view id, std::string_view told)
{
    return R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"error":)" + std::string(told) + '}';
}

struct websocket_access_fixture : rpc_fixture {
    websocket_access_fixture()
    {
        options.session.executor_is_serial = true;
        options.session.drain_timeout = std::chrono::seconds(2); // some ticks
        options.access = access;
        access->admit("alice", "alice",
                      partyline::test::allow_others(
                          {{"hidden", access_answer::hidden}, {"lacking", access_answer::lacks_scope}}));
        access->refuse("old", auth::expired);
        access->refuse("foreign", auth::wrong_audience);
        access->refuse("early", auth::unavailable);
        for (const char* name : {"hidden", "lacking", "open"})
            methods.add(name, [this] { return ++served_calls; });
        methods.add("who", [](request_context& own) {
            const peer_identity& peer = own.peer();
            return peer.source + '/' + peer.principal + (peer.address ? "/tcp" : "");
        });
        served().add_websocket("/ws", std::move(methods));
        start();
    }

    websocket_client opened(std::string_view token = "alice")
    {
        websocket_client client(context, port());
        client.open("/ws", bearer(token));
        return client;
    }
    void take_away() { access->refuse("alice", auth::invalid); }
    // The frame that ends it; what is told before is in order.
    static void check_end(websocket_client& client)
    {
        const heard_frame last = client.next();
        BOOST_TEST(last.code() == policy_violation);
        BOOST_TEST(last.content.substr(2) == last_words);
        client.send(frames::closing(policy_violation));
        BOOST_TEST(client.connection().is_closed());
    }

    const std::shared_ptr<fake_access> access = std::make_shared<fake_access>();
    int served_calls = 0;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(http_websocket_access, websocket_access_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(an_upgrade_is_refused_as_a_post_is)
{
    access->publish({"https://rpc.example.org/ws", {"https://as.example.org"}, {"build"}});
    const std::string metadata =
        R"(resource_metadata="https://rpc.example.org/.well-known/oauth-protected-resource/ws")";
    const struct {
        std::string fields;
        int status;
        std::string challenge;
        std::string body;
    } rows[] = {
        {"", 401, "bearer " + metadata + R"(, scope="build")",
         R"({"code":-31005,"message":"Authentication required"})"},
        {bearer("unknown"), 401, R"(bearer error="invalid_token", )" + metadata,
         R"({"code":-31005,"message":"The token is not valid"})"},
        {bearer("old"), 401, R"(bearer error="invalid_token", error_description="expired", )" + metadata,
         R"({"code":-31005,"message":"The token has expired"})"},
        {bearer("foreign"), 401, R"(bearer error="invalid_token", error_description="audience", )" + metadata,
         R"({"code":-31005,"message":"The token is for another server"})"},
        {bearer("alice") + bearer("alice"), 400, R"(bearer error="invalid_request")",
         R"({"code":-31005,"message":"Authorization is to be one Bearer token"})"},
        {"Authorization: Basic YTpi\r\n", 400, R"(bearer error="invalid_request")",
         R"({"code":-31005,"message":"Authorization is to be one Bearer token"})"},
        {bearer("early"), 503, "", R"({"code":-31001,"message":"Server busy"})"},
        {bearer("alice") + "Origin: https://evil.example\r\n", 403, "", ""},
    };
    for (const auto& row : rows)
        BOOST_TEST_CONTEXT(row.fields)
        {
            websocket_client client(context, port());
            const http_response found = client.ask("/ws", row.fields);
            BOOST_TEST(found.status == row.status);
            BOOST_TEST(found.field("www-authenticate") == row.challenge);
            BOOST_TEST(found.field("retry-after") == (row.status == 503 ? "1" : ""));
            if (!row.body.empty())
                BOOST_TEST(found.body == R"({"jsonrpc":"2.0","error":)" + row.body + '}');
        }
    access->refuse_all(auth::throttled);
    websocket_client client(context, port());
    const http_response found = client.ask("/ws", bearer("alice"));
    BOOST_TEST(found.status == 429);
    BOOST_TEST(found.field("retry-after") == "10");
}

BOOST_AUTO_TEST_CASE(a_token_is_not_taken_from_elsewhere)
{
    for (const std::string fields : {"Sec-WebSocket-Protocol: bearer, alice\r\n", "Cookie: access_token=alice\r\n",
                                     "Proxy-Authorization: Bearer alice\r\n"}) {
        websocket_client client(context, port());
        BOOST_TEST(client.ask("/ws", fields).status == 401);
    }
    websocket_client client(context, port());
    BOOST_TEST(client.ask("/ws?access_token=alice").status == 400);
}

BOOST_AUTO_TEST_CASE(what_comes_behind_a_refused_upgrade_is_not_read)
{
    websocket_client client(context, port());
    BOOST_TEST(client.ask("/ws").field("connection") == "close");
    client.say(call(1, "open"));
    BOOST_TEST(client.connection().is_closed());
    BOOST_TEST(served_calls == 0);
}

BOOST_AUTO_TEST_CASE(its_peer_is_known_and_judged)
{
    websocket_client client = opened();
    client.say(call(1, "who"));
    BOOST_TEST(client.next_text() == reply(1, R"("token/alice/tcp")"));
    client.say(call(2, "hidden"));
    const std::string of_hidden = client.next_text();
    client.say(call(2, "absent"));
    const std::string of_absent = client.next_text();
    BOOST_TEST(of_hidden.find("-32601") != of_hidden.npos);
    BOOST_TEST(of_hidden.size() == of_absent.size());
    client.say(call(3, "lacking"));
    BOOST_TEST(
        client.next_text() ==
        error_reply("3", R"({"code":-31003,"message":"Insufficient scope","data":{"required":["files:write"]}})"));
    BOOST_TEST(served_calls == 0);
}

// rule: security.access.end
BOOST_AUTO_TEST_CASE(it_ends_when_its_token_is_taken_away)
{
    websocket_client client = opened();
    client.say(call(1, "open"));
    BOOST_TEST(client.next_text() == reply(1, "1"));
    websocket_client other = opened();
    take_away();
    check_end(client);
    check_end(other);
    run_until([&] { return served().connections() == 0; });
    websocket_client late(context, port());
    BOOST_TEST(late.ask("/ws", bearer("alice")).status == 401);
}

BOOST_AUTO_TEST_CASE(nothing_is_served_after_its_end)
{
    websocket_client client = opened();
    take_away();
    const heard_frame last = client.next();
    BOOST_TEST(last.code() == policy_violation);
    client.say(call(1, "open"));
    client.send(frames::closing(policy_violation));
    BOOST_TEST(client.connection().is_closed());
    BOOST_TEST(served_calls == 0);
}

BOOST_AUTO_TEST_CASE(a_handler_under_way_is_answered_and_no_other_begins)
{
    websocket_client client = opened();
    client.say(call(1, "wait"));
    run_until([&] { return waiting == 1; });
    take_away();
    heard_frame refused;
    for (int id = 2; refused.content.find("-31005") == std::string::npos; ++id) { // before the tick they are served
        client.say(call(id, "open"));
        refused = client.next();
        BOOST_TEST_REQUIRE(refused.type == 1u);
    }
    BOOST_TEST(refused.content.find("Authentication required") != std::string::npos);
    const int before = served_calls;
    client.say(call(0, "open"));
    BOOST_TEST(client.next_text() == error_reply("0", R"({"code":-31005,"message":"Authentication required"})"));
    release();
    BOOST_TEST(client.next_text() == reply(1, "7"));
    check_end(client);
    BOOST_TEST(served_calls == before);
}

BOOST_AUTO_TEST_CASE(a_handler_that_does_not_end_in_time_is_cancelled)
{
    websocket_client client = opened();
    client.say(call(1, "wait"));
    run_until([&] { return waiting == 1; });
    take_away();
    BOOST_TEST(client.next_text().find("\"id\":1") != std::string::npos);
    BOOST_TEST(was_cancelled);
    check_end(client);
}

BOOST_AUTO_TEST_CASE(changed_rights_hold_from_then_on)
{
    websocket_client client = opened();
    client.say(call(1, "open"));
    BOOST_TEST(client.next_text() == reply(1, "1"));
    access->admit("alice", "alice",
                  std::make_shared<const fake_view>(
                      access_answer::hidden, partyline::test::named_answers{{"lacking", access_answer::allowed}}));
    std::string told;
    for (int id = 2; told.find("-32601") == told.npos; ++id) {
        client.say(call(id, "open"));
        told = client.next_text();
    }
    client.say(call(0, "lacking"));
    BOOST_TEST(client.next_text().find("\"result\"") != std::string::npos);
    access->admit("alice", "mallory"); // the same token for somebody else: another conversation is needed
    check_end(client);
}

BOOST_AUTO_TEST_CASE(a_server_that_ends_ends_it_as_it_ends_others)
{
    websocket_client client = opened();
    served().close();
    BOOST_TEST(client.next().code() == 1012u);
    client.send(frames::closing(1012));
    run_until([&] { return ended.has_value(); });
    BOOST_TEST(!*ended);
}

BOOST_AUTO_TEST_SUITE_END()
