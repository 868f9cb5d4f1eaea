// Tools whose calls are tasks, as a client sees them.

#include "server_tasks_fixture.hpp"
#include "support/text_search.hpp"

#include <boost/asio/thread_pool.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>
#include <thread>
#include <utility>

namespace json = boost::json;
namespace mcp = partyline::mcp;
using namespace partyline::test;
using partyline::task;

BOOST_FIXTURE_TEST_SUITE(mcp_server_tasks, server_tasks_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(the_server_declares_them_to_modern_clients)
{
    begin();
    BOOST_TEST(contains(result_member(answer_modern("server/discover"), "capabilities"),
                        R"("extensions":{"io.modelcontextprotocol/tasks":{}})"));
    server_tasks_fixture legacy;
    legacy.greet();
    BOOST_TEST(!contains(legacy.heard().front(), "tasks"));
}

BOOST_AUTO_TEST_CASE(a_call_is_answered_by_a_task_that_is_there)
{
    begin();
    const json::object made = call_task("slow");
    BOOST_TEST(made.at("resultType").as_string() == "task");
    BOOST_TEST(made.at("status").as_string() == "working");
    BOOST_TEST(made.at("ttlMs").is_null());
    BOOST_TEST(made.at("pollIntervalMs").as_int64() == 1000);
    BOOST_TEST(made.at("createdAt") == made.at("lastUpdatedAt"));
    BOOST_TEST(made.size() == 7U);
    const std::string id(made.at("taskId").as_string());
    run_until([this] { return work.arrivals == 1; });
    settle();
    const json::object now = get(id);
    BOOST_TEST(now.at("resultType").as_string() == "complete");
    BOOST_TEST(now.at("taskId").as_string() == id);
    BOOST_TEST(now.at("status").as_string() == "working");
    BOOST_TEST(now.at("statusMessage").as_string() == "at work");
    BOOST_TEST(!now.contains("result"));
    work.open();
    const json::object ended = wait_for(id, "completed");
    BOOST_TEST(json::serialize(ended.at("result").at("content")) == R"([{"type":"text","text":"worked"}])");
    BOOST_TEST(ended.at("ttlMs").as_int64() >= 300'000);
}

BOOST_AUTO_TEST_CASE(others_wait_or_are_refused)
{
    begin();
    BOOST_TEST(contains(call_plainly("quick"), R"("text":"done")"));
    const std::string refused = answer_modern("tasks/get", R"("taskId":"x")");
    BOOST_TEST(contains(refused, "-32021"), refused);
    const std::string lacking = call_plainly("must");
    BOOST_TEST(contains(lacking, R"("code":-32021)"), lacking);
    BOOST_TEST(contains(lacking, R"("requiredCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}})"),
               lacking);
    wait_for(id_of("must"), "completed");
}

BOOST_AUTO_TEST_CASE(a_legacy_client_gets_none_whatever_it_declares)
{
    greet("2025-11-25", declaring);
    call("1", "quick");
    expect(text_result("1", "done"));
    call("2", "must");
    const std::string refused = receive();
    BOOST_TEST(contains(refused, R"("code":-32602)"), refused);
    BOOST_TEST(contains(refused, "io.modelcontextprotocol/tasks"), refused);
    BOOST_TEST(contains(answer_to(request("3", "tasks/get", R"({"taskId":"x"})")), "-32601"));
}

BOOST_AUTO_TEST_CASE(a_failure_of_the_tool_is_a_result_and_an_error_is_none)
{
    begin();
    BOOST_TEST(wait_for(id_of("bad"), "completed").at("result").at("isError").as_bool());
    const json::object failed = wait_for(id_of("refused"), "failed");
    BOOST_TEST(json::serialize(failed.at("error")) == R"({"code":7,"message":"No","data":1})");
    BOOST_TEST(!failed.contains("result"));
}

BOOST_AUTO_TEST_CASE(a_cancel_reaches_the_tool)
{
    begin();
    const std::string id = id_of("slow");
    run_until([this] { return work.arrivals == 1; });
    bool has_ended = false;
    add("watched", [&](mcp::context&) -> task<std::string> {
        const std::shared_ptr<void> at_end(nullptr, [&](void*) { has_ended = true; });
        co_await work.wait();
        co_return "not cancelled";
    });
    const std::string watched = id_of("watched");
    run_until([this] { return work.arrivals == 2; });
    BOOST_TEST(cancel_task(watched) == modern_empty());
    BOOST_TEST(get(watched).at("status").as_string() == "cancelled");
    run_until([&] { return has_ended; });
    BOOST_TEST(get(id).at("status").as_string() == "working");
    BOOST_TEST(cancel_task(watched) == modern_empty());
    work.open();
    wait_for(id, "completed");
    BOOST_TEST(cancel_task(id) == modern_empty());
    BOOST_TEST(get(id).at("status").as_string() == "completed");
}

BOOST_AUTO_TEST_CASE(what_is_not_there_is_told_by_each_method)
{
    begin();
    for (const char* const method : {"tasks/get", "tasks/cancel", "tasks/update"}) {
        const std::string refused = answer_modern(method, R"("taskId":"x","inputResponses":{})", declaring);
        BOOST_TEST(contains(refused, R"("code":-32602,"message":"Unknown task","data":{"taskId":"x"})"), refused);
        BOOST_TEST(contains(answer_modern(method, R"("inputResponses":{})", declaring), "-32602"));
    }
    for (const char* const method : {"tasks/list", "tasks/result"})
        BOOST_TEST(contains(answer_modern(method, R"("taskId":"x")", declaring), "-32601"));
}

BOOST_AUTO_TEST_CASE(a_tool_may_have_an_executor_of_its_own)
{
    boost::asio::thread_pool pool(1);
    std::thread::id where;
    mcp::tool_options with;
    with.run.around_requests.add(tasks->optional());
    with.run.executor = pool.get_executor();
    const auto tell = [&] {
        where = std::this_thread::get_id();
        return std::string("done elsewhere");
    };
    server.add_tool("elsewhere", "A tool", tell, std::move(with));
    begin();
    BOOST_TEST(contains(json::serialize(wait_for(id_of("elsewhere"), "completed").at("result")), "done elsewhere"));
    pool.join();
    BOOST_TEST((where != std::this_thread::get_id()));
}

BOOST_AUTO_TEST_SUITE_END()
