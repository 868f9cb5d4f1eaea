// How much tasks may cost, and what becomes of those that cost more.

#include "server_tasks_fixture.hpp"
#include "support/text_search.hpp"

#include <partyline/rpc/middleware.hpp>

#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

namespace json = boost::json;
namespace mcp = partyline::mcp;
using namespace partyline::test;
using partyline::task;

namespace {

json::value nested_objects(int depth)
{
    json::value made = json::object();
    for (int i = 1; i < depth; ++i)
        made = json::object{{"a", std::move(made)}};
    return made;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_server_tasks_bounds, server_tasks_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(what_configure_session_throws_is_the_answer)
{
    bool is_refused = true;
    settings.max_tasks = 1;
    settings.configure_session = [&](partyline::request_context&, partyline::session_options&) {
        if (is_refused)
            throw partyline::rpc_error(9, "Not now");
    };
    renew();
    begin();
    call_modern("1", "asks", "{}", declaring);
    const std::string refused = receive();
    BOOST_TEST(contains(refused, R"("code":9,"message":"Not now")"), refused);
    is_refused = false;
    const std::string id = id_of("asks"); // there is room: the first one has never been
    wait_for(id, "input_required");
    is_refused = true;
    const std::string lost = update(id, R"({"sure":{"action":"decline"},"word":{"action":"decline"}})");
    BOOST_TEST(contains(lost, R"("code":9,"message":"Not now")"), lost);
    BOOST_TEST(get(id).at("status").as_string() == "failed");
}

BOOST_AUTO_TEST_CASE(a_result_that_no_answer_could_hold_is_a_failure)
{
    int depth = 100;
    add("deep", [&depth] { return nested_objects(depth); });
    begin();
    BOOST_TEST(wait_for_end(id_of("deep")).at("status").as_string() == "completed");
    for (depth = 120; depth != 129; ++depth) // each has an answer
        wait_for_end(id_of("deep"));
    const json::object failed = wait_for_end(id_of("deep"));
    BOOST_TEST(failed.at("status").as_string() == "completed"); // the tool has failed
    BOOST_TEST(failed.at("result").at("isError").as_bool());
}

BOOST_AUTO_TEST_CASE(a_task_may_be_as_deep_as_the_session_of_its_client)
{
    options.bounds.depth = 20;
    int depth = 0;
    add("deep", [&depth] { return nested_objects(depth); });
    begin();
    for (depth = 10; depth != 21; ++depth) // each has an answer
        wait_for_end(id_of("deep"));
    BOOST_TEST(wait_for_end(id_of("deep")).at("result").at("isError").as_bool());
    depth = 10;
    BOOST_TEST(!contains(json::serialize(wait_for_end(id_of("deep"))), R"("isError":true)"));
}

BOOST_AUTO_TEST_CASE(a_task_may_be_as_large_as_a_message_of_its_client)
{
    options.bounds.message_bytes = std::size_t(64) << 10;
    std::size_t size = 0;
    add("large", [&size] { return std::string(size, 'a'); });
    begin();
    for (size = 10'000; size < 70'000; size += 1000) // each has an answer
        wait_for_end(id_of("large"));
    BOOST_TEST(json::serialize(wait_for_end(id_of("large"))).size() < 2000U); // an error
    size = 10'000;
    BOOST_TEST(json::serialize(wait_for_end(id_of("large"))).size() > size);
    call_modern("1", "quick", "{}", declaring, R"(,"unused":")" + std::string(64'000, 'a') + '"');
    const std::string made = receive();
    BOOST_TEST(contains(made, R"("resultType":"task")"), made);
    wait_for(result_member(made, "taskId"), "completed");
}

BOOST_AUTO_TEST_CASE(without_room_a_call_that_has_to_be_a_task_is_refused)
{
    settings.max_tasks = 1;
    renew();
    begin();
    const std::string id = id_of("slow");
    call_modern("1", "must", "{}", declaring);
    const std::string refused = receive();
    BOOST_TEST(contains(refused, R"("code":-31001)"), refused);
    BOOST_TEST(contains(refused, R"("limit":"server_tasks_options::max_tasks")"), refused);
    BOOST_TEST(get(id).at("status").as_string() == "working"); // no other one is dropped
    work.open();
    wait_for(id, "completed");
}

BOOST_AUTO_TEST_CASE(without_room_another_call_is_served_within_the_request)
{
    settings.max_tasks = 1;
    renew();
    begin();
    const std::string id = id_of("slow");
    call_modern("1", "quick", "{}", declaring);
    BOOST_TEST(receive() == modern_text("1", "done"));
    call_modern("2", "asks", "{}", declaring);
    BOOST_TEST(contains(receive(), R"("resultType":"input_required")"));
    BOOST_TEST(get(id).at("status").as_string() == "working");
    work.open();
    wait_for(id, "completed");
}

BOOST_AUTO_TEST_CASE(a_call_that_is_cancelled_before_it_is_a_task_leaves_none)
{
    settings.max_tasks = 1;
    renew();
    mcp::tool_options with;
    with.run.around_requests.add([this](partyline::request_context&, partyline::json_view,
                                        partyline::next_handler& next) -> task<partyline::request_result> {
        try {
            co_await work.wait();
        } catch (const std::exception&) { // goes on, although the request is cancelled
        }
        co_return co_await next();
    });
    with.run.around_requests.add(tasks->required());
    server.add_tool("held", "A tool", [] { return std::string("done"); }, std::move(with));
    begin();
    call_modern("7", "held", "{}", declaring);
    run_until([this] { return work.arrivals == 1; });
    send(notification("notifications/cancelled", R"({"requestId":7})"));
    settle();
    work.open();
    take_lines();
    wait_for(id_of("held"), "completed"); // there is room
}

BOOST_AUTO_TEST_CASE(an_id_that_is_long_is_not_told_as_a_whole)
{
    begin();
    const std::string refused =
        answer_modern("tasks/get", R"("taskId":")" + std::string(100'000, 'a') + '"', declaring);
    BOOST_TEST(contains(refused, R"("message":"Unknown task")"));
    BOOST_TEST(refused.size() < 2000U);
}

BOOST_AUTO_TEST_CASE(times_make_sense)
{
    mcp::server other("other", "1");
    BOOST_CHECK_THROW(mcp::server_tasks(other, {.ttl = std::chrono::milliseconds(0)}), std::invalid_argument);
    BOOST_CHECK_THROW(mcp::server_tasks(other, {.poll_interval = std::chrono::hours(9000)}), std::invalid_argument);
    const mcp::server_tasks first(other);
    BOOST_CHECK_THROW(const mcp::server_tasks second(other), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
