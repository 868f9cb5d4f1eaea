// A task by itself: what becomes of it, and what it tells.

#include "mcp_extensions/tasks/task_texts.hpp"
#include "task_store_fixture.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <set>
#include <string>
#include <vector>

namespace json = boost::json;
using namespace partyline::mcp;
using namespace partyline::test;
using partyline::error_object;
using std::chrono::milliseconds;

BOOST_FIXTURE_TEST_SUITE(mcp_task_record, store_fixture, *boost::unit_test::timeout(30))

BOOST_AUTO_TEST_CASE(a_task_says_when_it_was_made_and_what_it_does)
{
    task_record& one = add("a", alice);
    BOOST_TEST(json::serialize(one.describe(milliseconds(250))) ==
               R"({"taskId":"a","status":"working","createdAt":"1970-01-01T00:00:01.000Z",)"
               R"("lastUpdatedAt":"1970-01-01T00:00:01.000Z","ttlMs":null,"pollIntervalMs":250})");
    pass(milliseconds(5));
    one.on_message("half way", now);
    const json::object all = detail(one);
    BOOST_TEST(all.at("statusMessage").as_string() == "half way");
    BOOST_TEST(all.at("lastUpdatedAt").as_string() == "1970-01-01T00:00:01.005Z");
}

BOOST_AUTO_TEST_CASE(a_result_stands_in_the_task_as_it_came)
{
    task_record& one = add("a", alice);
    pass(second);
    store.complete(one, R"({"content":[],"n":1e400})", now);
    BOOST_TEST((one.status() == task_status::completed));
    const std::string text = one.detail(second).text();
    BOOST_TEST(text.ends_with(R"(,"result":{"content":[],"n":1e400}})"), text);
    BOOST_TEST(text.find(R"("ttlMs":2000,)") != text.npos, text); // from the beginning, as the protocol has it
}

BOOST_AUTO_TEST_CASE(an_end_is_for_good)
{
    task_record& one = add("a", alice);
    store.fail(one, error_text(error_object{7, "No", json::value(1)}), now);
    store.complete(one, "{}", now);
    store.cancel(one, now);
    one.on_message("late", now);
    const json::object all = detail(one);
    BOOST_TEST(all.at("status").as_string() == "failed");
    BOOST_TEST(json::serialize(all.at("error")) == R"({"code":7,"message":"No","data":1})");
    BOOST_TEST(!all.contains("result"));
    BOOST_TEST(!all.contains("statusMessage"));
}

BOOST_AUTO_TEST_CASE(a_failure_without_an_error_is_an_internal_one)
{
    task_record& one = add("a", alice);
    store.lose(one, task_loss::abandoned, now);
    BOOST_TEST(json::serialize(detail(one).at("error")) == R"({"code":-32603,"message":"Internal error"})");
}

BOOST_AUTO_TEST_CASE(a_loss_says_why_in_place_of_what_the_tool_has_told)
{
    task_record& one = add("a", alice);
    one.on_message("half way", now);
    store.lose(one, task_loss::no_reply, now);
    BOOST_TEST(detail(one).at("statusMessage").as_string() == "The call of the tool has ended without a reply");
    BOOST_TEST(store.bytes() == 0U);
    task_record& other = add("b", alice);
    other.on_message("half way", now);
    store.cancel(other, now);
    store.lose(other, task_loss::no_reply, now); // comes too late
    BOOST_TEST(detail(other).at("status").as_string() == "cancelled");
    BOOST_TEST(detail(other).at("statusMessage").as_string() == "half way");
}

BOOST_AUTO_TEST_CASE(texts_of_a_task_are_shared_with_who_asks_for_them)
{
    task_record& one = add("a", alice);
    ask(one, "x");
    const task_detail asked = one.detail(second);
    BOOST_TEST((asked.questions.front().request == one.detail(second).questions.front().request)); // the same text
    BOOST_TEST(answer(one, {{"x", "1"}}));
    store.complete(one, R"({"content":[]})", now);
    const task_detail done = one.detail(second);
    BOOST_TEST((done.outcome == one.detail(second).outcome));
    store.drop("a");
    BOOST_TEST(done.text().ends_with(R"(,"result":{"content":[]}})")); // it outlives the task
    BOOST_TEST(asked.text().ends_with(R"(,"inputRequests":{"x":{"method":"elicitation/create"}}})"));
}

BOOST_AUTO_TEST_CASE(the_answers_of_a_round_are_handed_over_and_still_count)
{
    task_record& one = add("a", alice);
    ask(one, "x");
    BOOST_TEST(answer(one, {{"x", "1"}}));
    const std::size_t bytes = store.bytes();
    const task_round round = one.take_round();
    BOOST_TEST(round.number == 2U);
    BOOST_TEST(round.answers.size() == 1U);
    BOOST_TEST(store.bytes() == bytes);
    store.complete(one, "{}", now);
    BOOST_TEST(store.bytes() == 2U);
    BOOST_TEST(json::parse(round.text()).at("name").as_string() == "t"); // they outlive the task's own
}

