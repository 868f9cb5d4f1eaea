// Tasks by themselves: what becomes of one, how many there may be, whose they are, and when they are dropped.

#include "mcp_extensions/tasks/task_store.hpp"
#include "mcp_extensions/tasks/task_texts.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <set>
#include <string>
#include <vector>

namespace json = boost::json;
using namespace partyline::mcp;
using partyline::error_object;
using partyline::rpc_error;
using std::chrono::milliseconds;

namespace {

constexpr milliseconds second(1000);

struct store_fixture {
    task_time now{std::chrono::steady_clock::time_point(second), std::chrono::system_clock::time_point(second)};
    task_store store{task_store::limits{second, 3, 2, 5000, 4000}};
    const task_owner alice{"token", "alice"};
    const task_owner bob{"token", "bob"};

    void pass(milliseconds time)
    {
        now.steady += time;
        now.wall += time;
    }
    task_record& add(const std::string& id, const task_owner& of, std::string params = R"({"name":"t"})")
    {
        return store.add(id, of, std::move(params), now);
    }
    json::object detail(const task_record& of) const { return json::parse(of.detail(second)).as_object(); }
    std::string limit_of_refusal(const std::string& id, const task_owner& of, std::string params = "{}")
    {
        try {
            add(id, of, std::move(params));
        } catch (const rpc_error& refused) {
            BOOST_TEST(refused.error().code == -31001);
            return json::serialize(refused.error().data->at("limit"));
        }
        return "none";
    }
    static std::vector<task_question> questions(const std::string& name)
    {
        return {{name, R"({"method":"elicitation/create"})"}};
    }
    bool answer(task_record& one, task_answers answers) { return store.answer(one, answers, now); }
    void ask(task_record& one, const std::string& name, std::string state = R"("s")")
    {
        store.ask(one, {questions(name), std::move(state)}, now);
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_task_store, store_fixture, *boost::unit_test::timeout(30))

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
    const std::string text = one.detail(second);
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
    store.lose(one, now);
    BOOST_TEST(json::serialize(detail(one).at("error")) == R"({"code":-32603,"message":"Internal error"})");
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
    const json::object params = json::parse(one.round_params()).as_object(); // the last of two members counts
    BOOST_TEST(json::serialize(params.at("inputResponses")) == R"({"x":{"a":1},"y":2})");
    BOOST_TEST(params.at("requestState").as_string() == "s");
    BOOST_TEST(params.at("name").as_string() == "t");
}

BOOST_AUTO_TEST_CASE(without_a_state_the_former_one_does_not_count)
{
    task_record& one = add("a", alice, R"({"requestState":"old"})");
    ask(one, "x", {});
    BOOST_TEST(answer(one, {{"x", "1"}}));
    BOOST_TEST(json::parse(one.round_params()).at("requestState").is_null());
    task_record& bare = add("b", alice, "{ }");
    ask(bare, "x", {});
    BOOST_TEST(answer(bare, {{"x", "1"}}));
    BOOST_TEST(json::parse(bare.round_params()).at("inputResponses").at("x").as_int64() == 1);
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
    BOOST_TEST(json::serialize(json::parse(one.round_params()).at("inputResponses")) == R"({"x":2})");
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
    const std::string text = one.detail(second);
    BOOST_TEST(text.ends_with(R"(,"inputRequests":{"b":1e400,"a\"":[ ]}})"), text);
    task_answers answers{{"a\"", "1e401"}, {"z", "1"}};
    BOOST_TEST(!store.answer(one, answers, now));
    BOOST_TEST(answers.size() == 1U); // what is not asked is left
    BOOST_TEST(answer(one, {{"b", "2"}}));
    const std::string params = one.round_params();
    BOOST_TEST(params.find(R"(,"inputResponses":{"a\"":1e401,"b":2},)") != params.npos, params);
}

BOOST_AUTO_TEST_CASE(it_is_there_for_its_owner_alone)
{
    task_record& one = add("a", alice);
    BOOST_TEST(store.find("a", alice, now) == &one);
    BOOST_TEST(!store.find("a", bob, now));
    BOOST_TEST(!store.find("a", {"certificate", "alice"}, now));
    BOOST_TEST(!store.find("a", {}, now));
    BOOST_TEST(!store.find("b", alice, now));
}

BOOST_AUTO_TEST_CASE(what_has_ended_is_dropped_when_its_time_is_over)
{
    store.complete(add("a", alice), "{}", now);
    pass(milliseconds(400));
    store.cancel(add("b", alice), now);
    pass(milliseconds(599));
    BOOST_TEST(store.find("a", alice, now));
    pass(milliseconds(1));
    BOOST_TEST(!store.find("a", alice, now));
    BOOST_TEST(store.find("b", alice, now));
    pass(milliseconds(400));
    BOOST_TEST(!store.find("b", alice, now));
    BOOST_TEST(store.size() == 0U);
    BOOST_TEST(store.bytes() == 0U);
}

BOOST_AUTO_TEST_CASE(what_works_is_not_dropped_and_what_asks_is)
{
    task_record& one = add("a", alice);
    pass(second * 10);
    BOOST_TEST(store.find("a", alice, now));
    ask(one, "x");
    BOOST_TEST(detail(one).at("ttlMs").as_int64() == 11000);
    pass(milliseconds(999));
    BOOST_TEST(answer(*store.find("a", alice, now), {{"x", "1"}}));
    BOOST_TEST(detail(one).at("ttlMs").is_null());
    pass(second);
    BOOST_TEST(store.find("a", alice, now));
    ask(one, "y");
    pass(second);
    BOOST_TEST(!store.find("a", alice, now));
}

