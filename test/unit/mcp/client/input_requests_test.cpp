#include "scripted_server.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace asio = boost::asio;
namespace json = boost::json;
using namespace partyline;
using namespace partyline::test;
using namespace std::chrono_literals;
using partyline::mcp::client_errc;

namespace {

constexpr std::string_view form =
    R"({"method":"elicitation/create","params":{"mode":"form","message":"Sure?","requestedSchema":{"type":"object"}}})";

struct fixture : scripted_server {
    begun<mcp::tool_answer> called;
    mcp::call_hooks hooks;

    void call() { client().call_tool("clean", nullptr, hooks)(called.token()); }
    std::string expect_call(std::string_view more = "")
    {
        return expect_request("tools/call", R"({"name":"clean","arguments":{})" + std::string(more) + "}");
    }
    void ask(std::string_view id, std::string_view members)
    {
        reply(id, R"({"resultType":"input_required",)" + std::string(members) + "}");
    }
    void finish(std::string_view id)
    {
        reply(id, R"({"content":[{"type":"text","text":"done"}]})");
        wait(called);
        BOOST_REQUIRE(!called.failed());
        BOOST_TEST(called.outcome()->text() == "done");
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_client_rounds, fixture, *boost::unit_test::timeout(60))

// rule: mcp.rounds.answer, mcp.rounds.echo, mcp.rounds.opaque, mcp.rounds.new_id
BOOST_AUTO_TEST_CASE(what_is_asked_is_answered_and_the_call_made_again)
{
    client().on_elicit([](const mcp::elicit_request& asked) {
        BOOST_TEST(asked.key == "sure");
        BOOST_TEST(asked.message == "Sure?");
        BOOST_TEST(asked.schema.contains("type"));
        return mcp::elicit_answer::accept(json::object{{"yes", true}});
    });
    start_modern();
    call();
    const std::string first = expect_call();
    ask(first, R"("inputRequests":{"sure":)" + std::string(form) + R"(},"requestState":"a\u0062\/c")");
    const std::string line = receive();
    BOOST_TEST(line.find(R"("requestState":"a\u0062\/c")") != std::string::npos);
    const json::object said = json::parse(line).as_object();
    BOOST_TEST(said.at("params").at("inputResponses") ==
               json::parse(R"({"sure":{"action":"accept","content":{"yes":true}}})"));
    BOOST_TEST(json::serialize(said.at("id")) != first);
    finish(json::serialize(said.at("id")));
}

// rule: mcp.rounds.answer, mcp.rounds.no_state
BOOST_AUTO_TEST_CASE(all_kinds_of_questions_are_answered_at_a_time)
{
    client().on_elicit(
        [](const mcp::elicit_request&) -> task<mcp::elicit_answer> { co_return mcp::elicit_answer::decline(); });
    client().on_elicit_page([](const mcp::page_request& asked) -> asio::awaitable<mcp::elicit_action> {
        BOOST_TEST(asked.key == "page");
        BOOST_TEST(asked.url == "https://x");
        co_return mcp::elicit_action::accept;
    });
    client().on_sample([](const mcp::sample_request& asked) {
        BOOST_TEST(asked.key == "said");
        BOOST_TEST(asked.text() == "Hi?");
        BOOST_TEST(asked.max_tokens == 5);
        mcp::sampling_answer answer;
        answer.model = "m";
        answer.content = json::object{{"type", "text"}, {"text", "Hi."}};
        return answer;
    });
    client().set_roots({{"file:///a", "a"}, {"file:///b", ""}});
    start_modern();
    call();
    ask(expect_call(), R"("inputRequests":{"form":)" + std::string(form) + R"(,
        "page":{"method":"elicitation/create","params":{"mode":"url","message":"Go","url":"https://x"}},
        "said":{"method":"sampling/createMessage","params":{"maxTokens":5,
                "messages":[{"role":"user","content":{"type":"text","text":"Hi?"}}]}},
        "roots":{"method":"roots/list"}})");
    finish(expect_call(R"(,"inputResponses":{"form":{"action":"decline"},"page":{"action":"accept"},
        "said":{"role":"assistant","model":"m","content":{"type":"text","text":"Hi."}},
        "roots":{"roots":[{"uri":"file:///a","name":"a"},{"uri":"file:///b"}]}})"));
}

// rule: mcp.rounds.own
BOOST_AUTO_TEST_CASE(answers_go_with_their_own_call_alone)
{
    client().on_elicit([](const mcp::elicit_request&) { return mcp::elicit_answer::decline(); });
    start_modern();
    call();
    const std::string first = expect_call();
    begun<mcp::tool_answer> other;
    client().call_tool("clean", nullptr, hooks)(other.token());
    const std::string second = expect_call();
    ask(first, R"("inputRequests":{"sure":)" + std::string(form) + R"(},"requestState":"x")");
    const std::string again = expect_call(R"(,"inputResponses":{"sure":{"action":"decline"}},"requestState":"x")");
    begun<mcp::tool_answer> later;
    client().call_tool("clean", nullptr, hooks)(later.token());
    expect_call();
    reply(second, R"({"content":[]})");
    wait(other);
    BOOST_TEST(!called.has_ended());
    finish(again);
}

// rule: mcp.rounds.echo
BOOST_AUTO_TEST_CASE(a_state_alone_is_sent_back_at_once)
{
    start_modern();
    call();
    ask(expect_call(), R"("requestState":"x")");
    ask(expect_call(R"(,"requestState":"x")"), R"("requestState":"y")");
    finish(expect_call(R"(,"requestState":"y")"));
}

BOOST_AUTO_TEST_CASE(a_state_of_null_is_none)
{
    client().on_elicit([](const mcp::elicit_request&) { return mcp::elicit_answer::decline(); });
    start_modern();
    call();
    ask(expect_call(), R"("inputRequests":{"sure":)" + std::string(form) + R"(},"requestState":null)");
    finish(expect_call(R"(,"inputResponses":{"sure":{"action":"decline"}})"));
}

BOOST_AUTO_TEST_CASE(questions_are_asked_in_the_order_of_the_server)
{
    std::vector<std::string> keys;
    client().on_elicit([&](const mcp::elicit_request& asked) {
        keys.push_back(asked.key);
        return mcp::elicit_answer::decline();
    });
    start_modern();
    call();
    ask(expect_call(), R"("inputRequests":{"name":)" + std::string(form) + R"(,"age":)" + std::string(form) + '}');
    finish(expect_call(R"(,"inputResponses":{"name":{"action":"decline"},"age":{"action":"decline"}})"));
    BOOST_TEST(keys == (std::vector<std::string>{"name", "age"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_a_server_calls_its_questions_does_not_reach_a_terminal_raw)
{
    start_modern();
    call();
    ask(expect_call(), R"("inputRequests":{"a\u001b[2J":1})");
    expect_failure(called, client_errc::bad_result,
                   "tools/call: at the result.inputRequests.a\\u001b[2J: expected an object, got a number");
}

BOOST_AUTO_TEST_CASE(texts_of_content_are_those_of_its_blocks)
{
    mcp::sampling_answer said;
    said.content = json::parse(R"([{"type":"text","text":"a"},[{"type":"text","text":"b"}],7,
        {"type":"image","data":""},{"type":"text","text":""},{"type":"text","text":"c"}])");
    BOOST_TEST(said.text() == "a\n\nc");
    said.content = json::parse(R"({"type":"text","text":"alone"})");
    BOOST_TEST(said.text() == "alone");
    said.content = "none";
    BOOST_TEST(said.text() == "");
}

// rule: mcp.elicit.rate, mcp.sample.rate
BOOST_AUTO_TEST_CASE(there_are_only_so_many_rounds)
{
    options.max_rounds = 2;
    start_modern();
    call();
    ask(expect_call(), R"("requestState":"x")");
    ask(expect_call(R"(,"requestState":"x")"), R"("requestState":"x")");
    ask(expect_call(R"(,"requestState":"x")"), R"("requestState":"x")");
    expect_failure(called, client_errc::too_many_rounds, "tools/call: after 2 rounds");
    expect_silence();
}

BOOST_AUTO_TEST_CASE(what_nobody_answers_fails_the_call)
{
    start_modern();
    call();
    ask(expect_call(), R"("inputRequests":{"sure":)" + std::string(form) + "}");
    expect_failure(called, client_errc::no_handler, "the server asks \"sure\" by elicitation/create");
}

BOOST_AUTO_TEST_CASE(a_number_of_tokens_beyond_all_measure_is_the_greatest)
{
    std::int64_t most = 0;
    client().on_sample([&](const mcp::sample_request& asked) {
        most = asked.max_tokens;
        return mcp::sampling_answer();
    });
    start_modern();
    call();
    ask(expect_call(), R"("inputRequests":{"a":{"method":"sampling/createMessage",
        "params":{"messages":[],"maxTokens":18446744073709551615}}})");
    finish(expect_call(R"(,"inputResponses":{"a":{"role":"assistant","content":null,"model":""}})"));
    BOOST_TEST(most == std::numeric_limits<std::int64_t>::max());
}

// rule: mcp.sample.undeclared_tools
BOOST_AUTO_TEST_CASE(who_samples_without_tools_is_not_asked_with_some)
{
    client().on_sample([](const mcp::sample_request&) { return mcp::sampling_answer(); });
    start_modern();
    call();
    ask(expect_call(),
        R"("inputRequests":{"a":{"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1,"tools":[]}}})");
    expect_failure(called, client_errc::no_handler);
}

