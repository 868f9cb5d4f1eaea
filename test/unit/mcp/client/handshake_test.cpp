#include "scripted_server.hpp"

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <stdexcept>

namespace json = boost::json;
using namespace partyline;
using namespace partyline::test;
using partyline::mcp::client_errc;
using partyline::mcp::wanted_era;

namespace {

constexpr std::string_view old_server =
    R"({"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"old","version":"1"},"instructions":"Hm."})";

struct fixture : scripted_server {
    begun<void> started;

    void begin() { client().start()(started.token()); }
    std::string expect_discover() { return expect_request("server/discover", "{}"); }
    std::string expect_initialize()
    {
        return expect_request("initialize", R"({"protocolVersion":"2025-11-25","capabilities":{},
                                                "clientInfo":{"name":"tester","version":"0"}})");
    }
    void take_legacy()
    {
        reply(expect_initialize(), old_server);
        wait(started);
        BOOST_TEST(!started.failed());
        expect(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
        BOOST_TEST((client().revision() == mcp::revision::v2025_06_18));
        BOOST_TEST((client().era() == mcp::era::legacy));
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_client_handshake, fixture, *boost::unit_test::timeout(60))

// rule: mcp.meta.required, mcp.meta.client_info, mcp.stdio.stdin, mcp.probe.discover, mcp.probe.kept
BOOST_AUTO_TEST_CASE(a_server_that_can_be_discovered_is_modern)
{
    begin();
    const std::string id = expect_discover();
    BOOST_TEST(json::value(last_meta()) == json::parse(R"({"io.modelcontextprotocol/protocolVersion":"2026-07-28",
                               "io.modelcontextprotocol/clientInfo":{"name":"tester","version":"0"},
                               "io.modelcontextprotocol/clientCapabilities":{}})"));
    reply(id, discovered(R"({"tools":{}})", R"(["2099-01-01","2026-07-28"])"));
    wait(started);
    BOOST_TEST(!started.failed());
    BOOST_TEST((client().era() == mcp::era::modern));
    BOOST_TEST(client().server().info.name == "played");
    BOOST_TEST(client().server().instructions == "Be kind.");
    BOOST_TEST(client().server().capabilities.contains("tools"));
    expect_silence();
}

// rule: mcp.elicit.declare, mcp.sample.declare, mcp.roots.declare
BOOST_AUTO_TEST_CASE(what_can_be_answered_is_declared)
{
    client().on_elicit([](const mcp::elicit_request&) { return mcp::elicit_answer::decline(); });
    client().on_elicit_page([](const mcp::page_request&) { return mcp::elicit_action::decline; });
    client().on_sample([](const mcp::sample_request&) { return mcp::sampling_answer(); });
    client().set_roots({});
    begin();
    expect_discover();
    BOOST_TEST(last_meta().at("io.modelcontextprotocol/clientCapabilities") ==
               json::parse(R"({"elicitation":{"form":{},"url":{}},"sampling":{},"roots":{}})"));
}

// rule: mcp.initialize.request, mcp.elicit.declare, mcp.roots.declare
BOOST_AUTO_TEST_CASE(what_can_be_answered_is_declared_to_older_servers)
{
    options.era = wanted_era::legacy;
    options.samples_with_tools = true;
    client().on_elicit_page([](const mcp::page_request&) { return mcp::elicit_action::decline; });
    client().on_sample([](const mcp::sample_request&) { return mcp::sampling_answer(); });
    client().set_roots({});
    begin();
    expect_request("initialize", R"({"protocolVersion":"2025-11-25","clientInfo":{"name":"tester","version":"0"},
        "capabilities":{"elicitation":{"url":{}},"sampling":{"tools":{}},"roots":{"listChanged":true}}})");
}

// rule: mcp.sample.declare
BOOST_AUTO_TEST_CASE(who_samples_with_tools_says_so)
{
    options.samples_with_tools = true;
    client().on_sample([](const mcp::sample_request&) { return mcp::sampling_answer(); });
    begin();
    expect_discover();
    BOOST_TEST(last_meta().at("io.modelcontextprotocol/clientCapabilities") ==
               json::parse(R"({"sampling":{"tools":{}}})"));
}

// rule: mcp.notification.no_id, mcp.batch.initialize, mcp.stdio.stdin, mcp.initialize.first, mcp.initialize.request
// rule: mcp.initialize.done, mcp.version.supported, mcp.version.client_latest
BOOST_AUTO_TEST_CASE(any_other_error_means_an_older_server)
{
    begin();
    refuse(expect_discover(), R"({"code":-32601,"message":"Method not found"})");
    take_legacy();
    BOOST_TEST(client().server().info.name == "old");
    BOOST_TEST(client().server().instructions == "Hm.");
    expect_silence();
}

// rule: mcp.error.legacy_meaning, mcp.probe.any_error
BOOST_AUTO_TEST_CASE(errors_of_any_code_mean_an_older_server)
{
    for (const int code :
         {-32700, -32600, -32601, -32602, -32603, -32000, -32001, -32002, -32019, -32023, -32042, 0, 7}) {
        BOOST_TEST_CONTEXT(code)
        {
            fixture one;
            one.begin();
            one.refuse(one.expect_discover(), R"({"code":)" + std::to_string(code) + R"(,"message":"No"})");
            one.take_legacy();
        }
    }
}

// rule: mcp.probe.any_error
BOOST_AUTO_TEST_CASE(a_result_that_is_no_discovery_means_an_older_server)
{
    begin();
    reply(expect_discover(), "{}");
    take_legacy();
}

