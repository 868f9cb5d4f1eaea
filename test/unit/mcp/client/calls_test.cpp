#include "scripted_server.hpp"

#include <partyline/rpc/args.hpp>

#include <boost/describe/class.hpp>
#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <tuple>

namespace json = boost::json;
using namespace partyline;
using namespace partyline::test;
using namespace std::chrono_literals;
using partyline::mcp::client_errc;

namespace {

struct point {
    int x = 0;
    int y = 0;
};
BOOST_DESCRIBE_STRUCT(point, (), (x, y))

struct fixture : scripted_server {
    begun<mcp::tool_answer> called;
    mcp::call_hooks hooks;

    void call(call_params arguments = nullptr)
    {
        client().call_tool("scan", std::move(arguments), hooks)(called.token());
    }
    std::string expect_call(std::string_view arguments = "{}")
    {
        return expect_request("tools/call", R"({"name":"scan","arguments":)" + std::string(arguments) + "}");
    }
    mcp::tool_answer& answer()
    {
        wait(called);
        BOOST_REQUIRE(!called.failed());
        return *called.outcome();
    }
    void progress(std::string_view members)
    {
        tell("notifications/progress", R"({"progressToken":2,)" + std::string(members) + "}");
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_client_calls, fixture, *boost::unit_test::timeout(60))

// rule: mcp.meta.required, mcp.meta.client_info, mcp.probe.kept
BOOST_AUTO_TEST_CASE(a_tool_is_called_and_its_answer_read)
{
    start_modern();
    call(point{1, 2});
    const std::string id = expect_call(R"({"x":1,"y":2})");
    BOOST_TEST(last_meta().size() == 3u);
    reply(id,
          R"({"resultType":"complete","content":[{"type":"text","text":"one"},{"type":"image","data":"","mimeType":"x"},
                  {"type":"text","text":"two"}],"structuredContent":{"x":3,"y":1.0},"_meta":{"a":1}})");
    BOOST_TEST(answer().text() == "one\ntwo");
    BOOST_TEST(answer().content.size() == 3u);
    BOOST_TEST(answer().structured->text() == R"({"x":3,"y":1.0})");
    BOOST_TEST(answer().as<point>().x == 3);
    BOOST_TEST(answer().meta.contains("a"));
    BOOST_TEST(!answer().is_error);
}

BOOST_AUTO_TEST_CASE(text_that_is_no_json_is_no_result)
{
    mcp::tool_answer made;
    for (const char* const text : {"nan", "[t"}) {
        made.structured = json_text(text);
        BOOST_CHECK_THROW(made.as<double>(), std::exception);
        BOOST_CHECK_THROW(made.as<std::vector<bool>>(), std::exception);
    }
    made.structured = json_text("2.5");
    BOOST_TEST(made.as<double>() == 2.5);
}

// rule: mcp.result.absent_type
BOOST_AUTO_TEST_CASE(arguments_are_an_object_of_any_kind)
{
    start_modern();
    call(json_text(R"({"n":1e2})"));
    reply(expect_call(R"({"n":1e2})"), R"({"content":[]})");
    answer();
    begun<mcp::tool_answer> wrong;
    client().call_tool("scan", call_params(json::array{1}), hooks)(wrong.token());
    expect_failure(wrong, errc::bad_params, "a tool's arguments are a JSON object");
    expect_silence();
}

BOOST_AUTO_TEST_CASE(what_is_no_object_is_found_in_its_wrapping)
{
    start_modern();
    call();
    reply(expect_call(), R"({"content":[],"structuredContent":{"result":[1,2]}})");
    BOOST_TEST(answer().as<std::vector<int>>().size() == 2u);
    BOOST_CHECK_EXCEPTION(answer().as<int>(), boost::system::system_error,
                          [](const auto& thrown) { return thrown.code() == errc::not_convertible; });
}

