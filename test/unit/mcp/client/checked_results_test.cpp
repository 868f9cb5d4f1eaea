// Structured results that a client holds against the schemas that tools are listed with.

#include "listening_server.hpp"

#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace partyline;
using namespace partyline::test;
using namespace std::chrono_literals;
using partyline::mcp::client_errc;

namespace {

constexpr std::string_view counting =
    R"({"type":"object","properties":{"files":{"type":"integer"}},"required":["files"]})";

std::string list_of(std::string_view output)
{
    return R"({"tools":[{"name":"scan","inputSchema":{},"outputSchema":)" + std::string(output) +
           R"(},{"name":"plain","inputSchema":{}}]})";
}

std::string result_of(std::string_view structured)
{
    return R"({"content":[],"structuredContent":)" + std::string(structured) + '}';
}

struct checking_server : listening_server {
    checking_server() { options.check_results = true; }
    begun<mcp::tool_answer> call(const std::string& tool = "scan", mcp::call_hooks hooks = {})
    {
        begun<mcp::tool_answer> made;
        client().call_tool(tool, nullptr, std::move(hooks))(made.token());
        return made;
    }
    std::string expect_list() { return expect_request("tools/list", "{}"); }
    std::string expect_call(const std::string& tool = "scan")
    {
        return expect_request("tools/call", R"({"name":")" + tool + R"(","arguments":{}})");
    }
    /// The client knows the tool then.
    void list(std::string_view output = counting)
    {
        begun<std::vector<mcp::tool_info>> listed;
        client().tools()(listed.token());
        reply(expect_list(), list_of(output));
        BOOST_TEST(!wait(listed).failed());
    }
    void expect_fit(const std::string& tool, std::string_view result)
    {
        begun<mcp::tool_answer> made = call(tool);
        reply(expect_call(tool), result);
        BOOST_TEST(!wait(made).failed());
        expect_silence();
    }
    /// The list is looked at again, and nothing has changed.
    void expect_misfit(std::string_view result, std::string_view details, std::string_view output = counting)
    {
        begun<mcp::tool_answer> made = call();
        reply(expect_call(), result);
        reply(expect_list(), list_of(output));
        expect_failure(made, client_errc::bad_result, details);
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_client_checked_results, checking_server, *boost::unit_test::timeout(60))

// rule: mcp.tools.output_check
BOOST_AUTO_TEST_CASE(a_result_fits_the_schema_of_its_tool)
{
    start_modern();
    list();
    expect_fit("scan", result_of(R"({"files":7,"folders":1})"));
    expect_misfit(result_of(R"({"files":"seven"})"),
                  R"(tools/call "scan": structuredContent at "/files": expected integer, got string)");
    expect_misfit(result_of("{}"),
                  R"(tools/call "scan": structuredContent at "/files": expected integer, got nothing)");
    expect_misfit(result_of("7"), R"(tools/call "scan": structuredContent: expected object, got integer)");
}

// rule: mcp.tools.output_check
BOOST_AUTO_TEST_CASE(a_tool_with_a_schema_has_a_structured_result)
{
    start_modern();
    list();
    expect_misfit(R"({"content":[{"type":"text","text":"7 files"}]})",
                  R"(tools/call "scan": structuredContent: expected what the outputSchema says, got nothing)");
    expect_fit("plain", R"({"content":[{"type":"text","text":"7 files"}]})");
    expect_fit("plain", result_of("7"));
}

BOOST_AUTO_TEST_CASE(a_call_that_has_failed_need_not_fit)
{
    start_modern();
    list();
    expect_fit("scan", R"({"content":[{"type":"text","text":"no luck"}],"isError":true})");
    expect_fit("scan", R"({"content":[],"structuredContent":{"why":"no luck"},"isError":true})");
}

BOOST_AUTO_TEST_CASE(nothing_is_checked_unless_that_is_wanted)
{
    BOOST_TEST(!mcp::client_options().check_results);
    options.check_results = false;
    start_modern();
    expect_fit("scan", result_of("{}"));
    list();
    expect_fit("scan", result_of("{}"));
}

BOOST_AUTO_TEST_CASE(a_tool_that_was_not_seen_is_looked_up)
{
    start_modern();
    begun<mcp::tool_answer> first = call();
    reply(expect_list(), list_of(counting));
    reply(expect_call(), result_of(R"({"files":7})"));
    BOOST_TEST(!wait(first).failed());
    BOOST_TEST(first.outcome()->structured->text() == R"({"files":7})");
    expect_fit("scan", result_of(R"({"files":8})"));
    expect_fit("plain", R"({"content":[]})");
}

BOOST_AUTO_TEST_CASE(a_tool_is_known_by_a_page_of_the_list)
{
    start_modern();
    begun<mcp::page<mcp::tool_info>> page;
    client().list<mcp::tool_info>("x")(page.token());
    reply(expect_request("tools/list", R"({"cursor":"x"})"), list_of(counting));
    wait(page);
    expect_fit("scan", result_of(R"({"files":7})"));
}

BOOST_AUTO_TEST_CASE(a_tool_that_is_not_listed_is_looked_for_once)
{
    start_modern();
    begun<mcp::tool_answer> first = call("hidden");
    reply(expect_list(), list_of(counting));
    reply(expect_call("hidden"), result_of("7"));
    BOOST_TEST(!wait(first).failed());
    expect_fit("hidden", result_of("8"));
}

BOOST_AUTO_TEST_CASE(the_list_may_be_one_that_is_kept)
{
    options.cache_bytes = std::size_t(1) << 20;
    start_modern();
    begun<json_text> raw;
    client().request("tools/list")(raw.token());
    std::string good = list_of(counting);
    good.insert(1, R"("ttlMs":60000,)");
    reply(expect_list(), good);
    wait(raw);
    expect_fit("scan", result_of(R"({"files":7})"));
    expect_misfit(result_of("{}"), {}); // which asks the server
}

BOOST_AUTO_TEST_CASE(a_tool_that_has_changed_is_looked_up_again)
{
    start_modern();
    list();
    tell("notifications/tools/list_changed", "{}");
    settle();
    begun<mcp::tool_answer> next = call();
    reply(expect_list(), list_of(R"({"type":"string"})"));
    reply(expect_call(), result_of(R"("seven")"));
    BOOST_TEST(!wait(next).failed());
    client().forget_results();
    begun<mcp::tool_answer> after = call();
    reply(expect_list(), list_of(counting));
    reply(expect_call(), result_of(R"({"files":7})"));
    BOOST_TEST(!wait(after).failed());
}

BOOST_AUTO_TEST_CASE(a_change_that_nobody_told_is_no_fault)
{
    start_modern();
    list();
    begun<mcp::tool_answer> changed = call();
    reply(expect_call(), result_of(R"("seven")"));
    reply(expect_list(), list_of(R"({"type":"string"})"));
    BOOST_TEST(!wait(changed).failed());
    expect_fit("scan", result_of(R"("eight")"));
}

BOOST_AUTO_TEST_CASE(a_tool_whose_schema_is_none_is_not_called)
{
    start_modern();
    begun<mcp::tool_answer> first = call();
    reply(expect_list(), list_of(R"({"type":"thing"})"));
    expect_failure(first, client_errc::bad_result);
    BOOST_TEST(first.details().starts_with(R"(tools/list: the outputSchema of "scan": )"), first.details());
    expect_silence();
}

BOOST_AUTO_TEST_CASE(a_tool_whose_schema_was_none_is_listed_again)
{
    options.cache_bytes = std::size_t(1) << 20;
    start_modern();
    begun<mcp::tool_answer> first = call();
    std::string good = list_of(R"({"type":"thing"})");
    good.insert(1, R"("ttlMs":60000,)");
    reply(expect_list(), good);
    expect_failure(first, client_errc::bad_result);
    begun<mcp::tool_answer> again = call();
    reply(expect_list(), list_of(counting));
    reply(expect_call(), result_of(R"({"files":7})"));
    BOOST_TEST(!wait(again).failed());
}

BOOST_AUTO_TEST_CASE(a_call_that_is_refused_as_none_that_is_listed_has_the_tools_listed_again)
{
    start_modern();
    list();
    begun<mcp::tool_answer> refused = call();
    refuse(expect_call(), R"({"code":-32602,"message":"Unknown tool"})");
    BOOST_REQUIRE(wait(refused).outcome().error());
    begun<mcp::tool_answer> again = call();
    reply(expect_list(), list_of(counting));
    reply(expect_call(), result_of(R"({"files":7})"));
    BOOST_TEST(!wait(again).failed());
}

BOOST_AUTO_TEST_CASE(what_was_listed_before_a_change_is_not_known_after_it)
{
    start_modern();
    begun<std::vector<mcp::tool_info>> old;
    client().tools()(old.token());
    const std::string id = expect_list();
    tell("notifications/tools/list_changed", "{}");
    reply(id, list_of(R"({"type":"string"})"));
    BOOST_TEST(!wait(old).failed());
    begun<mcp::tool_answer> next = call();
    reply(expect_list(), list_of(counting));
    reply(expect_call(), result_of(R"({"files":7})"));
    BOOST_TEST(!wait(next).failed());
}

BOOST_AUTO_TEST_CASE(a_list_that_a_change_overtakes_is_good_for_one_call)
{
    start_modern();
    begun<mcp::tool_answer> first = call();
    const std::string id = expect_list();
    tell("notifications/tools/list_changed", "{}");
    reply(id, list_of(counting));
    reply(expect_call(), result_of(R"({"files":7})"));
    BOOST_TEST(!wait(first).failed());
    begun<mcp::tool_answer> next = call();
    reply(expect_list(), list_of(R"({"type":"string"})"));
    reply(expect_call(), result_of(R"("seven")"));
    BOOST_TEST(!wait(next).failed());
}

BOOST_AUTO_TEST_CASE(what_was_listed_before_a_misfit_is_not_known_after_it)
{
    start_modern();
    list();
    begun<mcp::tool_answer> changed = call();
    const std::string called = expect_call();
    begun<std::vector<mcp::tool_info>> old;
    client().tools()(old.token());
    const std::string listed = expect_list();
    reply(called, result_of(R"("seven")"));
    const std::string again = expect_list();
    reply(again, list_of(R"({"type":"string"})"));
    BOOST_TEST(!wait(changed).failed());
    reply(listed, list_of(counting));
    BOOST_TEST(!wait(old).failed());
    expect_fit("scan", result_of(R"("eight")"));
}

BOOST_AUTO_TEST_CASE(a_misfit_is_told_also_where_the_tools_can_not_be_listed_again)
{
    constexpr std::string_view misfit =
        R"(tools/call "scan": structuredContent at "/files": expected integer, got nothing)";
    start_modern();
    list();
    begun<mcp::tool_answer> refused = call();
    reply(expect_call(), result_of("{}"));
    refuse(expect_list(), R"({"code":-32603,"message":"Internal error"})");
    expect_failure(refused, client_errc::bad_result, misfit);
    expect_fit("plain", result_of("7")); // which is known as before
    list();
    begun<mcp::tool_answer> odd = call();
    reply(expect_call(), result_of("{}"));
    reply(expect_list(), list_of(R"({"type":"thing"})"));
    expect_failure(odd, client_errc::bad_result, misfit);
    list();
    begun<mcp::tool_answer> given_up = call();
    reply(expect_call(), result_of("{}"));
    const std::string id = expect_list();
    given_up.cancel();
    expect_failure(given_up, boost::asio::error::operation_aborted);
    expect_cancel(id);
    list();
    begun<mcp::tool_answer> last = call();
    reply(expect_call(), result_of("{}"));
    expect_list();
    end();
    expect_failure(last, client_errc::bad_result, misfit);
}

BOOST_AUTO_TEST_CASE(a_result_that_takes_too_long_to_check_is_not_checked)
{
    std::string output = R"({"$defs":{"d0":true)";
    for (int i = 1; i != 21; ++i) { // each asks the one before twice
        const std::string before = R"({"$ref":"#/$defs/d)" + std::to_string(i - 1) + R"("})";
        output += R"(,"d)" + std::to_string(i) + R"(":{"allOf":[)" + before + ',' + before + "]}";
    }
    output += R"(},"$ref":"#/$defs/d20"})";
    start_modern();
    list(output);
    expect_fit("scan", result_of("7"));
}

BOOST_AUTO_TEST_CASE(a_list_that_can_not_be_had_fails_the_call_before_it_is_made)
{
    start_modern();
    begun<mcp::tool_answer> refused = call();
    refuse(expect_list(), R"({"code":-32601,"message":"Method not found"})");
    BOOST_REQUIRE(wait(refused).outcome().error());
    BOOST_TEST(refused.outcome().error()->code == -32601);
    begun<mcp::tool_answer> wrong = call();
    reply(expect_list(), R"({"tools":7})");
    expect_failure(wrong, client_errc::bad_result, "tools/list: at the result.tools: expected an array, got a number");
    expect_silence();
}

BOOST_AUTO_TEST_CASE(calls_at_the_same_time_look_once)
{
    start_modern();
    begun<mcp::tool_answer> all[] = {call("scan"), call("scan"), call("plain")};
    reply(expect_list(), list_of(counting));
    const char* const results[] = {R"({"files":1})", R"({"files":2})", "3"};
    const char* const tools[] = {"scan", "scan", "plain"};
    for (int i = 0; i != 3; ++i)
        reply(expect_call(tools[i]), result_of(results[i]));
    for (int i = 0; i != 3; ++i) {
        BOOST_TEST(!wait(all[i]).failed());
        BOOST_TEST(all[i].outcome()->structured->text() == results[i]);
    }
    expect_silence();
}

BOOST_AUTO_TEST_CASE(who_waits_for_a_list_that_is_given_up_lists_by_itself)
{
    start_modern();
    begun<mcp::tool_answer> first = call();
    begun<mcp::tool_answer> second = call();
    const std::string id = expect_list();
    first.cancel();
    expect_failure(first, boost::asio::error::operation_aborted);
    expect_cancel(id);
    reply(expect_list(), list_of(counting));
    reply(expect_call(), result_of(R"({"files":7})"));
    BOOST_TEST(!wait(second).failed());
}

BOOST_AUTO_TEST_CASE(looking_up_takes_of_the_time_of_the_call)
{
    start_modern();
    begun<mcp::tool_answer> patient = call();
    const std::string id = expect_list();
    mcp::call_hooks hooks;
    hooks.timeout = 1ms;
    begun<mcp::tool_answer> late = call("scan", hooks);
    expect_failure(late, errc::timeout, "the list of tools took too long");
    expect_silence();
    reply(id, list_of(counting));
    reply(expect_call(), result_of(R"({"files":7})"));
    BOOST_TEST(!wait(patient).failed());
    expect_silence();
}

BOOST_AUTO_TEST_CASE(an_end_while_it_is_looked_up_ends_the_call)
{
    start_modern();
    begun<mcp::tool_answer> all[] = {call(), call()};
    expect_list();
    destroy_client();
    for (begun<mcp::tool_answer>& each : all)
        expect_failure(each, errc::session_closed);
    checking_server unstarted;
    begun<mcp::tool_answer> early = unstarted.call();
    unstarted.expect_failure(early, client_errc::not_started);
}

BOOST_AUTO_TEST_CASE(older_servers_are_checked_where_their_revision_has_schemas)
{
    start_legacy("{}", "2025-06-18");
    list();
    expect_fit("scan", result_of(R"({"files":7})"));
    expect_misfit(result_of("{}"), {});
    checking_server older;
    older.start_legacy("{}", "2025-03-26");
    older.expect_fit("scan", result_of("{}"));
}

BOOST_AUTO_TEST_SUITE_END()
