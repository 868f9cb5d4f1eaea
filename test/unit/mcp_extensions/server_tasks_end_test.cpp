// Tasks of several clients, and what becomes of tasks when something that they need goes.

#include "modern_client.hpp"
#include "support/text_search.hpp"

#include <partyline/mcp_extensions/server_tasks.hpp>

#include <boost/asio/deferred.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/describe.hpp>
#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace asio = boost::asio;
namespace json = boost::json;
namespace mcp = partyline::mcp;
using partyline::task;
using partyline::test::contains;
using partyline::test::modern_client;

namespace {

struct name_form {
    std::string name;
};
BOOST_DESCRIBE_STRUCT(name_form, (), (name))

// Works until it is cancelled or destroyed.
task<std::string> work_for_ever(mcp::context& c, std::shared_ptr<int> held)
{
    asio::steady_timer never(c.get_executor(), asio::steady_timer::time_point::max());
    ++*held;
    co_await never.async_wait(asio::deferred);
    co_return "never";
}

task<std::string> ask_name(mcp::context& c)
{
    const auto who = co_await c.elicit<name_form>("name", "Name?");
    co_return "Hello, " + who->name;
}

struct ending_fixture {
    ending_fixture()
    {
        add("work", [held = held](mcp::context& c) { return work_for_ever(c, held); });
        add("ask", &ask_name);
    }

    template <class F>
    void add(std::string name, F function)
    {
        mcp::tool_options with;
        with.run.around_requests.add(tasks->optional());
        server->add_tool(std::move(name), "A tool", std::move(function), std::move(with));
    }
    // Runs until the tool works.
    void wait_for_work(asio::io_context& of) const
    {
        const auto deadline = std::chrono::steady_clock::now() + modern_client::longest_wait;
        while (*held == 0)
            BOOST_REQUIRE(std::chrono::steady_clock::now() < deadline && of.run_one_until(deadline) != 0);
    }
    // Whether nothing is left to happen, in the end.
    bool runs_out()
    {
        context->restart();
        context->run_for(modern_client::longest_wait);
        return context->stopped();
    }
    bool is_released()
    {
        const std::weak_ptr<int> watched = std::exchange(held, nullptr);
        return watched.expired();
    }

    std::shared_ptr<int> held = std::make_shared<int>(0);
    std::optional<mcp::server> server{std::in_place, "unit", "1.0"};
    std::optional<mcp::server_tasks> tasks{std::in_place, *server};
    std::optional<asio::io_context> context{std::in_place, 1};
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_server_tasks_end, ending_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(nobody_but_its_principal_has_a_task)
{
    modern_client alice(*server, *context, "alice");
    modern_client bob(*server, *context, "bob");
    modern_client anyone(*server, *context);
    const std::string id = alice.id_of("ask");
    alice.wait_for(id, "input_required");
    const json::value answers = json::parse(R"({"name":{"action":"accept","content":{"name":"Bob"}}})");
    for (modern_client* const other : {&bob, &anyone})
        for (const char* const method : {"tasks/get", "tasks/update", "tasks/cancel"})
            for (const std::string& each : {id, std::string("unknown")}) // both are answered in the same way
                BOOST_TEST(other->refusal(method, {{"taskId", each}, {"inputResponses", answers}}) ==
                           R"(-32602 Unknown task {"taskId":")" + each + R"("})");
    BOOST_TEST(contains(alice.get(id), R"("status":"input_required")"));
    modern_client again(*server, *context, "alice");
    again.ask("tasks/update", {{"taskId", id},
                               {"inputResponses", json::parse(R"({"name":{"action":"accept",)"
                                                              R"("content":{"name":"Alice"}}})")}});
    BOOST_TEST(contains(again.wait_for(id, "completed"), "Hello, Alice"));
}

BOOST_AUTO_TEST_CASE(a_task_goes_on_without_the_session_that_made_it)
{
    std::string id;
    {
        modern_client first(*server, *context);
        id = first.id_of("work");
    }
    wait_for_work(*context);
    modern_client second(*server, *context);
    BOOST_TEST(contains(second.get(id), R"("status":"working")"));
    BOOST_TEST(contains(second.ask("tasks/cancel", {{"taskId", id}}), R"("resultType":"complete")"));
    BOOST_TEST(contains(second.get(id), R"("status":"cancelled")"));
}

BOOST_AUTO_TEST_CASE(one_that_waits_for_answers_keeps_nothing_running)
{
    modern_client first(*server, *context);
    const std::string id = first.id_of("ask");
    first.wait_for(id, "input_required");
    first.close();
    BOOST_REQUIRE(runs_out());
    modern_client second(*server, *context);
    BOOST_TEST(contains(second.get(id), R"("status":"input_required")"));
}

BOOST_AUTO_TEST_CASE(a_client_may_go_at_any_moment)
{
    bool has_worked = false;
    for (int steps = 0; steps != 1000 && !has_worked; ++steps) {
        BOOST_TEST_CONTEXT("after " << steps << " steps")
        {
            ending_fixture one;
            std::optional<modern_client> client(std::in_place, *one.server, *one.context);
            client->say("tools/call", {{"name", "work"}, {"arguments", json::object()}});
            for (int i = 0; i != steps; ++i)
                one.context->poll_one();
            has_worked = *one.held != 0;
            client.reset();
            one.tasks.reset();
            BOOST_TEST(one.runs_out());
            one.server.reset();
            BOOST_TEST(one.is_released());
        }
    }
    BOOST_TEST(has_worked); // the steps go as far as that
}

BOOST_AUTO_TEST_CASE(what_runs_on_a_context_that_is_destroyed_has_failed)
{
    std::string id;
    {
        modern_client first(*server, *context);
        id = first.id_of("work");
        wait_for_work(*context);
    }
    context.emplace(1);
    modern_client second(*server, *context);
    const std::string lost = second.get(id);
    BOOST_TEST(contains(lost, R"("status":"failed")"), lost);
    BOOST_TEST(contains(lost, R"("code":-32603)"), lost);
    BOOST_TEST(contains(lost, R"("statusMessage":"The server has abandoned the call of the tool")"), lost);
}

BOOST_AUTO_TEST_CASE(without_the_object_tools_are_called_as_ever)
{
    std::optional<modern_client> client(std::in_place, *server, *context);
    const std::string id = client->id_of("work");
    wait_for_work(*context);
    tasks.reset();
    BOOST_TEST(client->get(id) == "-32602");
    BOOST_TEST(contains(client->call("ask"), R"("resultType":"input_required")"));
    client->close();
    client.reset();
    BOOST_REQUIRE(runs_out()); // the tool was cancelled
    server.reset();
    BOOST_TEST(is_released());
}

BOOST_AUTO_TEST_CASE(all_may_go_while_a_tool_works)
{
    std::optional<modern_client> client(std::in_place, *server, *context);
    client->id_of("work");
    wait_for_work(*context);
    server.reset();
    client.reset();
    context.reset();
    tasks.reset();
    BOOST_TEST(is_released());
}

BOOST_AUTO_TEST_SUITE_END()
