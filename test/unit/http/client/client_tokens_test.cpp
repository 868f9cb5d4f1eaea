// http::client with a source of tokens, and servers that refuse some of them.

#include "client/fickle_server.hpp"
#include "client/scripted_tokens.hpp"
#include "http_fixture.hpp"
#include "support/outcome.hpp"

#include <partyline/http.hpp>
#include <partyline/rpc/args.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

using namespace partyline;
using namespace std::literals;
using partyline::http::client_errc;
using partyline::test::asked_request;
using partyline::test::fickle_server;
using partyline::test::outcome;
using partyline::test::scripted_tokens;
namespace asio = boost::asio;

namespace {

std::string refusing_answer(int status, const std::string& challenge, const std::string& body = {})
{
    std::string answer = body.empty() ? test::bare_answer(status) : test::json_answer(status, body);
    if (!challenge.empty())
        answer.insert(answer.find("\r\n") + 2, "WWW-Authenticate: " + challenge + "\r\n");
    return answer;
}

struct tokens_fixture {
    asio::io_context context{1};
    std::string good = "good"; // the token that is taken
    std::string on_other = refusing_answer(401, R"(Bearer error="invalid_token", scope="a b")");
    std::vector<std::string> bodies;
    std::vector<std::string> shown; // Authorization, of each request
    std::function<std::string(const asked_request&)> on_request = [this](const asked_request& asked) {
        const bool is_taken = asked.field("Authorization") == "Bearer " + good;
        return is_taken ? test::result_answer(asked, "1") : on_other;
    };
    fickle_server server{context, [this](const asked_request& asked) {
                             bodies.push_back(asked.body);
                             shown.push_back(asked.field("Authorization"));
                             return on_request(asked);
                         }};
    std::shared_ptr<scripted_tokens> tokens =
        std::make_shared<scripted_tokens>(context.get_executor(), server.address());
    std::vector<std::string> logged;

