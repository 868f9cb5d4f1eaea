// What servers ask and say wrong of tasks, and tasks that are resumed.

#include "client_tasks_fixture.hpp"

#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <string>
#include <string_view>

namespace asio = boost::asio;
using namespace partyline;
using namespace partyline::test;
using namespace std::chrono_literals;
using partyline::mcp::client_errc;

BOOST_FIXTURE_TEST_SUITE(mcp_client_task_answers, tasks_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(a_question_is_asked_once_however_often_it_is_shown)
{
    int asked = 0;
    elicit_yes(asked);
    call_task();
    constexpr std::string_view yes = R"({"action":"accept","content":{"yes":true}})";
    reply(expect_get(), asking(shown_question("a")));
    reply(expect_request("tasks/update", R"({"taskId":"t1","inputResponses":{"a":)" + std::string(yes) + "}}"), "{}");
    reply(expect_get(), asking(shown_question("a"))); // the server has not noted it yet
    reply(expect_get(), asking(shown_question("a") + ',' + shown_question("b")));
    reply(expect_request("tasks/update", R"({"taskId":"t1","inputResponses":{"b":)" + std::string(yes) + "}}"), "{}");
    reply(expect_get(), task_text("complete", "working"));
    reply(expect_get(), asking(shown_question("b")));
    complete_task();
    BOOST_TEST(!wait(called).failed());
    BOOST_TEST(asked == 2);
}

BOOST_AUTO_TEST_CASE(a_question_without_an_answer_fails_the_call_and_cancels_the_task)
{
    call_task();
    reply(expect_get(), asking(shown_question("a")));
    expect_failure(called, client_errc::no_handler);
    expect_task_cancel();
    tasks_fixture other;
    other.client().on_elicit([](const mcp::elicit_request&) -> mcp::elicit_answer {
        throw boost::system::system_error(errc::refused, "the user has left");
    });
    other.call_task();
    other.reply(other.expect_get(), asking(shown_question("a")));
    other.expect_failure(other.called, errc::refused, "the user has left");
    other.expect_task_cancel();
}

BOOST_AUTO_TEST_CASE(a_refused_answer_fails_the_call)
{
    int asked = 0;
    elicit_yes(asked);
    call_task();
    reply(expect_get(), asking(shown_question("a")));
    refuse(expect_request("tasks/update", R"({"taskId":"t1","inputResponses":{"a":{"action":"accept","content":)"
                                          R"({"yes":true}}}})"),
           R"({"code":-32603,"message":"No"})");
    expect_task_cancel();
    wait(called);
    BOOST_REQUIRE(called.outcome().error());
    BOOST_TEST(called.outcome().error()->code == -32603);
}

BOOST_AUTO_TEST_CASE(a_busy_server_is_sent_the_same_answers_again)
{
    int asked = 0;
    elicit_yes(asked);
    call_task();
    reply(expect_get(), asking(shown_question("a")));
    const std::string answers = R"({"taskId":"t1","inputResponses":{"a":{"action":"accept","content":{"yes":true}}}})";
    refuse(expect_request("tasks/update", answers), busy_refusal);
    refuse(expect_request("tasks/update", answers), quota_refusal);
    reply(expect_request("tasks/update", answers), "{}");
    complete_task();
    BOOST_TEST(!wait(called).failed());
    BOOST_TEST(asked == 1);
}

BOOST_AUTO_TEST_CASE(a_task_asks_so_many_questions)
{
    int asked = 0;
    elicit_yes(asked);
    how.max_questions = 1;
    call_task();
    reply(expect_get(), asking(shown_question("a") + ',' + shown_question("b")));
    expect_failure(called, client_errc::too_many_rounds, "tasks/get: more than 1 inputRequests");
    BOOST_TEST(asked == 0);
}

BOOST_AUTO_TEST_CASE(what_is_no_task_fails_the_call)
{
    struct wrong_task {
        std::string said;
        const char* details;
    };
    const std::array<wrong_task, 9> rows = {{
        {R"({"resultType":"complete","status":"working"})",
         "tasks/get: at the result.taskId: expected a string, got nothing"},
        {R"({"resultType":"complete","status":"working","taskId":"t2"})",
         "tasks/get: at the result.taskId: expected the task that was asked for, got another one"},
        {task_text("complete", "paused"),
         R"(tasks/get: at the result.status: expected the state of a task, got "paused")"},
        {task_text("complete", "completed"), "tasks/get: at the result.result: expected an object, got nothing"},
        {task_text("complete", "completed", R"(,"result":null)"),
         "tasks/get: at the result.result: expected an object, got null"},
        {task_text("complete", "completed", R"(,"result":"done")"),
         "tasks/get: at the result.result: expected an object, got a string"},
        {task_text("complete", "failed", R"(,"error":null)"),
         "tasks/get: at the result.error: expected an object, got null"},
        {task_text("complete", "input_required"),
         "tasks/get: at the result.inputRequests: expected an object, got nothing"},
        {task_text("complete", "working", R"(,"pollIntervalMs":"soon")"),
         "tasks/get: at the result.pollIntervalMs: expected a number, got a string"},
    }};
    for (const auto& [said, details] : rows) {
        BOOST_TEST_CONTEXT(said)
        {
            tasks_fixture one;
            one.call_task();
            one.reply(one.expect_get(), said);
            one.expect_failure(one.called, client_errc::bad_result, details);
            one.expect_task_cancel();
        }
    }
    start();
    call();
    reply(expect_call(), R"({"resultType":"task","task":{"taskId":"t1"}})");
    expect_failure(called, client_errc::bad_result, "tools/call: at the result.taskId: expected a string, got nothing");
    expect_silence();
}

BOOST_AUTO_TEST_CASE(a_task_of_a_known_id_is_cancelled_whatever_else_is_wrong)
{
    for (const std::string_view wrong :
         {R"("status":"paused")", R"("status":null)", R"("status":"working","pollIntervalMs":"soon")",
          R"("status":"working","pollIntervalMs":1e400)", R"("status":"working","statusMessage":[])"}) {
        BOOST_TEST_CONTEXT(wrong)
        {
            tasks_fixture one;
            one.start();
            one.call();
            one.reply(one.expect_call(), R"({"resultType":"task","taskId":"t1",)" + std::string(wrong) + '}');
            one.expect_failure(one.called, client_errc::bad_result);
            one.expect_task_cancel();
        }
    }
}

BOOST_AUTO_TEST_CASE(a_result_with_members_of_wrong_types_fails_what_waits_for_it)
{
    for (const std::string_view wrong :
         {"{}", R"({"content":null})", R"({"content":"done"})", R"({"content":{}})", R"({"content":[null]})",
          R"({"content":[[]]})", R"({"content":[{}]})", R"({"content":[{"type":null}]})", R"({"content":[{"type":7}]})",
          R"({"content":[],"isError":"no"})", R"({"content":[],"_meta":[]})", R"({"content":[{"type":"a","n":1e400}]})",
          R"({"content":[],"structuredContent":1e400})"}) {
        BOOST_TEST_CONTEXT(wrong)
        {
            tasks_fixture one;
            one.call_task();
            one.complete_task(wrong);
            one.expect_failure(one.called, client_errc::bad_result);
            one.resumed.begin(one.context.get_executor(), *one.tasks);
            one.complete_task(wrong);
            one.run_until([&] { return one.resumed.has_ended; });
            BOOST_TEST(one.resumed.code() == error_code(client_errc::bad_result));
            one.expect_silence(); // the task has ended
        }
    }
}

BOOST_AUTO_TEST_CASE(a_question_of_wrong_types_fails_the_call_and_cancels_the_task)
{
    for (const std::string_view wrong : {R"("a":null)", R"("a":7)", R"("a":[])", R"("a":{})", R"("a":{"method":null})",
                                         R"("a":{"method":"elicitation/create","params":7})"}) {
        BOOST_TEST_CONTEXT(wrong)
        {
            int asked = 0;
            tasks_fixture one;
            one.elicit_yes(asked);
            one.call_task();
            one.reply(one.expect_get(), asking(wrong));
            one.expect_failure(one.called, client_errc::bad_result);
            one.expect_task_cancel();
            BOOST_TEST(asked == 0);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_task_of_another_kind_of_answer_is_unknown)
{
    call_task();
    reply(expect_get(), task_text("task", "working"));
    expect_failure(called, client_errc::unknown_result_type);
    expect_task_cancel();
}

BOOST_AUTO_TEST_CASE(a_task_that_is_not_known_any_more_is_not_cancelled)
{
    call_task();
    refuse(expect_get(), R"({"code":-32602,"message":"Task has expired"})");
    wait(called);
    BOOST_REQUIRE(called.outcome().error());
    BOOST_TEST(called.outcome().error()->code == -32602);
    expect_silence();
}

BOOST_AUTO_TEST_CASE(a_server_without_the_extension_is_asked_nothing)
{
    start("{}");
    call();
    reply(expect_call(), task_text("task", "working"));
    expect_failure(called, client_errc::not_declared, "io.modelcontextprotocol/tasks");
    expect_silence();
}

BOOST_AUTO_TEST_CASE(a_task_is_resumed_by_its_id)
{
    start();
    resumed.begin(context.get_executor(), *tasks);
    reply(expect_get(), task_text("complete", "working"));
    complete_task(R"({"content":[{"type":"text","text":"done"}],"structuredContent":[2.5]})");
    run_until([&] { return resumed.has_ended; });
    BOOST_REQUIRE(!resumed.failed);
    BOOST_TEST(resumed.answer->text() == "done");
    BOOST_TEST(resumed.answer->structured->text() == "[2.5]");
}

BOOST_AUTO_TEST_CASE(a_task_that_is_resumed_is_cancelled_with_that)
{
    start();
    resumed.begin(context.get_executor(), *tasks);
    reply(expect_get(), task_text("complete", "working", in_an_hour));
    settle();
    resumed.cancel.emit(asio::cancellation_type::terminal);
    expect_task_cancel();
    run_until([&] { return resumed.has_ended; });
    BOOST_TEST(resumed.code() == error_code(asio::error::operation_aborted));
}

BOOST_AUTO_TEST_CASE(a_task_is_resumed_for_so_long)
{
    start();
    mcp::call_hooks hooks;
    hooks.timeout = 200ms;
    resumed.begin(context.get_executor(), *tasks, hooks);
    reply(expect_get(), task_text("complete", "working", in_an_hour));
    run_until([&] { return resumed.has_ended; });
    BOOST_TEST(resumed.code() == error_code(errc::timeout));
    std::string last = receive();
    if (last.find("notifications/cancelled") != last.npos) // the answer came too late
        last = receive();
    BOOST_TEST(last.find("tasks/cancel") != last.npos, last);
}

BOOST_AUTO_TEST_CASE(none_is_resumed_by_a_client_that_has_not_started_or_has_gone)
{
    tasks.emplace(client(), how);
    resumed.begin(context.get_executor(), *tasks);
    run_until([&] { return resumed.has_ended; });
    BOOST_TEST(resumed.code() == error_code(client_errc::not_started));
    destroy_client();
    resumed_task again;
    again.begin(context.get_executor(), *tasks);
    run_until([&] { return again.has_ended; });
    BOOST_TEST(again.code() == error_code(errc::session_closed));
}

BOOST_AUTO_TEST_SUITE_END()
