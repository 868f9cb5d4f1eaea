// http::mcp_client with a source of tokens: streams of events, sessions that are begun again, and the end.

#include "client/fickle_server.hpp"
#include "client/scripted_tokens.hpp"
#include "support/http_client.hpp"

#include <partyline/http.hpp>
#include <partyline/session.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

using namespace partyline;
using partyline::http::client_errc;
using partyline::test::asked_request;
using partyline::test::fickle_server;
using partyline::test::scripted_tokens;
namespace asio = boost::asio;

namespace {

// A server of the handshake's era, which takes the token `good` alone.
struct mcp_tokens_fixture {
    asio::io_context context{1};
    std::string good = "good";
    std::string session_id = "s1";
    std::string on_get = test::event_answer(": here\n\n");
    std::vector<std::string> shown; // verb, method and token of each request
    fickle_server server{context, [this](const asked_request& asked) { return answer(asked); }};
    std::shared_ptr<scripted_tokens> tokens =
        std::make_shared<scripted_tokens>(context.get_executor(), server.address());
    std::vector<std::string> logged;
    std::optional<session> peer;
    std::optional<error_code> ended;

    mcp_tokens_fixture()
    {
        http::client_options way;
        way.tokens = tokens;
        session_options how;
        how.executor_is_serial = true;
        how.log = [this](std::string_view line) { logged.emplace_back(line); };
        peer.emplace(http::mcp_client(context.get_executor(), server.address(), way).open(std::move(how)));
        peer->async_run([this](error_code why) { ended = why; });
    }
    ~mcp_tokens_fixture()
    {
        peer.reset();
        context.restart();
        context.poll();
    }
    error_code call(const std::string& method)
    {
        const auto told = std::make_shared<std::optional<error_code>>();
        peer->call(method)([told](error_code failed, const response&) { *told = failed; });
        run_until([&] { return told->has_value(); });
        return **told;
    }
    void begin()
    {
        BOOST_TEST(!call("initialize"));
        peer->notify("notifications/initialized")([](error_code, auto) {});
    }
    void run_until(const std::function<bool()>& done) { test::run_until(context, done); }

private:
    std::string answer(const asked_request& asked)
    {
        const std::string token = asked.field("Authorization");
        shown.push_back(std::string(asked.verb()) + ' ' + asked.member("method") + ' ' + token);
        if (token != "Bearer " + good)
            return test::bare_answer(401);
        if (asked.member("method") == "initialize")
            return test::result_answer(
                asked, R"({"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"x","version":"1"}})",
                "Mcp-Session-Id: " + session_id + "\r\n");
        if (asked.verb() == "DELETE")
            return test::bare_answer(200);
        if (asked.field("Mcp-Session-Id") != session_id)
            return test::bare_answer(404);
        if (asked.verb() == "GET")
            return on_get;
        return asked.member("id").empty() ? test::bare_answer(202) : test::result_answer(asked, "{}");
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(http_mcp_tokens, mcp_tokens_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(all_requests_of_a_session_have_the_token)
{
    tokens->next = {good};
    begin();
    run_until([this] { return server.count("GET") == 1; });
    peer->close();
    run_until([this] { return ended.has_value(); });
    const std::vector<std::string> all = {"POST initialize ", "POST initialize Bearer good",
                                          "POST notifications/initialized Bearer good", "GET  Bearer good",
                                          "DELETE  Bearer good"};
    BOOST_TEST(shown == all, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_stream_of_events_that_is_refused_is_asked_for_again)
{
    on_get = "HTTP/1.1 401 X\r\nContent-Length: 0\r\n\r\n";
    tokens->current = good;
    tokens->next = {"newer"};
    begin();
    run_until([this] { return tokens->asked.size() == 1; });
    on_get = test::event_answer(": here\n\n");
    good = "newer";
    run_until([this] { return server.count("GET") == 2; });
    BOOST_TEST(shown.back() == "GET  Bearer newer");
}

BOOST_AUTO_TEST_CASE(a_stream_of_events_that_stays_refused_is_heard_no_longer)
{
    on_get = "HTTP/1.1 401 X\r\nContent-Length: 0\r\n\r\n";
    tokens->current = good;
    begin();
    run_until([this] { return !logged.empty(); });
    BOOST_TEST(logged.front().find("is heard no longer: HTTP status 401: there are no more: ") != std::string::npos,
               logged.front());
    BOOST_TEST(server.count("GET") == 1);
    BOOST_TEST(!call("x"));
}

BOOST_AUTO_TEST_CASE(a_session_is_begun_again_with_another_token)
{
    tokens->current = good;
    begin();
    run_until([this] { return server.count("GET") == 1; });
    session_id = "s2";
    good = "newer";
    tokens->next = {"newer"};
    BOOST_TEST(!call("x"));
    BOOST_TEST(tokens->fetched == 1);
    BOOST_TEST(shown.back() == "POST x Bearer newer");
}

BOOST_AUTO_TEST_CASE(the_end_of_a_session_asks_for_no_token)
{
    tokens->current = good;
    begin();
    run_until([this] { return server.count("GET") == 1; });
    good = "newer";
    peer->close();
    run_until([this] { return ended.has_value(); });
    BOOST_TEST(shown.back() == "DELETE  Bearer good");
    BOOST_TEST(tokens->asked.empty());
}

BOOST_AUTO_TEST_SUITE_END()
