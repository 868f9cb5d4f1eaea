// Many tasks: how many there may be, whose they are, and when they are dropped.

#include "task_store_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>

namespace json = boost::json;
using namespace partyline::mcp;
using namespace partyline::test;
using partyline::rpc_error;
using std::chrono::milliseconds;

BOOST_FIXTURE_TEST_SUITE(mcp_task_store, store_fixture, *boost::unit_test::timeout(30))

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

BOOST_AUTO_TEST_CASE(whether_there_is_room_is_known_beforehand)
{
    BOOST_TEST(store.has_room_for(alice, 4000, now));
    BOOST_TEST(!store.has_room_for(alice, 4001, now));
    add("a", alice);
    store.complete(add("b", alice), "{}", now);
    BOOST_TEST(!store.has_room_for(alice, 0, now));
    BOOST_TEST(store.has_room_for(bob, 0, now));
    pass(second);
    BOOST_TEST(store.has_room_for(alice, 0, now)); // what has expired has gone
    BOOST_TEST(store.size() == 1U);
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

BOOST_AUTO_TEST_SUITE_END()
