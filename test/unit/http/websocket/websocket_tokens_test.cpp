// http::websocket_client with a source of tokens, and a server of ours that asks who calls.

#include "client/scripted_tokens.hpp"
#include "http_fixture.hpp"
#include "support/fake_access.hpp"
#include "support/outcome.hpp"

#include <partyline/http.hpp>
#include <partyline/rpc/args.hpp>

#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>
#include <optional>
#include <string>

using namespace partyline;
using partyline::http::client_errc;
using partyline::test::fake_access;
using partyline::test::http_fixture;
using partyline::test::outcome;
using partyline::test::scripted_tokens;
namespace asio = boost::asio;

namespace {

struct websocket_tokens_fixture : http_fixture {
    const std::shared_ptr<fake_access> access = std::make_shared<fake_access>();
    std::shared_ptr<scripted_tokens> tokens;
    std::optional<session> client;
    std::optional<error_code> client_end;

    websocket_tokens_fixture()
    {
        options.session.executor_is_serial = true;
        options.access = access;
        access->admit("alice", "alice");
        access->publish({"https://rpc.example.org/ws", {"https://as.example.org"}, {"build"}});
        auto methods = std::make_shared<method_table>();
        methods->add("who", [](request_context& own) { return own.peer().principal; });
        served().add_websocket("/ws", std::move(methods));
        start();
        const std::string address = "ws://127.0.0.1:" + std::to_string(port()) + "/ws";
        tokens = std::make_shared<scripted_tokens>(context.get_executor(), address);
        http::client_options how;
        how.session.executor_is_serial = true;
        how.tokens = tokens;
        client.emplace(http::websocket_client(context.get_executor(), address, std::move(how)));
    }
    std::string who()
    {
        outcome one;
        client->call("who")(one.handler());
        client->async_run([this](error_code failed) { client_end = failed; });
        run_until([&] { return one.is_there(); });
        details = one.said.details();
        return one.text();
    }
    std::string details;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(http_websocket_tokens, websocket_tokens_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(a_known_token_opens_the_websocket_at_once)
{
    tokens->current = "alice";
    BOOST_TEST(who() == R"(result "alice")");
    BOOST_TEST(tokens->asked.empty());
}

BOOST_AUTO_TEST_CASE(a_refused_handshake_is_repeated_with_another_token)
{
    tokens->next = {"older", "alice"};
    BOOST_TEST(who() == R"(result "alice")");
    BOOST_TEST_REQUIRE(tokens->asked.size() == 2u);
    BOOST_TEST(tokens->asked[0]->scope == "build");
    BOOST_TEST(tokens->asked[0]->error == "");
    BOOST_TEST(tokens->asked[1]->error == "invalid_token");
    BOOST_TEST(tokens->asked[1]->refused_token == "older");
    BOOST_TEST(tokens->asked[1]->resource_metadata ==
               "https://rpc.example.org/.well-known/oauth-protected-resource/ws");
}

BOOST_AUTO_TEST_CASE(after_three_more_tokens_the_session_ends)
{
    tokens->next = {"a", "b", "c", "alice"};
    BOOST_TEST(who() == "failed: the server has not authorized the request");
    BOOST_TEST(details.starts_with("HTTP status 401, WWW-Authenticate: Bearer error=\"invalid_token\""), details);
    run_until([this] { return client_end.has_value(); });
    BOOST_TEST((*client_end == client_errc::unauthorized));
    BOOST_TEST(tokens->asked.size() == 3u);
}

BOOST_AUTO_TEST_CASE(a_session_that_is_stopped_waits_for_no_token)
{
    tokens->may_go_on.reset();
    outcome one;
    client->call("who")(one.handler());
    client->async_run([this](error_code failed) { client_end = failed; });
    run_until([this] { return tokens->asked.size() == 1; });
    client->stop();
    run_until([&] { return client_end && one.is_there(); });
    client.reset();
    run_until([this] { return tokens.use_count() == 1; });
}

BOOST_AUTO_TEST_SUITE_END()
