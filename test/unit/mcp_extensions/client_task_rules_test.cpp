// What is read of a task, and when it is asked for, without a client.

#include "mcp_extensions/tasks/client_poll_rules.hpp"
#include "mcp_extensions/tasks/client_task_report.hpp"

#include <partyline/mcp/client/client_errc.hpp>
#include <partyline/protocol/errc.hpp>
#include <partyline/protocol/error.hpp>

#include <boost/asio/error.hpp>
#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <boost/system/system_error.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <utility>

namespace json = boost::json;
using namespace partyline;
using namespace std::chrono_literals;
using partyline::mcp::client_errc;

namespace {

// The details of the failure by this code that it throws.
template <class F>
std::string failure_of(error_code how, F&& function)
{
    try {
        function();
    } catch (const boost::system::system_error& failed) {
        BOOST_TEST(failed.code() == how);
        return failed.what();
    }
    BOOST_ERROR("nothing was thrown");
    return {};
}

mcp::task_report read_t(const std::string& text)
{
    return mcp::read_task(json_text(text), "t");
}

void check_refused(const std::string& text, const std::string& why)
{
    BOOST_TEST_CONTEXT(text)
    {
        const std::string found = failure_of(client_errc::bad_result, [&] {
            mcp::task_report one = read_t(text);
            mcp::make_tool_answer(mcp::take_result(one));
        });
        BOOST_TEST(found.starts_with("tasks/get: at the result." + why), found);
    }
}

} // namespace

BOOST_AUTO_TEST_SUITE(mcp_client_task_rules, *boost::unit_test::timeout(30))

BOOST_AUTO_TEST_CASE(the_interval_is_the_servers_within_bounds)
{
    mcp::client_tasks_options how;
    how.min_poll_interval = 10ms;
    how.poll_interval = 500ms;
    how.max_poll_interval = 1min;
    using row = std::pair<std::optional<double>, std::chrono::steady_clock::duration>;
    const std::array<row, 9> rows = {{{std::nullopt, 500ms},
                                      {20.0, 20ms},
                                      {10.5, 10500us},
                                      {0.0, 10ms},
                                      {-1.0, 10ms},
                                      {-1e300, 10ms},
                                      {60000.0, 1min},
                                      {1e18, 1min},
                                      {1e300, 1min}}};
    for (const auto& [said, expected] : rows)
        BOOST_TEST((mcp::poll_interval(how, said) == expected), "of " << said.value_or(-7));
}

BOOST_AUTO_TEST_CASE(the_interval_has_bounds_unless_the_program_sets_others)
{
    const mcp::client_tasks_options how;
    BOOST_TEST((mcp::poll_interval(how, std::nullopt) == 1s));
    BOOST_TEST((mcp::poll_interval(how, 0) == 50ms));
    BOOST_TEST((mcp::poll_interval(how, 1e300) == 1min));
}

BOOST_AUTO_TEST_CASE(a_refused_request_waits_for_what_the_server_says_within_bounds)
{
    mcp::client_tasks_options how;
    how.min_poll_interval = 10ms;
    how.poll_interval = 500ms;
    how.max_poll_interval = 1min;
    const auto interval = [&](std::optional<json::value> data, std::optional<double> said = std::nullopt) {
        return mcp::retry_interval(how, said, error_object{-31002, "Too many requests", std::move(data)});
    };
    const auto after = [&](json::value said) { return interval(json::value{{"retry_after_ms", std::move(said)}}); };
    BOOST_TEST((after(2500) == 2500ms));
    BOOST_TEST((after(2500.5) == 2500500us));
    BOOST_TEST((after(3) == 500ms)); // no sooner than where the server is not busy
    BOOST_TEST((after(-1) == 500ms));
    BOOST_TEST((after(0) == 500ms));
    BOOST_TEST((after(18446744073709551615U) == 1min));
    BOOST_TEST((after(1e300) == 1min));
    for (const json::value& other : {json::value("2500"), json::value(nullptr), json::value(json::array{2500})})
        BOOST_TEST((after(other) == 500ms), "of " << other);
    BOOST_TEST((interval(json::value{{"retry_after_ms", 2500}}, 20.0) == 2500ms));
    BOOST_TEST((interval(json::value{{"limit", 3}}, 20.0) == 20ms));
    BOOST_TEST((interval(json::value("later"), 20.0) == 20ms));
    BOOST_TEST((interval(std::nullopt, 20.0) == 20ms));
}

BOOST_AUTO_TEST_CASE(a_refusal_for_now_says_so_by_its_code)
{
    BOOST_TEST(mcp::is_refused_for_now(error_object{-31001, "", {}}));
    BOOST_TEST(mcp::is_refused_for_now(error_object{-31002, "", {}}));
    for (const int code : {-31003, -31004, -32602, -32603, 0})
        BOOST_TEST(!mcp::is_refused_for_now(error_object{code, "", {}}), "by " << code);
}