    ~tokens_fixture()
    {
        context.restart();
        context.poll();
    }
    http::client make_client(http::client_options how = {})
    {
        how.session.executor_is_serial = true;
        how.session.log = [this](std::string_view line) { logged.emplace_back(line); };
        how.tokens = tokens;
        return http::client(context.get_executor(), server.address(), std::move(how));
    }
    outcome call(http::client& client)
    {
        outcome one;
        client.call("x", args(7))(one.handler());
        run_until([&] { return one.is_there(); });
        return one;
    }
    outcome call()
    {
        http::client client = make_client();
        return call(client);
    }
    void run_until(const std::function<bool()>& done) { test::run_until(context, done); }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(http_client_tokens, tokens_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(a_known_token_is_sent_and_not_asked_for)
{
    tokens->current = good;
    BOOST_TEST(call().text() == "result 1");
    BOOST_TEST(shown == std::vector<std::string>{"Bearer good"}, boost::test_tools::per_element());
    BOOST_TEST(tokens->asked.empty());
}

BOOST_AUTO_TEST_CASE(a_token_that_takes_time_is_asked_for_before_the_request)
{
    tokens->current.reset();
    tokens->next = {good};
    BOOST_TEST(call().text() == "result 1");
    BOOST_TEST(shown == std::vector<std::string>{"Bearer good"}, boost::test_tools::per_element());
    BOOST_TEST_REQUIRE(tokens->asked.size() == 1u);
    BOOST_TEST(!tokens->asked.front());
}

BOOST_AUTO_TEST_CASE(a_refused_request_is_sent_again_unchanged_with_another_token)
{
    tokens->next = {"older", good};
    BOOST_TEST(call().text() == "result 1");
    BOOST_TEST(shown == (std::vector<std::string>{"", "Bearer older", "Bearer good"}),
               boost::test_tools::per_element());
    BOOST_TEST(bodies.front().find("[7]") != std::string::npos);
    for (const std::string& body : bodies)
        BOOST_TEST(body == bodies.front());
    BOOST_TEST_REQUIRE(tokens->asked.size() == 2u);
    BOOST_TEST(tokens->asked[0]->refused_token == "");
    BOOST_TEST(tokens->asked[1]->refused_token == "older");
    for (const auto& each : tokens->asked) {
        BOOST_TEST(each->status == 401);
        BOOST_TEST(each->error == "invalid_token");
        BOOST_TEST(each->scope == "a b");
    }
}

BOOST_AUTO_TEST_CASE(three_tokens_are_tried_after_the_first_one_and_then_the_call_fails_with_what_the_server_says)
{
    tokens->next = {"a", "b", "c", good};
    on_other =
        refusing_answer(401, "Bearer error=\"invalid_token\", error_description=\"no\"", "{\"error\":\"no\x1b[2J\"}");
    const outcome one = call();
    BOOST_TEST((one.code == client_errc::unauthorized));
    BOOST_TEST(one.code.message() == "the server has not authorized the request");
    BOOST_TEST(shown == (std::vector<std::string>{"", "Bearer a", "Bearer b", "Bearer c"}),
               boost::test_tools::per_element());
    const std::string& details = one.said.details();
    BOOST_TEST(details.starts_with("HTTP status 401, WWW-Authenticate: Bearer error=\"invalid_token\""), details);
    BOOST_TEST(details.find("no\\u001b[2J") != details.npos, details);
    BOOST_TEST(details.find('\x1b') == details.npos);
}

BOOST_AUTO_TEST_CASE(a_token_that_the_server_repeats_is_not_in_the_words)
{
    tokens->current = "a-token-of-somebody";
    on_other = refusing_answer(401, R"(Bearer error="invalid_token", error_description="a-token-of-somebody is old")",
                               R"({"said":"a-token-of-somebody)" + std::string(400, 'x') + "\"}");
    const outcome one = call();
    BOOST_TEST((one.code == client_errc::unauthorized));
    const std::string& details = one.said.details();
    BOOST_TEST(details.find("error_description=\"[redacted] is old\"") != details.npos, details);
    BOOST_TEST(details.find("{\"said\":\"[redacted]x") != details.npos, details);
    BOOST_TEST(details.find("somebody") == details.npos, details);
}

BOOST_AUTO_TEST_CASE(a_call_fails_as_the_source_does_with_the_words_of_both)
{
    const outcome one = call();
    BOOST_TEST((one.code == client_errc::unauthorized));
    BOOST_TEST(one.said.details() ==
               R"(HTTP status 401, WWW-Authenticate: Bearer error="invalid_token", scope="a b": there are no more)");
    BOOST_TEST(shown.size() == 1u);
}

BOOST_AUTO_TEST_CASE(more_scopes_are_asked_for_after_403)
{
    tokens->current = "low";
    tokens->next = {good};
    on_other = refusing_answer(403,
                               R"(Bearer error="insufficient_scope", scope="files:write", )"
                               R"(resource_metadata="https://example.org/m")",
                               R"({"jsonrpc":"2.0","id":1,"error":{"code":-31003,"message":"Insufficient scope"}})");
    BOOST_TEST(call().text() == "result 1");
    BOOST_TEST_REQUIRE(tokens->asked.size() == 1u);
    const http::challenge& why = tokens->asked.front().value();
    BOOST_TEST(why.status == 403);
    BOOST_TEST(why.error == "insufficient_scope");
    BOOST_TEST(why.scope == "files:write");
    BOOST_TEST(why.resource_metadata == "https://example.org/m");
    BOOST_TEST(why.refused_token == "low");
}

BOOST_AUTO_TEST_CASE(a_403_without_a_challenge_of_bearer_is_about_no_token)
{
    tokens->current = "low";
    on_other = refusing_answer(403, "Basic realm=x", R"({"jsonrpc":"2.0","id":1,"error":{"code":-5,"message":"no"}})");
    BOOST_TEST(call().text() == "error -5 no");
    on_other = refusing_answer(403, {});
    BOOST_TEST((call().code == errc::http_status));
    BOOST_TEST(tokens->asked.empty());
}

BOOST_AUTO_TEST_CASE(a_401_without_a_challenge_is_asked_about)
{
    tokens->next = {good};
    on_other = refusing_answer(401, {});
    BOOST_TEST(call().text() == "result 1");
    BOOST_TEST(tokens->asked.front()->scheme == "");
}

BOOST_AUTO_TEST_CASE(other_failures_are_not_sent_again)
{
    tokens->current = "low";
    for (const int status : {400, 404, 407, 429, 500, 503}) {
        on_other = refusing_answer(status, "Bearer error=invalid_token");
        BOOST_TEST((call().code == errc::http_status));
    }
    BOOST_TEST(shown.size() == 6u);
    BOOST_TEST(tokens->asked.empty());
}

BOOST_AUTO_TEST_CASE(what_is_no_token_is_not_sent)
{
    for (const std::string& wrong : std::vector<std::string>{"a b", "a\r\nX: y", "\xc3\xa4", "a,b"}) {
        tokens->current = wrong;
        const outcome one = call();
        BOOST_TEST((one.code == client_errc::unauthorized));
        BOOST_TEST(one.said.details().find(wrong) == std::string::npos);
    }
    tokens->current = "";
    tokens->next = {"a b"};
    BOOST_TEST((call().code == client_errc::unauthorized));
    BOOST_TEST(shown.size() == 1u); // the one without a token
}

BOOST_AUTO_TEST_CASE(sixty_four_calls_wait_for_one_token_and_hold_no_connection)
{
    tokens->next = {good};
    tokens->may_go_on.reset();
    http::client_options how;
    how.connections = 2;
    http::client client = make_client(std::move(how));
    std::deque<outcome> calls(64);
    for (outcome& one : calls)
        client.call("x")(one.handler());
    run_until([this] { return tokens->asked.size() == 64; });
    BOOST_TEST(tokens->fetched == 1);
    tokens->may_go_on.set();
    for (outcome& one : calls) {
        run_until([&] { return one.is_there(); });
        BOOST_TEST(one.text() == "result 1");
    }
    BOOST_TEST(tokens->fetched == 1);
    BOOST_TEST(shown.size() == 128u);
}

BOOST_AUTO_TEST_CASE(a_call_that_is_cancelled_leaves_the_others_waiting)
{
    tokens->next = {good};
    tokens->may_go_on.reset();
    http::client client = make_client();
    outcome kept;
    client.call("x")(kept.handler());
    run_until([this] { return tokens->asked.size() == 1; });
    asio::cancellation_signal stop;
    outcome cancelled;
    client.call("x")(asio::bind_cancellation_slot(stop.slot(), cancelled.handler()));
    run_until([this] { return tokens->asked.size() == 2; });
    stop.emit(asio::cancellation_type::all);
    run_until([&] { return cancelled.is_there(); });
    BOOST_TEST((cancelled.code == asio::error::operation_aborted));
    tokens->may_go_on.set();
    run_until([&] { return kept.is_there(); });
    BOOST_TEST(kept.text() == "result 1");
    BOOST_TEST(shown.size() == 3u); // the cancelled call is not repeated
}

BOOST_AUTO_TEST_CASE(a_notification_is_repeated_too)
{
    tokens->next = {good};
    on_request = [this](const asked_request& asked) {
        return asked.field("Authorization") == "Bearer good" ? test::bare_answer(202) : on_other;
    };
    http::client client = make_client();
    client.notify("tell", args(1))([](error_code, auto) {});
    run_until([this] { return shown.size() == 2; });
    BOOST_TEST(shown.back() == "Bearer good");
    BOOST_TEST(logged.empty());
}

BOOST_AUTO_TEST_CASE(an_end_leaves_nobody_waiting_for_a_token)
{
    tokens->may_go_on.reset();
    outcome one;
    {
        http::client client = make_client();
        client.call("x")(one.handler());
        run_until([this] { return tokens->asked.size() == 1; });
    }
    run_until([&] { return one.is_there(); });
    BOOST_TEST((one.code == errc::session_closed));
    run_until([this] { return tokens.use_count() == 1; });
}

BOOST_AUTO_TEST_CASE(tokens_are_for_one_origin_and_nobody_else_reads_them)
{
    const auto refused = [this](const std::string& address, const std::string& of, http::client_options how = {}) {
        how.tokens = std::make_shared<scripted_tokens>(context.get_executor(), of);
        try {
            http::client(context.get_executor(), address, std::move(how));
        } catch (const std::invalid_argument& e) {
            return std::string(e.what());
        }
        return std::string();
    };
    BOOST_TEST(refused("http://127.0.0.1:8080/a", "http://127.0.0.1:8080/b") == "");
    BOOST_TEST(refused("http://127.0.0.1:8080", "ws://127.0.0.1:8080/ws") == "");
    BOOST_TEST(refused("http://localhost:8080", "http://127.0.0.1:8080") ==
               "client_options::tokens are for http://127.0.0.1:8080, not for http://localhost:8080");
    BOOST_TEST(refused("http://127.0.0.1:8080", "http://127.0.0.1:8081") != "");
    BOOST_TEST(refused("http://127.0.0.1:443", "https://127.0.0.1") != "");
    http::client_options how;
    how.fields.emplace_back("authorization", "Bearer x");
    BOOST_TEST(refused("http://127.0.0.1", "http://127.0.0.1", how) ==
               "client_options has both tokens and the field Authorization");
    how.fields.clear();
    how.proxy = "proxy.example:3128";
    BOOST_TEST(refused("http://127.0.0.1", "http://127.0.0.1", how) ==
               "client_options::tokens would be sent to the proxy: http://127.0.0.1 is not reached by TLS");
}

// Whatever a server answers that repeats what it was shown, the words of the failure do not.
// rule: security.harm.logs
BOOST_AUTO_TEST_CASE(what_a_server_was_shown_is_in_no_words_of_a_failure)
{
    const std::string secret = "s3cret-" + std::string(310, 'x') + "-end"; // longer than what is shown of a text
    const std::string quoted = '"' + secret + '"';
    const auto with_field = [&](int status, const std::string& name) {
        std::string answer = test::bare_answer(status);
        return answer.insert(answer.find("\r\n") + 2, name + ": " + secret + "\r\n");
    };
    const auto stream = [&](int status) {
        const std::string events = "data: " + quoted + "\n\n";
        return "HTTP/1.1 " + std::to_string(status) +
               " X\r\nContent-Type: text/event-stream\r\nContent-Length: " + std::to_string(events.size()) +
               "\r\n\r\n" + events;
    };
    const std::vector<std::string> answers = {with_field(401, "WWW-Authenticate"),
                                              with_field(403, "WWW-Authenticate"),
                                              with_field(307, "Location"),
                                              with_field(500, "Content-Type"),
                                              with_field(202, "Content-Encoding"),
                                              test::json_answer(401, quoted),
                                              test::json_answer(403, quoted),
                                              test::json_answer(500, quoted),
                                              test::json_answer(200, quoted),
                                              test::json_answer(200, std::string(295, ' ') + quoted),
                                              test::json_answer(400, std::string(295, ' ') + quoted),
                                              stream(401),
                                              stream(400)};
    for (const std::string& answer : answers) {
        on_request = [answer](const asked_request&) { return answer; };
        for (const char* const field : {"", "Authorization", "authorization", "Cookie"}) {
            http::client_options how;
            how.session.executor_is_serial = true;
            if (field == ""s) {
                tokens->current = secret;
                tokens->next = {secret, secret, secret};
                how.tokens = tokens;
            } else {
                how.fields.emplace_back(field, (field == "Cookie"s ? "" : "Bearer ") + secret);
            }
            http::client client(context.get_executor(), server.address(), std::move(how));
            const outcome one = call(client);
            const std::string words(one.said.details());
            BOOST_TEST(bool(one.code), words);
            BOOST_TEST(words.find("s3cret") == words.npos, words + " after " + answer.substr(0, 100));
            BOOST_TEST(words.find("xxxx") == words.npos, words + " after " + answer.substr(0, 100));
        }
    }
}

BOOST_AUTO_TEST_CASE(a_redirect_takes_no_token_elsewhere)
{
    tokens->current = good;
    int asked_elsewhere = 0;
    fickle_server other(context, [&](const asked_request&) { return ++asked_elsewhere, test::bare_answer(401); });
    on_request = [&](const asked_request&) {
        std::string answer = test::bare_answer(307);
        return answer.insert(answer.find("\r\n") + 2, "Location: " + other.address() + "\r\n");
    };
    BOOST_TEST((call().code == errc::bad_reply));
    BOOST_TEST(asked_elsewhere == 0);
}

BOOST_AUTO_TEST_SUITE_END()