// As TypeScript's SDK takes it.
BOOST_AUTO_TEST_CASE(an_older_servers_result_without_content_has_none)
{
    for (const char* const result : {"{}", R"({"content":null})", R"({"structuredContent":null,"isError":false})"}) {
        BOOST_TEST_CONTEXT(result)
        {
            fixture one;
            one.start_legacy();
            one.call();
            one.reply(one.expect_call(), result);
            BOOST_TEST(one.answer().content.empty());
            BOOST_TEST(!one.answer().structured);
            BOOST_TEST(one.answer().as<std::string>().empty());
        }
    }
}

BOOST_AUTO_TEST_CASE(a_result_of_the_newest_revision_has_content_or_a_structured_one)
{
    start_modern();
    call();
    reply(expect_call(), R"({"resultType":"complete","structuredContent":{"x":1,"y":2}})");
    BOOST_TEST(answer().as<point>().y == 2);
    begun<mcp::tool_answer> empty;
    client().call_tool("scan", nullptr, hooks)(empty.token());
    reply(expect_call(), R"({"resultType":"complete"})");
    expect_failure(empty, client_errc::bad_result, "tools/call: at the result.content: expected an array, got nothing");
}

BOOST_AUTO_TEST_CASE(a_structured_null_is_left_out_by_older_servers_alone)
{
    for (const bool is_modern : {true, false}) {
        BOOST_TEST_CONTEXT("modern: " << is_modern)
        {
            fixture one;
            is_modern ? one.start_modern() : one.start_legacy();
            one.call();
            one.reply(one.expect_call(), R"({"content":[{"type":"text","text":"hi"}],"structuredContent": null })");
            BOOST_TEST(one.answer().structured.has_value() == is_modern);
            if (is_modern)
                BOOST_TEST(!one.answer().as<std::optional<int>>());
            else
                BOOST_TEST(one.answer().as<std::string>() == "hi");
        }
    }
}

BOOST_AUTO_TEST_CASE(a_tool_that_fails_is_an_answer)
{
    start_modern();
    call();
    reply(expect_call(), R"({"content":[{"type":"text","text":"Too bad."}],"isError":true})");
    BOOST_TEST(answer().is_error);
    BOOST_CHECK_EXCEPTION(answer().as<int>(), mcp::tool_error,
                          [](const auto& thrown) { return thrown.what() == std::string("Too bad."); });
}

BOOST_AUTO_TEST_CASE(an_error_of_the_server_is_a_value)
{
    start_modern();
    call();
    refuse(expect_call(), R"({"code":-32602,"message":"Unknown tool"})");
    wait(called);
    BOOST_TEST(!called.failed());
    BOOST_TEST(called.outcome().error()->message == "Unknown tool");
}

// rule: mcp.operation.version
BOOST_AUTO_TEST_CASE(older_servers_get_no_envelope)
{
    start_legacy();
    call();
    reply(expect_call(), R"({"content":[],"resultType":"whatever"})");
    BOOST_TEST(last_meta().empty());
    answer();
}

// rule: mcp.cancel.send, mcp.cancel.id, mcp.cancel.late
BOOST_AUTO_TEST_CASE(a_cancel_is_told_in_either_era)
{
    for (const bool is_modern : {true, false}) {
        BOOST_TEST_CONTEXT("modern: " << is_modern)
        {
            fixture one;
            is_modern ? one.start_modern() : one.start_legacy();
            one.call();
            const std::string id = one.expect_call();
            one.called.cancel();
            one.expect_failure(one.called, boost::asio::error::operation_aborted);
            one.expect_cancel(id);
            one.reply(id, R"({"content":[]})");
            one.expect_silence();
            BOOST_TEST(one.called.completions() == 1);
        }
    }
}

