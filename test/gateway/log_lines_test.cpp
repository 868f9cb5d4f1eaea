// What a server logs that several clients share: no client hears the lines of another one.

#include "fifo_server.hpp"
#include "mcp_gateway.hpp"
#include "modern_request.hpp"
#include "running_gateway.hpp"
#include "support/text_search.hpp"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <csignal>
#include <string>
#include <string_view>

namespace json = boost::json;
using partyline::test::contains;
using partyline::test::fifo_server;
using partyline::test::http_client;
using partyline::test::mcp_gateway;
using partyline::test::modern_fields;
using partyline::test::modern_meta;
using partyline::test::running_gateway;

namespace {

constexpr std::string_view log_level = R"(,"io.modelcontextprotocol/logLevel":"debug")";
constexpr std::string_view done = R"({"content":[],"resultType":"complete"})";
constexpr std::string_view is_dropped = "it can't be known whose notifications/message is";

std::string line(std::string_view data, std::string_view more = {})
{
    return R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":")" +
           std::string(data) + '"' + std::string(more) + "}}";
}

std::string line_of(const json::object& request, std::string_view data)
{
    const json::value& token = request.at("params").at("_meta").at("progressToken");
    return line(data, R"(,"_meta":{"progressToken":)" + serialize(token) + '}');
}

// A gateway whose clients share one server, which the test is.
struct shared_server {
    fifo_server server;
    running_gateway gateway{server.behind({"--share"})};
    http_client one = gateway.connect();
    http_client other = gateway.connect();

    std::string greet(bool is_first) { return server.begin_session(one, is_first); }
    // A call of a session's; returns what the server is asked.
    json::object call(http_client& by, const std::string& session, std::string_view meta = "{}")
    {
        by.post("/mcp", mcp_gateway::call(7, "work", meta), session);
        return server.read("tools/call");
    }
    // A call without a session.
    json::object call_modern(http_client& by, std::string_view more = {})
    {
        by.post("/mcp", mcp_gateway::call(7, "work", modern_meta(more)), modern_fields("tools/call", "work"));
        return server.read("tools/call");
    }
    void set_level(const std::string& session)
    {
        one.post("/mcp", R"({"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"debug"}})", session);
        server.answer(server.read("logging/setLevel"));
        BOOST_TEST(one.response().status == 200);
    }
    void change_tools() { server.write(R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})"); }
    std::string said() { return gateway.errors().read_line().value_or(""); }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(gateway_log_lines, shared_server, *boost::unit_test::timeout(100))

// rule: security.shared.messages
BOOST_AUTO_TEST_CASE(who_has_set_a_level_does_not_hear_the_lines_of_other_sessions)
{
    const std::string first = greet(true);
    const std::string second = greet(false);
    set_level(first);
    http_client listening = gateway.connect();
    listening.request("GET", "/mcp", first);
    listening.head();
    const json::object its = call(other, second);
    const json::object own = call(one, first);
    server.write(line("whose"));
    server.answer(its, done);
    BOOST_TEST(contains(said(), is_dropped));
    server.answer(own, done);
    for (http_client* by : {&one, &other}) {
        const std::string got = by->response().body;
        BOOST_TEST((contains(got, "\"result\"") && !contains(got, "whose")), got);
    }
    change_tools();
    BOOST_TEST(!contains(listening.read_until("list_changed"), "whose"));
}

BOOST_AUTO_TEST_CASE(a_session_hears_them_while_it_has_been_the_only_one)
{
    const std::string first = greet(true);
    set_level(first);
    const json::object own = call(one, first);
    server.write(line("mine"));
    server.answer(own, done);
    BOOST_TEST(contains(one.response().body, "mine"));
    greet(false);
    const json::object again = call(one, first);
    server.write(line("whose"));
    server.answer(again, done);
    BOOST_TEST(!contains(one.response().body, "whose"));
}