BOOST_AUTO_TEST_CASE(a_cancel_of_one_that_asks_gives_it_its_time_afresh)
{
    task_record& one = add("a", alice);
    ask(one, "x");
    pass(milliseconds(900));
    store.cancel(one, now);
    pass(milliseconds(900));
    store.cancel(one, now); // once more changes nothing
    BOOST_TEST(store.find("a", alice, now));
    pass(milliseconds(100));
    BOOST_TEST(!store.find("a", alice, now));
}

BOOST_AUTO_TEST_CASE(there_is_room_for_so_many_of_one_and_of_all)
{
    add("a", alice);
    store.complete(add("b", alice), "{}", now);
    BOOST_TEST(limit_of_refusal("c", alice) == R"("server_tasks_options::max_tasks_of_principal")");
    add("c", bob);
    BOOST_TEST(limit_of_refusal("d", bob) == R"("server_tasks_options::max_tasks")");
    BOOST_TEST(limit_of_refusal("d", {}) == R"("server_tasks_options::max_tasks")");
    pass(second);
    BOOST_TEST(limit_of_refusal("d", alice) == "none");
    store.drop("c");
    BOOST_TEST(limit_of_refusal("e", {}) == "none");
}

BOOST_AUTO_TEST_CASE(there_is_room_for_so_many_bytes)
{
    BOOST_TEST(limit_of_refusal("a", alice, std::string(4001, ' ')) ==
               R"("server_tasks_options::max_bytes_of_principal")");
    BOOST_TEST(store.size() == 0U);
    task_record& one = add("a", alice, std::string(3900, ' '));
    BOOST_TEST(limit_of_refusal("b", alice, std::string(101, ' ')) ==
               R"("server_tasks_options::max_bytes_of_principal")");
    task_record& two = add("b", bob, std::string(1000, ' '));
    BOOST_TEST(limit_of_refusal("c", bob, std::string(101, ' ')) == R"("server_tasks_options::max_bytes")");
    store.complete(two, std::string(1101, ' '), now);
    BOOST_TEST(detail(two).at("error").at("code").as_int64() == -31001);
    store.complete(one, std::string(4000, ' '), now); // its params go
    BOOST_TEST((one.status() == task_status::completed));
    BOOST_TEST(store.bytes() == 4000U + two.bytes());
}

BOOST_AUTO_TEST_CASE(one_principal_leaves_room_for_the_tasks_of_another)
{
    add("a", alice, std::string(3000, ' '));
    task_record& more = add("b", alice);
    task_record& other = add("c", bob);
    store.complete(more, std::string(1500, ' '), now);
    BOOST_TEST(detail(more).at("error").at("data").at("limit").as_string() ==
               "server_tasks_options::max_bytes_of_principal");
    store.complete(other, std::string(1500, ' '), now);
    BOOST_TEST((other.status() == task_status::completed));
    store.drop("a");
    BOOST_TEST(limit_of_refusal("d", alice, std::string(3000, ' ')) == "none");
}

BOOST_AUTO_TEST_CASE(an_error_needs_room_too)
{
    store.fail(add("a", alice), '"' + std::string(3000, 'e') + '"', now);
    BOOST_TEST(store.bytes() == 3002U);
    task_record& two = add("b", alice);
    store.fail(two, '"' + std::string(2000, 'e') + '"', now);
    BOOST_TEST(detail(two).at("error").at("code").as_int64() == -31001);
}

BOOST_AUTO_TEST_CASE(questions_and_answers_need_room_too)
{
    task_record& one = add("a", alice, "{}");
    ask(one, std::string(1000, 'k'));
    BOOST_TEST((one.status() == task_status::input_required));
    task_answers large{{std::string(1000, 'k'), std::string(1000, '1')}};
    BOOST_CHECK_THROW(store.answer(one, large, now), rpc_error);
    BOOST_TEST(large.size() == 1U);
    BOOST_TEST((one.status() == task_status::input_required));
    task_record& two = add("b", bob, "{}");
    ask(two, std::string(1500, 'k'));
    BOOST_TEST(detail(two).at("error").at("code").as_int64() == -31001);
}

BOOST_AUTO_TEST_CASE(all_of_them_go_at_once)
{
    add("a", alice);
    store.complete(add("b", bob), "{}", now);
    const task_store::contents all = store.clear();
    BOOST_TEST(all.records.size() == 2U);
    BOOST_TEST(store.size() == 0U);
    BOOST_TEST(store.bytes() == 0U);
    BOOST_TEST(!store.find("a", alice, now));
    BOOST_TEST(limit_of_refusal("a", alice) == "none");
}

BOOST_AUTO_TEST_CASE(a_run_speaks_of_its_own_round_alone)
{
    task_record& one = add("a", alice);
    BOOST_TEST(store.find_working("a", 1) == &one);
    BOOST_TEST(!store.find_working("a", 2));
    ask(one, "x");
    BOOST_TEST(!store.find_working("a", 1));
    answer(one, {{"x", "1"}});
    BOOST_TEST(!store.find_working("a", 1));
    BOOST_TEST(store.find_working("a", 2) == &one);
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