// rule: mcp.progress.token, mcp.progress.unique, mcp.progress.track
BOOST_AUTO_TEST_CASE(progress_is_told_where_it_grows)
{
    std::vector<std::tuple<double, double, std::string>> told;
    hooks.on_progress = [&](double done, std::optional<double> total, const std::string& text) {
        told.emplace_back(done, total.value_or(-1), text);
    };
    start_modern();
    call();
    const std::string id = expect_call();
    BOOST_TEST(last_meta().at("progressToken") == json::value(2));
    progress(R"("progress":1,"total":4,"message":"a")");
    progress(R"("progress":1,"total":4,"message":"b")");
    progress(R"("progress":"x")");
    progress(R"("progress":2.5,"message":7)");
    tell("notifications/progress", R"({"progressToken":77,"progress":9})");
    reply(id, R"({"content":[]})");
    answer();
    BOOST_REQUIRE(told.size() == 2u);
    BOOST_TEST((told[0] == std::tuple(1.0, 4.0, std::string("a"))));
    BOOST_TEST((told[1] == std::tuple(2.5, -1.0, std::string())));
}

// rule: mcp.timeout.cancel, mcp.timeout.each, mcp.tools.timeout
BOOST_AUTO_TEST_CASE(an_idle_timeout_asks_for_progress)
{
    hooks.idle_timeout = 1ms;
    start_modern();
    call();
    const std::string id = expect_call();
    BOOST_TEST(last_meta().contains("progressToken"));
    expect_failure(called, errc::timeout);
    const json::value said = json::parse(receive());
    BOOST_TEST(said.at("method") == json::value("notifications/cancelled"));
}

// rule: mcp.timeout.each, mcp.timeout.maximum, mcp.tools.timeout
BOOST_AUTO_TEST_CASE(progress_does_not_put_the_timeout_of_the_whole_call_off)
{
    hooks.timeout = 300ms;
    int count = 0;
    hooks.on_progress = [&](double, std::optional<double>, const std::string&) { ++count; };
    start_modern();
    call();
    expect_call();
    progress(R"("progress":1)");
    expect_failure(called, errc::timeout);
    BOOST_TEST(count == 1);
}

BOOST_AUTO_TEST_CASE(the_level_of_the_log_is_the_clients_or_the_calls)
{
    client().on_log([](const mcp::log_entry&) {});
    start_modern();
    const auto level = [&] { return last_meta().at("io.modelcontextprotocol/logLevel"); };
    call();
    reply(expect_call(), R"({"content":[]})");
    BOOST_TEST(level() == json::value("info"));
    begun<void> set;
    client().set_log_level(mcp::log_level::error)(set.token());
    wait(set);
    call();
    reply(expect_call(), R"({"content":[]})");
    BOOST_TEST(level() == json::value("error"));
    hooks.log_level = mcp::log_level::debug;
    hooks.meta = {{"traceparent", "x"}};
    call();
    reply(expect_call(), R"({"content":[]})");
    BOOST_TEST(level() == json::value("debug"));
    BOOST_TEST(last_meta().contains("traceparent"));
}

BOOST_AUTO_TEST_CASE(older_servers_are_asked_for_a_level)
{
    std::vector<std::string> heard;
    client().on_log([&](const mcp::log_entry& entry) { heard.push_back(entry.logger + ": " + entry.text()); });
    start_legacy();
    begun<void> set;
    client().set_log_level(mcp::log_level::warning)(set.token());
    reply(expect_request("logging/setLevel", R"({"level":"warning"})"), "{}");
    wait(set);
    BOOST_TEST(!set.failed());
    tell("notifications/message", R"({"level":"error","logger":"db","data":"gone"})");
    tell("notifications/message", R"({"level":"error","data":{"a":1}})");
    tell("notifications/message", R"({"level":"loud","data":1})");
    tell("notifications/message", R"({"level":"info"})");
    settle();
    BOOST_TEST(heard == (std::vector<std::string>{"db: gone", R"(: {"a":1})"}), boost::test_tools::per_element());
    BOOST_TEST(logged.size() == 2u); // those that are none
}

