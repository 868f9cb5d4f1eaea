// The other side is the reference server of the Model Context Protocol, which is written on other code than ours. It is
// driven by plain calls; `$/cancelRequest`, which is not its word for that, it ignores.

#include "everything_client.hpp"
#include "support/child_process.hpp"
#include "support/text_search.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include <signal.h>

namespace asio = boost::asio;
namespace json = boost::json;
using namespace partyline;
using namespace partyline::test;

namespace {

// In the order in which they came.
std::vector<int> progress_of(const everything_client& client, const json::value& token)
{
    std::vector<int> values;
    for (const heard_notification& it : client.heard) {
        if (it.method == "notifications/progress" && it.params.at("progressToken") == token)
            values.push_back(it.params.at("progress").to_number<int>());
    }
    return values;
}

} // namespace

BOOST_AUTO_TEST_SUITE(everything, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(it_introduces_itself_and_its_tools)
{
    everything_client client;
    BOOST_TEST(client.introduction.at("protocolVersion") == "2025-06-18");
    BOOST_TEST(client.introduction.at("serverInfo").at("name") == "mcp-servers/everything");
    // Those for clients that can be asked back are there only after `notifications/initialized`.
    client.run_until([&] { return client.heard.size() > 0; });
    BOOST_TEST(client.heard.front().method == "notifications/tools/list_changed");
    std::set<std::string> names;
    const json::value list = client.result_of(client.start("tools/list"));
    for (const json::value& tool : list.at("tools").as_array())
        names.emplace(tool.at("name").as_string());
    for (const char* name : {"echo", "get-roots-list", "get-sum", "trigger-sampling-request"})
        BOOST_TEST(names.count(name) == 1, name);
}

BOOST_AUTO_TEST_CASE(its_tools_can_be_called)
{
    everything_client client;
    BOOST_TEST(client.text_of(client.start_tool("get-sum", {{"a", 2}, {"b", 40}})) == "The sum of 2 and 40 is 42.");
    const std::string text = "a\u00df\u20ac\U0001f600\"\\\n\u2028";
    BOOST_TEST(client.text_of(client.start_tool("echo", {{"message", text}})) == "Echo: " + text);
    std::string megabyte;
    while (megabyte.size() < 1'000'000)
        megabyte += text;
    BOOST_TEST((client.text_of(client.start_tool("echo", {{"message", megabyte}})) == "Echo: " + megabyte));
}

BOOST_AUTO_TEST_CASE(its_errors_are_values)
{
    everything_client client;
    const settled unknown = client.wait(client.start("no/such/method"));
    BOOST_TEST(!unknown.failed);
    BOOST_TEST_REQUIRE(unknown.reply.error());
    BOOST_TEST(unknown.reply.error()->code == -32601);
    const settled misfit = client.wait(client.start("tools/call", {{"name", 1}}));
    BOOST_TEST(!misfit.failed);
    BOOST_TEST_REQUIRE(misfit.reply.error());
}

BOOST_AUTO_TEST_CASE(progress_comes_before_the_reply)
{
    everything_client client;
    const pending slow = client.start_tool("trigger-long-running-operation", {{"duration", 0.2}, {"steps", 5}}, "slow");
    const pending fast = client.start_tool("trigger-long-running-operation", {{"duration", 0.1}, {"steps", 3}}, 7);
    BOOST_TEST(contains(client.text_of(fast), "Steps: 3"));
    BOOST_TEST(progress_of(client, 7) == (std::vector<int>{1, 2, 3}), boost::test_tools::per_element());
    BOOST_TEST(contains(client.text_of(slow), "Steps: 5"));
    BOOST_TEST(progress_of(client, "slow") == (std::vector<int>{1, 2, 3, 4, 5}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_it_asks_back_is_answered)
{
    everything_client client;
    client.sampling.open();
    const std::string sampled = client.text_of(client.start_tool("trigger-sampling-request", {{"prompt", "sing"}}));
    BOOST_TEST(contains(sampled, R"("model": "sampler")"));
    BOOST_TEST(contains(sampled, "context: sing>"));
    BOOST_TEST(contains(client.text_of(client.start_tool("trigger-elicitation-request")), "- Name: string"));
    BOOST_TEST(contains(client.text_of(client.start_tool("get-roots-list")), "1. party\n   URI: file:///srv/party"));
}

BOOST_AUTO_TEST_CASE(an_error_of_ours_reaches_it)
{
    everything_client client;
    client.sampling.open();
    const json::value result = client.result_of(client.start_tool("trigger-sampling-request", {{"prompt", "refuse"}}));
    BOOST_TEST(result.at("isError").as_bool());
    BOOST_TEST(contains(std::string(result.at_pointer("/content/0/text").as_string()), "the user said no"));
}

// The same numbers are ids of calls in both directions, then.
BOOST_AUTO_TEST_CASE(fifty_calls_wait_for_fifty_of_its_own_while_others_pass)
{
    everything_client client;
    std::vector<pending> sampled;
    for (int i = 0; i < 50; ++i)
        sampled.push_back(client.start_tool("trigger-sampling-request", {{"prompt", std::to_string(i)}}));
    client.run_until([&] { return client.sampling.arrivals == 50; });
    BOOST_TEST(client.text_of(client.start_tool("echo", {{"message", "passing"}})) == "Echo: passing");
    for (const pending& call : sampled)
        BOOST_TEST(!call->has_value());
    std::set<std::string> both;
    std::set_intersection(client.our_ids.begin(), client.our_ids.end(), client.its_ids.begin(), client.its_ids.end(),
                          std::inserter(both, both.end()));
    BOOST_TEST(both.size() > 1);

    client.sampling.open();
    for (int i = 0; i < 50; ++i)
        BOOST_TEST(contains(client.text_of(sampled[i]), "context: " + std::to_string(i) + ">"));
}

BOOST_AUTO_TEST_CASE(a_reply_to_a_call_that_was_given_up_is_ignored)
{
    everything_client client;
    asio::cancellation_signal cancel;
    const json::value sample{{"name", "trigger-sampling-request"}, {"arguments", {{"prompt", "late"}}}};
    const pending cancelled = client.start("tools/call", sample, {}, cancel.slot());
    const pending overdue = client.start("tools/call", sample, call_options().timeout(std::chrono::milliseconds(50)));
    client.run_until([&] { return client.sampling.arrivals == 2; });
    cancel.emit(asio::cancellation_type::terminal);
    BOOST_TEST(client.wait(cancelled).failed == asio::error::operation_aborted);
    BOOST_TEST(client.wait(overdue).failed == make_error_code(errc::timeout));

    client.sampling.open();
    client.run_until([&] { return client.talk().counters().late_replies == 2; });
    BOOST_TEST(client.text_of(client.start_tool("echo", {{"message", "still here"}})) == "Echo: still here");
    BOOST_TEST(client.talk().counters().stray_replies == 0);
}

BOOST_AUTO_TEST_CASE(it_exits_by_itself_when_the_session_is_closed)
{
    child_options options;
    options.exit_wait = patience;
    everything_client client(options);
    const pending last = client.start_tool("echo", {{"message", "last"}});
    client.talk().close();
    BOOST_TEST(client.wait_end() == error_code());
    BOOST_TEST(client.text_of(last) == "Echo: last");
    BOOST_TEST_REQUIRE(client.server().exit().has_value());
    BOOST_TEST(client.server().exit()->is_success());
    BOOST_TEST(client.wait(client.start("ping")).failed == make_error_code(errc::session_closed));
}

// Its timer for simulated log messages keeps it alive, and nothing in it reacts to the end of input.
BOOST_AUTO_TEST_CASE(it_is_sent_a_signal_when_it_would_live_on)
{
    child_options options;
    options.exit_wait = std::chrono::milliseconds(100);
    everything_client client(options);
    client.text_of(client.start_tool("toggle-simulated-logging"));
    client.talk().close();
    BOOST_TEST(client.wait_end() == error_code());
    BOOST_TEST_REQUIRE(client.server().exit().has_value());
    BOOST_TEST((client.server().exit()->signal() == SIGTERM));
}

BOOST_AUTO_TEST_CASE(calls_fail_with_its_end_when_it_is_killed)
{
    child_options options;
    options.errors = child_stderr::capture;
    everything_client client(options);
    std::vector<pending> calls;
    for (int i = 0; i < 10; ++i)
        calls.push_back(client.start_tool("trigger-long-running-operation", {{"duration", 6000}, {"steps", 6000}}, i));
    client.run_until([&] { return !progress_of(client, 9).empty(); });
    BOOST_TEST_REQUIRE(::kill(client.server().pid(), SIGKILL) == 0);
    const error_code expected = child_exit::by_signal(SIGKILL).code();
    for (const pending& call : calls) {
        const settled end = client.wait(call);
        BOOST_TEST(end.failed == expected);
        BOOST_TEST(contains(end.reply.details(), "Starting default (STDIO) server..."));
    }
    BOOST_TEST(client.wait_end() == expected);
}

BOOST_AUTO_TEST_SUITE_END()