BOOST_AUTO_TEST_CASE(a_request_is_lost_where_neither_side_has_refused_or_given_it_up)
{
    namespace asio = boost::asio;
    const std::array<error_code, 6> lost = {errc::peer_closed,        errc::session_closed,
                                            errc::http_status,        errc::bad_reply,
                                            asio::error::broken_pipe, asio::error::connection_refused};
    for (const error_code& one : lost)
        BOOST_TEST(mcp::is_lost_on_the_way(one), one.message());
    const std::array<error_code, 8> refused = {
        asio::error::operation_aborted,
        errc::timeout,
        errc::refused,
        errc::bad_params,
        errc::too_many_calls,
        errc::message_too_large,
        client_errc::not_declared,
        client_errc::bad_result,
    };
    for (const error_code& one : refused)
        BOOST_TEST(!mcp::is_lost_on_the_way(one), one.message());
}

BOOST_AUTO_TEST_CASE(a_cancel_waits_for_its_answer_for_a_second)
{
    BOOST_TEST((mcp::cancel_timeout == 1s));
}

BOOST_AUTO_TEST_CASE(the_time_of_a_call)
{
    const mcp::call_time for_ever(0s);
    BOOST_TEST(!for_ever.is_over());
    BOOST_TEST((for_ever.left() == 0s));
    const mcp::call_time over(-1s);
    BOOST_TEST(over.is_over());
    BOOST_TEST((over.left() < 0s));
    const mcp::call_time an_hour(1h);
    BOOST_TEST(!an_hour.is_over());
    BOOST_TEST((an_hour.left() > 59min && an_hour.left() <= 1h));
    const auto now = std::chrono::steady_clock::now();
    BOOST_TEST((an_hour.end_of(24h) <= now + 1h));
    BOOST_TEST((an_hour.end_of(1min) <= now + 2min));
    BOOST_TEST((mcp::call_time(std::chrono::steady_clock::duration::max()).left() == 0s));
}

BOOST_AUTO_TEST_CASE(a_key_is_new_once)
{
    mcp::asked_keys asked(2);
    BOOST_TEST(json::serialize(asked.take_new({{"a", 1}})) == R"({"a":1})");
    BOOST_TEST(json::serialize(asked.take_new({{"b", 2}, {"a", 3}})) == R"({"b":2})");
    BOOST_TEST(asked.take_new({{"a", 1}, {"b", 2}}).empty());
    failure_of(client_errc::too_many_rounds, [&] { asked.take_new({{"a", 1}, {"c", 2}}); });
    mcp::asked_keys other(2);
    json::object long_key;
    long_key[std::string(1001, 'k')] = 1;
    failure_of(client_errc::bad_result, [&] { other.take_new(long_key); });
}

BOOST_AUTO_TEST_CASE(a_task_is_read)
{
    const mcp::task_report one =
        read_t(R"({"taskId":"t","status":"working","statusMessage":null,"pollIntervalMs":5,"newer":1})");
    BOOST_TEST(one.id == "t");
    BOOST_TEST((one.state == mcp::client_task_state::working));
    BOOST_TEST(one.message.empty());
    BOOST_TEST((one.poll_interval_ms == 5.0));
    const mcp::task_report made = mcp::read_created_task(json_text(R"({"taskId":"t","status":"input_required"})"));
    BOOST_TEST((made.state == mcp::client_task_state::input_required)); // whose questions come later
    BOOST_TEST(!made.poll_interval_ms);
}

BOOST_AUTO_TEST_CASE(the_id_of_a_created_task_is_read_whatever_else_is_there)
{
    BOOST_TEST(mcp::read_created_id(json_text(R"({"status":1e400,"pollIntervalMs":1e400,"taskId":"t"})")) == "t");
    const auto failure = [](const std::string& text) {
        return failure_of(client_errc::bad_result, [&] { mcp::read_created_id(json_text(text)); });
    };
    BOOST_TEST(failure(R"({"status":"working"})").starts_with("tools/call: at the result.taskId: expected a string"));
    BOOST_TEST(failure(R"({"taskId":""})").starts_with("tools/call: at the result.taskId: expected a task's id"));
    BOOST_TEST(failure("[]").starts_with("tools/call: at the result: expected an object"));
}

BOOST_AUTO_TEST_CASE(a_result_stays_the_text_that_came)
{
    const std::string deep = std::string(300, '[') + std::string(300, ']'); // more than limits::depth
    const std::string text =
        R"({ "z":1.0,"n":123456789012345678901234567890,"big":1e400,"half":"\ud83d","deep":)" + deep + R"(,"z":2})";
    mcp::task_report one = read_t(R"({"newer":1e400,"taskId":"t","status":"completed","result":)" + text + "}");
    BOOST_TEST(mcp::take_result(one).text() == text);
}