// rule: security.shared.messages
BOOST_AUTO_TEST_CASE(a_line_with_a_token_goes_to_the_request_of_that)
{
    const std::string first = greet(true);
    const std::string second = greet(false);
    set_level(first);
    const json::object own = call(one, first, R"({"progressToken":"same"})");
    const json::object its = call(other, second, R"({"progressToken":"same"})");
    server.write(line_of(its, "its"));
    server.write(line_of(own, "mine"));
    server.answer(own, done);
    server.answer(its, done);
    const std::string mine = one.response().body;
    BOOST_TEST((contains(mine, "mine") && !contains(mine, "its") && contains(mine, R"("progressToken":"same")")), mine);
    const std::string others = other.response().body;
    BOOST_TEST((!contains(others, "mine") && contains(others, "its") && contains(others, R"("progressToken":"same")")),
               others);
}

// rule: security.shared.messages
BOOST_AUTO_TEST_CASE(a_request_without_a_session_does_not_hear_the_lines_of_others)
{
    const json::object own = call_modern(one, log_level);
    const json::object its = call_modern(other);
    server.write(line("whose"));
    server.answer(its, done);
    BOOST_TEST(contains(other.response().body, "\"result\""));
    BOOST_TEST(contains(said(), is_dropped));
    server.write(line("mine")); // nobody else is served now
    server.answer(own, done);
    const std::string got = one.response().body;
    BOOST_TEST((contains(got, "mine") && !contains(got, "whose")), got);
}

// rule: security.shared.messages
BOOST_AUTO_TEST_CASE(nor_those_that_come_together_with_the_answer_to_others)
{
    const json::object own = call_modern(one, log_level);
    for (int i = 0; i != 30; ++i) {
        const json::object its = call_modern(other);
        server.answer(its, done, line("whose") + '\n');
        BOOST_TEST(contains(other.response().body, "\"result\""));
    }
    server.answer(own, done, line("mine") + '\n');
    const std::string got = one.response().body;
    BOOST_TEST((contains(got, "mine") && !contains(got, "whose")), got);
}

BOOST_AUTO_TEST_CASE(nor_those_of_one_that_was_cancelled)
{
    call_modern(other, log_level);
    other.close();
    server.read("notifications/cancelled");
    const json::object own = call_modern(one, log_level);
    server.write(line("whose"));
    server.answer(own, done);
    const std::string got = one.response().body;
    BOOST_TEST((contains(got, "\"result\"") && !contains(got, "whose")), got);
    BOOST_TEST(contains(said(), is_dropped));
}

BOOST_AUTO_TEST_CASE(requests_without_a_session_hear_the_lines_with_their_tokens)
{
    const json::object own = call_modern(one, std::string(log_level) + R"(,"progressToken":1)");
    const json::object its = call_modern(other, std::string(log_level) + R"(,"progressToken":2)");
    server.write(line_of(its, "its"));
    server.write(line_of(own, "mine"));
    server.write(line("whose"));
    server.answer(its, done);
    server.answer(own, done);
    const std::string mine = one.response().body;
    BOOST_TEST((contains(mine, "mine") && contains(mine, R"("progressToken":1})") && !contains(mine, "its")), mine);
    const std::string others = other.response().body;
    BOOST_TEST((contains(others, "its") && contains(others, R"("progressToken":2})") && !contains(others, "mine")),
               others);
    BOOST_TEST(!contains(mine + others, "whose"));
}

BOOST_AUTO_TEST_CASE(how_many_were_dropped_is_told_at_the_end)
{
    const json::object own = call_modern(one, log_level);
    const json::object its = call_modern(other, log_level);
    for (int i = 0; i != 3; ++i)
        server.write(line("whose"));
    server.answer(own, done);
    server.answer(its, done);
    one.response();
    other.response();
    gateway.process().signal(SIGTERM);
    server.close();
    const std::string all = gateway.errors().read_rest();
    BOOST_TEST(contains(all, "can't be known whose they are: 3\n"), all);
    BOOST_TEST(gateway.process().wait_exit() == 128 + SIGTERM);
}

BOOST_AUTO_TEST_SUITE_END()