BOOST_AUTO_TEST_CASE(it_works_again_when_all_is_answered)
{
    task_record& one = add("a", alice, R"({"name":"t","inputResponses":{},"requestState":"old"} )");
    std::vector<task_question> both = questions("x");
    both.push_back({"y", R"({"method":"roots/list"})"});
    store.ask(one, {both, R"("s")"}, now);
    BOOST_TEST(detail(one).at("status").as_string() == "input_required");
    BOOST_TEST(detail(one).at("inputRequests").as_object().size() == 2);

    BOOST_TEST(!answer(one, {{"z", "1"}}));
    BOOST_TEST(!answer(one, {{"x", R"({"a":1})"}}));
    BOOST_TEST(!answer(one, {{"x", R"({"a":2})"}})); // the first answer counts
    BOOST_TEST(json::serialize(detail(one).at("inputRequests")) == R"({"y":{"method":"roots/list"}})");
    BOOST_TEST(answer(one, {{"y", "2"}}));
    BOOST_TEST((one.status() == task_status::working));
    BOOST_TEST(one.round() == 2);
    const json::object params = json::parse(one.take_round().text()).as_object(); // the last of two members counts
    BOOST_TEST(json::serialize(params.at("inputResponses")) == R"({"x":{"a":1},"y":2})");
    BOOST_TEST(params.at("requestState").as_string() == "s");
    BOOST_TEST(params.at("name").as_string() == "t");
}

BOOST_AUTO_TEST_CASE(without_a_state_the_former_one_does_not_count)
{
    task_record& one = add("a", alice, R"({"requestState":"old"})");
    ask(one, "x", {});
    BOOST_TEST(answer(one, {{"x", "1"}}));
    BOOST_TEST(json::parse(one.take_round().text()).at("requestState").is_null());
    task_record& bare = add("b", alice, "{ }");
    ask(bare, "x", {});
    BOOST_TEST(answer(bare, {{"x", "1"}}));
    BOOST_TEST(json::parse(bare.take_round().text()).at("inputResponses").at("x").as_int64() == 1);
}

BOOST_AUTO_TEST_CASE(a_key_that_was_used_gets_another_name)
{
    task_record& one = add("a", alice);
    ask(one, "x");
    BOOST_TEST(answer(one, {{"x", "1"}}));
    ask(one, "x");
    BOOST_TEST(json::serialize(detail(one).at("inputRequests")) == R"({"x#2":{"method":"elicitation/create"}})");
    BOOST_TEST(!answer(one, {{"x", "1"}}));
    BOOST_TEST(answer(one, {{"x#2", "2"}}));
    BOOST_TEST(json::serialize(json::parse(one.take_round().text()).at("inputResponses")) == R"({"x":2})");
}

BOOST_AUTO_TEST_CASE(who_asks_again_and_again_has_failed)
{
    task_store large(task_store::limits{second, 1, 1, 1'000'000, 1'000'000});
    task_record& one = large.add("a", alice, "{}", now);
    for (int i = 0; i != 1000; ++i) {
        const std::string key = "k" + std::to_string(i);
        large.ask(one, {questions(key), {}}, now);
        task_answers answers{{key, "1"}};
        BOOST_REQUIRE(large.answer(one, answers, now));
    }
    large.ask(one, {questions("more"), {}}, now);
    BOOST_TEST(detail(one).at("error").at("message").as_string() == "The tool has asked too often");
}

BOOST_AUTO_TEST_CASE(questions_stand_there_as_they_were_asked)
{
    task_record& one = add("a", alice);
    store.ask(one, {{{"b", "1e400"}, {"a\"", "[ ]"}}, {}}, now);
    const std::string text = one.detail(second).text();
    BOOST_TEST(text.ends_with(R"(,"inputRequests":{"b":1e400,"a\"":[ ]}})"), text);
    task_answers answers{{"a\"", "1e401"}, {"z", "1"}};
    BOOST_TEST(!store.answer(one, answers, now));
    BOOST_TEST(answers.size() == 1U); // what is not asked is left
    BOOST_TEST(answer(one, {{"b", "2"}}));
    const std::string params = one.take_round().text();
    BOOST_TEST(params.find(R"(,"inputResponses":{"a\"":1e401,"b":2},)") != params.npos, params);
}

BOOST_AUTO_TEST_CASE(texts)
{
    std::set<std::string> ids;
    for (int i = 0; i != 100; ++i)
        ids.insert(make_task_id());
    BOOST_TEST(ids.size() == 100U);
    BOOST_TEST(ids.begin()->size() == 48U);
    BOOST_TEST(ids.begin()->find_first_not_of("0123456789abcdef") == std::string::npos);
    BOOST_TEST(iso_time(std::chrono::system_clock::time_point(milliseconds(1785542400123))) ==
               "2026-08-01T00:00:00.123Z");
    BOOST_TEST(shortened(std::string(1024, 'a')).size() == 1024U);
    BOOST_TEST(shortened(std::string(1025, 'a')).size() == 1024U);
    BOOST_TEST(shortened(std::string(1023, 'a') + "\xc3\xa4\xc3\xa4").size() == 1023U);
}

BOOST_AUTO_TEST_SUITE_END()
