// What tools with tasks ask, and what clients answer.

#include "server_tasks_fixture.hpp"
#include "support/text_search.hpp"

#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>

namespace json = boost::json;
namespace mcp = partyline::mcp;
using namespace partyline::test;
using mcp::task_start;

BOOST_FIXTURE_TEST_SUITE(mcp_server_tasks_questions, server_tasks_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(questions_are_answered_one_by_one_and_round_by_round)
{
    begin();
    const std::string id = id_of("asks");
    const json::object asked = wait_for(id, "input_required");
    BOOST_TEST(asked.at("inputRequests").as_object().size() == 2U);
    BOOST_TEST(asked.at("inputRequests").at("sure").at("method").as_string() == "elicitation/create");
    BOOST_TEST(!asked.contains("requestState"));
    BOOST_TEST(update(id, R"({"other":{}})") == modern_empty());
    BOOST_TEST(update(id, R"({"sure":{"action":"accept","content":{"yes":true}}})") == modern_empty());
    const json::object half = get(id);
    BOOST_TEST(half.at("inputRequests").as_object().size() == 1U);
    BOOST_TEST(half.at("inputRequests").as_object().contains("word"));
    update(id, R"({"word":{"action":"accept","content":{"word":"well"}}})");
    const json::object last = wait_for(id, "input_required");
    BOOST_TEST(last.at("inputRequests").as_object().contains("last"));
    update(id, R"({"last":{"action":"accept","content":{"yes":true}}})");
    const json::object ended = wait_for(id, "completed");
    BOOST_TEST(contains(json::serialize(ended.at("result")), "well yes"));
    BOOST_TEST(!ended.contains("inputRequests"));
    BOOST_TEST(update(id, R"({"last":{}})") == modern_empty());
}

BOOST_AUTO_TEST_CASE(a_task_may_begin_with_the_answers)
{
    add("later", &ask_in_rounds, tasks->optional(task_start::after_questions));
    begin();
    call_modern("1", "later", "{}", declaring);
    const std::string asked = receive();
    BOOST_TEST(contains(asked, R"("resultType":"input_required")"), asked);
    const std::string state = result_member(asked, "requestState");
    const std::string answers = R"({"sure":{"action":"accept","content":{"yes":false}},)"
                                R"("word":{"action":"accept","content":{"word":"a"}}})";
    call_modern("2", "later", "{}", declaring,
                R"(,"inputResponses":)" + answers + R"(,"requestState":")" + state + '"');
    const std::string made = receive();
    BOOST_TEST(contains(made, R"("resultType":"task")"), made);
    const std::string id = result_member(made, "taskId");
    wait_for(id, "input_required");
    update(id, R"({"last":{"action":"accept","content":{"yes":true}}})");
    BOOST_TEST(contains(json::serialize(wait_for(id, "completed").at("result")), "a no"));
}

BOOST_AUTO_TEST_CASE(one_that_asks_is_cancelled_too)
{
    begin();
    const std::string id = id_of("asks");
    wait_for(id, "input_required");
    BOOST_TEST(cancel_task(id) == modern_empty());
    const json::object ended = get(id);
    BOOST_TEST(ended.at("status").as_string() == "cancelled");
    BOOST_TEST(!ended.contains("inputRequests"));
}

BOOST_AUTO_TEST_CASE(a_task_is_looked_up_before_its_answers_are_read)
{
    begin();
    const std::string no_answers = "5";
    BOOST_TEST(contains(update("x", no_answers), R"("message":"Unknown task")"));
    const std::string id = id_of("asks");
    wait_for(id, "input_required");
    const std::string refused = update(id, no_answers);
    BOOST_TEST(contains(refused, R"("code":-32602,"message":"Invalid params")"), refused);
    BOOST_TEST(contains(refused, R"("expected":"object")"), refused);
    BOOST_TEST(get(id).at("inputRequests").as_object().size() == 2U);
    cancel_task(id);
    BOOST_TEST(contains(update(id, no_answers), R"("code":-32602)")); // no answers at any time
    BOOST_TEST(update(id, R"({"sure":{}})") == modern_empty());
}

BOOST_AUTO_TEST_CASE(answers_that_come_twice_call_the_tool_once)
{
    int calls = 0;
    add("counts", [&calls](mcp::context& c) -> partyline::task<std::string> {
        ++calls;
        const auto sure = co_await c.elicit<yes_form>("sure", "Sure?");
        co_await c.progress(1, 1, "answered");
        co_return std::string(sure ? "yes" : "no");
    });
    begin();
    const std::string id = id_of("counts");
    wait_for(id, "input_required");
    const std::string answers = R"({"sure":{"action":"accept","content":{"yes":true}},"other":{}})";
    for (int i = 0; i != 3; ++i)
        BOOST_TEST(update(id, answers) == modern_empty());
    wait_for(id, "completed");
    BOOST_TEST(calls == 2);
}

BOOST_AUTO_TEST_CASE(a_cancel_at_once_after_the_answers_is_the_end)
{
    settings.configure_session = [this](partyline::request_context&, partyline::session_options& of_task) {
        of_task.log = [this](std::string_view line) { logged.emplace_back(line); };
    };
    renew();
    begin();
    const std::string id = id_of("asks");
    wait_for(id, "input_required");
    update(id, R"({"sure":{"action":"accept","content":{"yes":true}},"word":{"action":"decline"}})");
    BOOST_TEST(cancel_task(id) == modern_empty());
    settle(); // the call of the tool comes to its end
    const json::object ended = get(id);
    BOOST_TEST(ended.at("status").as_string() == "cancelled");
    BOOST_TEST(!ended.contains("inputRequests"));
    for (const std::string& line : logged) // a task that is cancelled is no loss
        BOOST_TEST(!contains(line, "a task of the tool"), line);
}

BOOST_AUTO_TEST_SUITE_END()