BOOST_AUTO_TEST_CASE(the_structured_result_of_a_tool_stays_the_text_that_came)
{
    const std::string text = R"({"n":2.50,"i":123456789012345678901234567890})";
    mcp::task_report one = read_t(R"({"taskId":"t","status":"completed","result":{"content":[{"type":"a"}],)"
                                  R"("structuredContent":)" +
                                  text + R"(,"isError":null}})");
    BOOST_TEST(mcp::make_tool_answer(mcp::take_result(one)).structured->text() == text);
}

BOOST_AUTO_TEST_CASE(a_task_asks_while_it_waits_for_answers)
{
    BOOST_TEST(json::serialize(mcp::read_questions(
                   read_t(R"({"taskId":"t","status":"input_required","inputRequests":{"a":{"method":"m"}}})"))) ==
               R"({"a":{"method":"m"}})");
    BOOST_TEST(mcp::read_questions(read_t(R"({"taskId":"t","status":"completed","result":{"a":1}})")).empty());
}

BOOST_AUTO_TEST_CASE(an_error_is_thrown_as_the_server_answers_one)
{
    mcp::task_report one = read_t(R"({"taskId":"t","status":"failed","error":{"code":-3,"message":"No"}})");
    try {
        mcp::take_result(one);
        BOOST_ERROR("nothing was thrown");
    } catch (const rpc_error& answered) {
        BOOST_TEST(answered.error().code == -3);
        BOOST_TEST(answered.error().message == "No");
        BOOST_TEST(!answered.error().data);
    }
}

BOOST_AUTO_TEST_CASE(what_is_not_as_the_extension_has_it_is_refused_with_its_place)
{
    const auto of_state = [](const std::string& state, const std::string& more) {
        return R"({"taskId":"t","status":")" + state + R"(",)" + more + '}';
    };
    check_refused(R"({"taskId":"","status":"working"})", "taskId: expected a task's id, got \"\"");
    check_refused(R"({"taskId":7,"status":"working"})", "taskId: expected a string, got a number");
    check_refused(R"({"taskId":"t"})", "status: expected a string, got nothing");
    check_refused(R"({"taskId":"t","status":[]})", "status: expected a string, got an array");
    check_refused(of_state("working", R"("statusMessage":{})"), "statusMessage: expected a string, got an object");
    check_refused(of_state("working", R"("pollIntervalMs":"1")"), "pollIntervalMs: expected a number, got a string");
    check_refused(of_state("failed", R"("error":"No")"), "error: expected an object, got a string");
    check_refused(of_state("failed", R"("error":{"code":1e9,"message":""})"),
                  "error.code: expected the code of an error, got another number");
    check_refused(of_state("failed", R"("error":{"code":99999999999,"message":""})"),
                  "error.code: expected the code of an error, got another number");
    check_refused(of_state("failed", R"("error":{"code":1})"), "error.message: expected a string, got nothing");
    const auto of_result = [&](const std::string& result) { return of_state("completed", R"("result":)" + result); };
    check_refused(of_result("null"), "result: expected an object, got null");
    check_refused(of_result("{}"), "result.content: expected an array, got nothing");
    check_refused(of_result(R"({"content":{}})"), "result.content: expected an array, got an object");
    check_refused(of_result(R"({"content":null})"), "result.content: expected an array, got null");
    check_refused(of_result(R"({"content":null,"structuredContent":{}})"),
                  "result.content: expected an array, got null");
    check_refused(of_result(R"({"content":[{"type":null}]})"),
                  "result.content: expected blocks with a type, got one without");
    check_refused(of_result(R"({"content":[1]})"), "result.content: expected blocks with a type, got a number");
    check_refused(of_result(R"({"content":[{}]})"), "result.content: expected blocks with a type, got one without");
    check_refused(of_result(R"({"content":[],"isError":1})"), "result.isError: expected a boolean, got a number");
    check_refused(of_result(R"({"content":[],"_meta":1})"), "result._meta: expected an object, got a number");
    check_refused(of_result("[1e3]"), "result: expected an object, got an array");
    const auto check_bad = [](const std::string& text) {
        failure_of(client_errc::bad_result, [&] {
            mcp::task_report one = read_t(text);
            mcp::read_questions(one);
            mcp::make_tool_answer(mcp::take_result(one));
        });
    };
    check_bad("[]");
    check_bad(of_state("working", R"("pollIntervalMs":1e400)"));
    check_bad(of_state("input_required", R"("inputRequests":{"a":1e400})"));
    check_bad(of_state("failed", R"("error":{"code":1,"message":"","data":1e400})"));
    check_bad(of_result(R"({"content":[],"structuredContent":1e400})")); // as `client::call_tool` has it
}

BOOST_AUTO_TEST_SUITE_END()