// rule: mcp.initialize.client_waits, mcp.probe.silence
BOOST_AUTO_TEST_CASE(silence_means_an_older_server)
{
    options.probe_timeout = std::chrono::milliseconds(1);
    begin();
    const std::string id = expect_discover();
    take_legacy();
    expect_cancel(id);
    expect_silence();
}

// rule: mcp.probe.silence
BOOST_AUTO_TEST_CASE(a_modern_server_that_was_slow_is_found_all_the_same)
{
    options.probe_timeout = std::chrono::milliseconds(1);
    begin();
    const std::string id = expect_discover();
    const std::string other = expect_initialize();
    reply(id, discovered());
    refuse(other, R"({"code":-32601,"message":"Method not found"})");
    wait(started);
    BOOST_TEST(!started.failed());
    BOOST_TEST((client().era() == mcp::era::modern));
}

// rule: mcp.probe.modern_error
BOOST_AUTO_TEST_CASE(a_modern_server_may_say_so_when_it_is_to_be_initialized)
{
    begin();
    refuse(expect_discover(), R"({"code":-32601,"message":"Not yet"})");
    refuse(expect_initialize(), R"({"code":-32022,"message":"No","data":{"supported":["2026-07-28"]}})");
    reply(expect_discover(), discovered());
    wait(started);
    BOOST_TEST(!started.failed());
    BOOST_TEST((client().era() == mcp::era::modern));
}

// rule: mcp.version.select, mcp.probe.modern_error
BOOST_AUTO_TEST_CASE(a_modern_error_has_it_asked_again_once)
{
    begin();
    const std::string error = R"({"code":-32022,"message":"No","data":{"supported":["2026-07-28"],"requested":"x"}})";
    refuse(expect_discover(), error);
    refuse(expect_discover(), error);
    wait(started);
    BOOST_TEST(!started.failed());
    BOOST_REQUIRE(started.outcome().error());
    BOOST_TEST(started.outcome().error()->code == -32022);
}

// rule: mcp.version.select, mcp.lifecycle.failures
BOOST_AUTO_TEST_CASE(a_server_without_a_revision_in_common_is_told_of)
{
    begin();
    refuse(expect_discover(), R"({"code":-32022,"message":"No","data":{"supported":["2099-01-01"]}})");
    expect_failure(started, client_errc::unsupported_version, R"(the server has ["2099-01-01"])");
}

BOOST_AUTO_TEST_CASE(a_server_that_supports_older_revisions_alone_is_initialized)
{
    begin();
    refuse(expect_discover(), R"({"code":-32022,"message":"No","data":{"supported":["2025-11-25"]}})");
    take_legacy();
}

// rule: mcp.version.disconnect
BOOST_AUTO_TEST_CASE(an_unknown_revision_is_not_taken)
{
    options.era = wanted_era::legacy;
    begin();
    reply(expect_initialize(), R"({"protocolVersion":"1999-01-01","capabilities":{},"serverInfo":{}})");
    expect_failure(started, client_errc::unsupported_version, "the server wants 1999-01-01");
    run_until([&] { return has_left(); });
    expect_silence();
}

// rule: mcp.probe.modern_only
BOOST_AUTO_TEST_CASE(who_wants_modern_servers_does_not_fall_back)
{
    options.era = wanted_era::modern;
    begin();
    refuse(expect_discover(), R"({"code":-32601,"message":"Method not found"})");
    wait(started);
    BOOST_REQUIRE(started.outcome().error());
    BOOST_TEST(started.outcome().error()->code == -32601);
}

// rule: mcp.timeout.set, mcp.cancel.initialize
BOOST_AUTO_TEST_CASE(a_server_that_never_answers_initialize_is_given_up_without_a_cancel)
{
    options.era = wanted_era::legacy;
    options.handshake_timeout = std::chrono::milliseconds(1);
    begin();
    expect_initialize();
    expect_failure(started, errc::timeout);
    settle();
    expect_silence();
}

// rule: mcp.cancel.initialize
BOOST_AUTO_TEST_CASE(a_cancelled_start_says_nothing_of_it)
{
    options.era = wanted_era::legacy;
    begin();
    expect_initialize();
    started.cancel();
    expect_failure(started, boost::asio::error::operation_aborted);
    expect_silence();
}

// rule: mcp.lifecycle.failures
BOOST_AUTO_TEST_CASE(a_server_that_dies_in_the_handshake_is_told_of)
{
    begin();
    expect_discover();
    end();
    expect_failure(started, errc::peer_closed);
}

// rule: mcp.lifecycle.failures
BOOST_AUTO_TEST_CASE(what_is_wrong_in_the_answer_is_named)
{
    options.era = wanted_era::legacy;
    begin();
    reply(expect_initialize(), R"({"protocolVersion":"2025-11-25","capabilities":[],"serverInfo":{}})");
    expect_failure(started, client_errc::bad_result,
                   "initialize: at the result.capabilities: expected an object, got an array");
}

// rule: mcp.initialize.client_waits
BOOST_AUTO_TEST_CASE(nothing_can_be_asked_before_the_start)
{
    begun<std::vector<mcp::tool_info>> tools;
    client().tools()(tools.token());
    expect_failure(tools, client_errc::not_started);
    BOOST_CHECK_THROW(client().server(), std::logic_error);
}

BOOST_AUTO_TEST_CASE(it_is_started_once_and_handlers_are_set_before)
{
    start_modern();
    begin();
    expect_failure(started, errc::already_started);
    BOOST_CHECK_THROW(client().on_log([](const mcp::log_entry&) {}), std::logic_error);
    BOOST_CHECK_THROW(client().set_roots({}), std::logic_error);
}

BOOST_AUTO_TEST_SUITE_END()
