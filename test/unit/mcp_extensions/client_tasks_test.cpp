// Calls that come to tasks of the server, which the test plays.

#include "client_tasks_fixture.hpp"

#include <boost/asio/error.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/system/system_error.hpp>
#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace asio = boost::asio;
namespace json = boost::json;
using namespace partyline;
using namespace partyline::test;
using namespace std::chrono_literals;
using partyline::mcp::client_task_errc;

BOOST_FIXTURE_TEST_SUITE(mcp_client_tasks, tasks_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(a_task_is_asked_for_until_there_is_a_result)
{
    call_task();
    BOOST_TEST(last_meta().at("io.modelcontextprotocol/clientCapabilities").at("extensions") ==
               json::parse(R"({"io.modelcontextprotocol/tasks":{}})"));
    reply(expect_get(), task_text("complete", "working"));
    reply(expect_get(), task_text("complete", "working"));
    complete_task(R"({"content":[{"type":"text","text":"done"}],"structuredContent":{"size":2.5},"_meta":{"a":1}})");
    BOOST_REQUIRE(!wait(called).failed());
    BOOST_TEST(called.outcome()->text() == "done");
    BOOST_TEST(called.outcome()->structured->text() == R"({"size":2.5})");
    BOOST_TEST(called.outcome()->meta.at("a") == 1);
    expect_silence();
}

BOOST_AUTO_TEST_CASE(the_result_of_a_request_is_the_text_that_came)
{
    start();
    begun<json_text> asked;
    client().request("tools/call", json_text(R"({"name":"build"})"))(asked.token());
    reply(expect_request("tools/call", R"({"name":"build"})"), task_text("task", "working"));
    constexpr std::string_view text = R"({"content":[],"structuredContent":[1e400,12345678901234567890123]})";
    complete_task(text);
    BOOST_REQUIRE(!wait(asked).failed());
    BOOST_TEST(asked.outcome()->text() == text);
    BOOST_TEST(asked.outcome()->is_checked());
}

BOOST_AUTO_TEST_CASE(a_call_may_come_to_no_task)
{
    start();
    call();
    reply(expect_call(), R"({"resultType":"complete","content":[{"type":"text","text":"now"}]})");
    BOOST_TEST(wait(called).outcome()->text() == "now");
    expect_silence();
}

BOOST_AUTO_TEST_CASE(a_task_that_has_ended_when_it_is_created_is_asked_for_at_once)
{
    start();
    call();
    reply(expect_call(), task_text("task", "completed", in_an_hour));
    complete_task(R"({"content":[],"isError":true})");
    BOOST_TEST(wait(called).outcome()->is_error);
}

BOOST_AUTO_TEST_CASE(each_change_of_the_status_is_told_once)
{
    std::vector<std::string> told;
    how.on_status = [&](const mcp::client_task_status& now) {
        told.push_back(now.id + ' ' + std::to_string(static_cast<int>(now.state)) + ' ' + now.message);
        BOOST_TEST(json::serialize(now.meta) == R"({"com.example/call":7})");
    };
    mcp::call_hooks hooks;
    hooks.meta["com.example/call"] = 7;
    call_task(R"(,"pollIntervalMs":0,"statusMessage":"queued")", hooks);
    reply(expect_get(), task_text("complete", "working", R"(,"statusMessage":"queued")"));
    BOOST_TEST(last_meta().at("com.example/call") == 7);
    reply(expect_get(), task_text("complete", "working", R"(,"statusMessage":"half")"));
    complete_task();
    wait(called);
    BOOST_TEST(told == (std::vector<std::string>{"t1 0 queued", "t1 0 half", "t1 2 "}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_on_status_throws_the_call_fails_with)
{
    how.on_status = [](const mcp::client_task_status&) {
        throw boost::system::system_error(errc::refused, "the disk is full");
    };
    call_task();
    expect_task_cancel();
    expect_failure(called, errc::refused, "the disk is full");
}

BOOST_AUTO_TEST_CASE(the_error_of_a_task_is_that_of_the_call)
{
    call_task();
    reply(expect_get(), task_text("complete", "failed", R"(,"error":{"code":-32603,"message":"No","data":[1]})"));
    wait(called);
    BOOST_REQUIRE(called.outcome().error());
    BOOST_TEST(called.outcome().error()->code == -32603);
    BOOST_TEST(called.outcome().error()->message == "No");
    BOOST_TEST(json::serialize(*called.outcome().error()->data) == "[1]");
    expect_silence();
}

BOOST_AUTO_TEST_CASE(a_task_that_the_server_cancels_has_a_code_of_its_own)
{
    call_task();
    reply(expect_get(), task_text("complete", "cancelled", R"(,"statusMessage":"too dear")"));
    expect_failure(called, client_task_errc::cancelled, "too dear");
    expect_silence();
}

BOOST_AUTO_TEST_CASE(a_call_that_is_cancelled_cancels_the_task_and_does_not_wait_for_that)
{
    call_task(in_an_hour);
    settle();
    expect_silence();
    called.cancel();
    settle(); // which does not wait
    BOOST_REQUIRE(called.has_ended());
    expect_failure(called, asio::error::operation_aborted);
    expect_task_cancel();
}

BOOST_AUTO_TEST_CASE(a_server_that_does_not_answer_the_cancel_is_not_waited_for)
{
    call_task(in_an_hour);
    settle();
    called.cancel();
    settle(); // which does not wait
    BOOST_REQUIRE(called.has_ended());
    expect_failure(called, asio::error::operation_aborted);
    const std::string id = expect_request("tasks/cancel", of_t1);
    expect_cancel(id);
}

BOOST_AUTO_TEST_CASE(so_does_one_that_is_cancelled_while_it_asks)
{
    call_task();
    const std::string id = expect_get();
    called.cancel();
    settle(); // which does not wait
    BOOST_REQUIRE(called.has_ended());
    expect_failure(called, asio::error::operation_aborted);
    expect_cancel(id);
    expect_task_cancel();
}

BOOST_AUTO_TEST_CASE(a_task_that_never_ends_ends_with_the_time_of_the_call)
{
    mcp::call_hooks hooks;
    hooks.timeout = 3s; // which leaves time for the task to be made
    call_task(in_an_hour, hooks);
    expect_failure(called, errc::timeout);
    expect_task_cancel();
}

BOOST_AUTO_TEST_CASE(a_conversation_that_has_ended_cancels_no_task)
{
    call_task(in_an_hour);
    settle();
    end();
    expect_failure(called, errc::peer_closed);
    tasks_fixture other;
    other.call_task(in_an_hour);
    other.settle();
    other.destroy_client();
    other.expect_failure(other.called, errc::session_closed);
    other.expect_silence();
}

BOOST_AUTO_TEST_CASE(a_request_that_is_lost_on_its_way_cancels_no_task)
{
    call_task();
    send(R"({"jsonrpc":"2.0","id":)" + expect_get() + "}"); // neither result nor error
    expect_failure(called, errc::bad_reply);
    expect_silence();
}

BOOST_AUTO_TEST_CASE(a_request_that_the_client_refuses_cancels_the_task)
{
    const std::string deep = std::string(300, '[') + std::string(300, ']'); // more than limits::depth
    call_task();
    reply(expect_get(), task_text("complete", "working", R"(,"deep":)" + deep));
    expect_failure(called, errc::message_too_large);
    expect_task_cancel();
}

BOOST_AUTO_TEST_CASE(the_client_keeps_what_tasks_need)
{
    mcp::client_tasks(client(), how);
    start_modern(has_tasks);
    call();
    reply(expect_call(), task_text("task", "working"));
    complete_task();
    BOOST_TEST(!wait(called).failed());
}

BOOST_AUTO_TEST_CASE(options_that_make_no_sense_are_refused)
{
    mcp::client_tasks_options wrong = how;
    wrong.min_poll_interval = 0ms;
    BOOST_CHECK_THROW(mcp::client_tasks(client(), wrong), std::invalid_argument);
    wrong = how;
    wrong.max_poll_interval = 25h;
    BOOST_CHECK_THROW(mcp::client_tasks(client(), wrong), std::invalid_argument);
    wrong = how;
    wrong.poll_interval = 2h;
    BOOST_CHECK_THROW(mcp::client_tasks(client(), wrong), std::invalid_argument);
    start();
    BOOST_CHECK_THROW(mcp::client_tasks(client(), how), std::logic_error);
}

BOOST_AUTO_TEST_SUITE_END()