BOOST_AUTO_TEST_CASE(what_a_handler_throws_ends_the_call_and_the_other_handlers)
{
    bool was_cancelled = false;
    client().on_elicit_page([&](const mcp::page_request&) -> task<mcp::elicit_action> {
        asio::steady_timer timer(context, 1h);
        try {
            co_await timer.async_wait(asio::deferred);
        } catch (const boost::system::system_error&) {
            was_cancelled = true;
            throw;
        }
        co_return mcp::elicit_action::accept;
    });
    client().on_elicit([](const mcp::elicit_request&) -> mcp::elicit_answer { throw rpc_error(-1, "User rejected"); });
    start_modern();
    call();
    ask(expect_call(), R"("inputRequests":{"page":{"method":"elicitation/create",
        "params":{"mode":"url","message":"Go","url":"https://x"}},"form":)" +
                           std::string(form) + "}");
    wait(called);
    BOOST_REQUIRE(called.outcome().error());
    BOOST_TEST(called.outcome().error()->code == -1);
    BOOST_TEST(was_cancelled);
    expect_silence();
}

struct slow_fixture : fixture {
    bool was_asked = false;

    slow_fixture()
    {
        client().on_elicit([this](const mcp::elicit_request&) -> task<mcp::elicit_answer> {
            was_asked = true;
            asio::steady_timer timer(context, 1h);
            co_await timer.async_wait(asio::deferred);
            co_return mcp::elicit_answer::cancel();
        });
        start_modern();
    }
    void begin()
    {
        call();
        ask(expect_call(), R"("inputRequests":{"sure":)" + std::string(form) + "}");
        run_until([&] { return was_asked || called.has_ended(); });
    }
};

