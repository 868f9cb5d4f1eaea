// When the client asks for a task again, and what it says with each request about one.

#include "client_tasks_fixture.hpp"

#include <boost/asio/error.hpp>
#include <boost/json/value.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>
#include <string_view>

namespace asio = boost::asio;
namespace json = boost::json;
using namespace partyline;
using namespace partyline::test;
using namespace std::chrono_literals;

BOOST_FIXTURE_TEST_SUITE(mcp_client_task_polling, tasks_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(each_request_about_a_task_asks_for_the_log_level_of_the_call)
{
    const auto expect_level = [](tasks_fixture& of) {
        BOOST_TEST(of.last_meta().at("io.modelcontextprotocol/logLevel") == json::value("debug"));
    };
    int asked = 0;
    elicit_yes(asked);
    mcp::call_hooks hooks;
    hooks.log_level = mcp::log_level::debug;
    start();
    call(hooks);
    const std::string id = expect_call();
    expect_level(*this);
    reply(id, task_text("task", "working"));
    const std::string shown = expect_get();
    expect_level(*this);
    reply(shown, asking(shown_question("a")));
    const std::string answered = expect_request(
        "tasks/update", R"({"taskId":"t1","inputResponses":{"a":{"action":"accept","content":{"yes":true}}}})");
    expect_level(*this);
    reply(answered, "{}");
    reply(expect_get(), task_text("complete", "working", in_an_hour));
    settle();
    called.cancel();
    expect_failure(called, asio::error::operation_aborted);
    expect_task_cancel();
    expect_level(*this);
    tasks_fixture other; // this one waits for the answer to the cancel
    other.start();
    other.resumed.begin(other.context.get_executor(), *other.tasks, hooks);
    const std::string asked_again = other.expect_get();
    expect_level(other);
    other.reply(asked_again, task_text("complete", "completed", R"(,"result":{"content":[]})"));
    other.run_until([&] { return other.resumed.has_ended; });
    BOOST_TEST(!other.resumed.failed);
}

BOOST_AUTO_TEST_CASE(whatever_the_server_says_the_client_waits_for_the_shortest_interval)
{
    for (const std::string_view said :
         {"", R"(,"pollIntervalMs":0)", R"(,"pollIntervalMs":null)", R"(,"pollIntervalMs":-5)",
          R"(,"pollIntervalMs":-1e300)", R"(,"pollIntervalMs":0.001)", R"(,"pollIntervalMs":-9223372036854775808)"}) {
        BOOST_TEST_CONTEXT(said)
        {
            tasks_fixture one;
            one.how.min_poll_interval = one.how.poll_interval = 1h;
            one.call_task(said);
            one.expect_silence();
            tasks_fixture shown; // by a server that has a question, and is asked for that at once
            shown.how = one.how;
            shown.start();
            shown.call();
            shown.reply(shown.expect_call(), task_text("task", "input_required", said));
            shown.reply(shown.expect_get(), task_text("complete", "working", said));
            shown.expect_silence();
        }
    }
    how.min_poll_interval = how.poll_interval = 1h;
    start();
    call();
    reply(expect_call(), task_text("task", "input_required"));
    refuse(expect_get(), R"({"code":-31002,"message":"","data":{"retry_after_ms":0}})");
    expect_silence();
}

BOOST_AUTO_TEST_CASE(the_server_can_make_the_client_neither_spin_nor_wait_for_ever)
{
    call_task(R"(,"pollIntervalMs":-5)");
    reply(expect_get(), task_text("complete", "working", R"(,"pollIntervalMs":null)"));
    reply(expect_get(), task_text("complete", "working", ""));
    reply(expect_get(), task_text("complete", "working", R"(,"pollIntervalMs":0.1)"));
    complete_task();
    BOOST_TEST(!wait(called).failed());
    tasks_fixture other;
    other.how.max_poll_interval = 2ms;
    other.call_task(R"(,"pollIntervalMs":1e18)");
    other.reply(other.expect_get(), task_text("complete", "working", R"(,"pollIntervalMs":9223372036854775807)"));
    other.complete_task();
    BOOST_TEST(!other.wait(other.called).failed());
}

BOOST_AUTO_TEST_CASE(a_busy_server_is_asked_again)
{
    call_task();
    refuse(expect_get(), busy_refusal);
    refuse(expect_get(), quota_refusal);
    reply(expect_get(), task_text("complete", "working"));
    refuse(expect_get(), busy_refusal);
    complete_task();
    BOOST_TEST(!wait(called).failed());
    expect_silence();
}

BOOST_AUTO_TEST_CASE(a_busy_server_is_asked_again_after_the_interval)
{
    call_task(R"(,"pollIntervalMs":100)");
    const std::string id = expect_get();
    const auto refused = std::chrono::steady_clock::now();
    refuse(id, busy_refusal);
    complete_task();
    BOOST_TEST(!wait(called).failed());
    BOOST_TEST((std::chrono::steady_clock::now() - refused >= 100ms));
}

BOOST_AUTO_TEST_CASE(a_server_that_says_when_to_ask_again_is_not_asked_before)
{
    call_task();
    const std::string id = expect_get();
    const auto refused = std::chrono::steady_clock::now();
    refuse(id, R"({"code":-31002,"message":"Too many requests","data":{"retry_after_ms":100}})");
    complete_task();
    BOOST_TEST(!wait(called).failed());
    BOOST_TEST((std::chrono::steady_clock::now() - refused >= 100ms));
    tasks_fixture other;
    other.how.max_poll_interval = 2ms;
    other.call_task();
    other.refuse(other.expect_get(), R"({"code":-31002,"message":"","data":{"retry_after_ms":1e300}})");
    other.complete_task(); // after the longest interval
    BOOST_TEST(!other.wait(other.called).failed());
}

BOOST_AUTO_TEST_SUITE_END()