BOOST_AUTO_TEST_CASE(resources_prompts_and_completions_are_read)
{
    start_modern();
    begun<mcp::resource_answer> read;
    client().read_resource("a:b")(read.token());
    reply(expect_request("resources/read", R"({"uri":"a:b"})"),
          R"({"contents":[{"uri":"a:b","text":"hi"},{"uri":"a:c","mimeType":"x/y","blob":"AAE="}]})");
    wait(read);
    BOOST_TEST(read.outcome()->text() == "hi");
    BOOST_TEST(read.outcome()->parts[1].data == std::string("\0\1", 2));
    BOOST_TEST(read.outcome()->parts[1].is_binary);

    begun<mcp::prompt_answer> got;
    client().get_prompt("p", named("who", "me"))(got.token());
    reply(expect_request("prompts/get", R"({"name":"p","arguments":{"who":"me"}})"),
          R"({"description":"d","messages":[{"role":"assistant","content":{"type":"text","text":"yes"}}]})");
    wait(got);
    BOOST_TEST(got.outcome()->messages[0].text() == "yes");
    BOOST_TEST((got.outcome()->messages[0].role == mcp::role::assistant));

    begun<mcp::completion_answer> completed;
    client().complete(mcp::completion_target::prompt("p"), "who", "m", {{"how", "so"}})(completed.token());
    reply(expect_request("completion/complete", R"({"ref":{"type":"ref/prompt","name":"p"},
              "argument":{"name":"who","value":"m"},"context":{"arguments":{"how":"so"}}})"),
          R"({"completion":{"values":["me","mine"],"total":5,"hasMore":true}})");
    wait(completed);
    BOOST_TEST(completed.outcome()->values.size() == 2u);
    BOOST_TEST(*completed.outcome()->total == 5u);
    BOOST_TEST(completed.outcome()->has_more);
}

BOOST_AUTO_TEST_CASE(ping_asks_what_the_era_has)
{
    start_modern();
    begun<void> pinged;
    client().ping()(pinged.token());
    reply(expect_request("server/discover", "{}"), discovered());
    wait(pinged);
    BOOST_TEST(!pinged.failed());
}

BOOST_AUTO_TEST_CASE(any_request_can_be_made)
{
    start_modern();
    begun<json_text> asked;
    client().request("tasks/get", named("taskId", "7"))(asked.token());
    reply(expect_request("tasks/get", R"({"taskId":"7"})"), R"({"status":"working"})");
    wait(asked);
    BOOST_TEST(asked.outcome()->text() == R"({"status":"working"})");
}

BOOST_AUTO_TEST_CASE(a_server_that_dies_fails_what_is_under_way)
{
    error_code told;
    client().on_ended([&](error_code how) { told = how; });
    start_modern();
    call();
    expect_call();
    end();
    expect_failure(called, errc::peer_closed);
    run_until([&] { return bool(told); });
    BOOST_TEST((told == errc::peer_closed));
    begun<mcp::tool_answer> later;
    client().call_tool("scan", nullptr, hooks)(later.token());
    expect_failure(later, errc::peer_closed);
}

BOOST_AUTO_TEST_CASE(destroying_the_client_fails_what_is_under_way)
{
    bool was_told = false;
    client().on_ended([&](error_code) { was_told = true; });
    start_modern();
    call();
    expect_call();
    destroy_client();
    expect_failure(called, errc::session_closed);
    settle();
    BOOST_TEST(!was_told);
}

BOOST_AUTO_TEST_CASE(closing_lets_what_is_under_way_end)
{
    start_modern();
    call();
    const std::string id = expect_call();
    begun<void> closed;
    client().close()(closed.token());
    settle();
    BOOST_TEST(!closed.has_ended());
    reply(id, R"({"content":[]})");
    answer();
    settle();
    end();
    wait(closed);
    BOOST_TEST(!closed.failed());
}

BOOST_AUTO_TEST_CASE(a_client_that_was_never_started_is_closed_at_once)
{
    begun<void> closed;
    client().close()(closed.token());
    wait(closed);
    BOOST_TEST(!closed.failed());
}

BOOST_AUTO_TEST_SUITE_END()