// rule: mcp.cancel.own
BOOST_FIXTURE_TEST_CASE(a_cancel_reaches_the_handler, slow_fixture)
{
    begin();
    called.cancel();
    expect_failure(called, asio::error::operation_aborted);
    expect_silence(); // the request has been answered: there is nothing to cancel
}

// rule: mcp.timeout.maximum
BOOST_FIXTURE_TEST_CASE(the_time_of_a_call_is_that_of_its_handlers_too, slow_fixture)
{
    hooks.timeout = 20ms;
    begin();
    expect_failure(called, errc::timeout);
}

BOOST_FIXTURE_TEST_CASE(a_server_that_dies_ends_what_it_has_asked, slow_fixture)
{
    begin();
    end();
    expect_failure(called, errc::peer_closed);
}

BOOST_FIXTURE_TEST_CASE(destroying_the_client_ends_what_it_was_asked, slow_fixture)
{
    begin();
    destroy_client();
    expect_failure(called, errc::session_closed);
}

// rule: mcp.elicit.rate, mcp.sample.validate
BOOST_AUTO_TEST_CASE(questions_that_are_none_are_told_of)
{
    options.max_questions = 1;
    client().on_elicit([](const mcp::elicit_request&) { return mcp::elicit_answer::decline(); });
    start_modern();
    constexpr const char* table[] = {
        R"("a":1)",
        R"("inputRequests":[])",
        R"("inputRequests":{"a":1})",
        R"("inputRequests":{"a":{}})",
        R"("inputRequests":{"a":{"method":"elicitation/create","params":[]}})",
        R"("inputRequests":{"a":{"method":"elicitation/create","params":{"message":1}}})",
        R"("inputRequests":{"a":{"method":"elicitation/create","params":{"message":"x"}}})",
        R"("inputRequests":{"a":{"method":"x"},"b":{"method":"x"}})",
        R"("requestState":7)",
    };
    for (const char* const members : table) {
        BOOST_TEST_CONTEXT(members)
        {
            begun<mcp::tool_answer> wrong;
            client().call_tool("clean", nullptr, hooks)(wrong.token());
            ask(expect_call(), members);
            expect_failure(wrong, client_errc::bad_result);
        }
    }
    expect_silence();
}

// rule: mcp.result.unknown_type
BOOST_AUTO_TEST_CASE(lists_ask_nothing)
{
    start_modern();
    begun<std::vector<mcp::tool_info>> tools;
    client().tools()(tools.token());
    ask(expect_request("tools/list", "{}"), R"("requestState":"x")");
    expect_failure(tools, client_errc::unknown_result_type);
}

BOOST_AUTO_TEST_SUITE_END()
