// What a server offers, used through the test client.

#include "eras.hpp"
#include "unit/testing/thrown.hpp"

#include <partyline/mcp/mcp.hpp>
#include <partyline/mcp/testing/test_client.hpp>

#include <boost/describe.hpp>
#include <boost/json/parse.hpp>
#include <boost/system/system_error.hpp>
#include <boost/test/unit_test.hpp>

#include <optional>
#include <string>
#include <vector>

namespace json = boost::json;
namespace mcp = partyline::mcp;
using namespace mcp_test;
using partyline::named;

namespace {

struct scan_args {
    std::string path;
    int depth = 1;
};
BOOST_DESCRIBE_STRUCT(scan_args, (), (path, depth))

struct scan_result {
    int files = 0;
};
BOOST_DESCRIBE_STRUCT(scan_result, (), (files))

struct day {
    std::string date;
};
BOOST_DESCRIBE_STRUCT(day, (), (date))

partyline::task<int> count(mcp::context& c)
{
    for (int i = 1; i != 4; ++i)
        co_await c.progress(i, 3.0, "step");
    co_await c.log(mcp::log_level::info, "counted", "counter");
    co_await c.log(mcp::log_level::debug, "details");
    co_return 3;
}

mcp::server files_server()
{
    mcp::server_options options;
    options.page_size = 2;
    mcp::server server("files", "1.0", options);
    server.add_tool("scan", "Scans.", [](scan_args a) { return scan_result{a.depth * 2}; });
    server.add_tool("count", "Counts.", count);
    server.add_tool("fail", "Fails.", [] { throw mcp::tool_error("no luck"); });
    server.add_tool("refuse", "Refuses.", [] { throw partyline::rpc_error(7, "No"); });
    server.add_resource("notes://all", "all", "All notes.", [] { return std::string("a note"); });
    server.add_resource_template("notes://{date}", "day", "Of a day.", [](const day& of) { return "of " + of.date; });
    server.add_prompt("greet", "Greets.", [](const day& of) { return "Good " + of.date; });
    server.complete("greet", "date", [](std::string_view begun) { return std::vector{std::string(begun) + "day"}; });
    return server;
}

} // namespace

BOOST_AUTO_TEST_SUITE(mcp_test_client, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(all_that_a_server_offers_is_used_in_either_era)
{
    mcp::server server = files_server();
    in_each_era([&](mcp::era era) {
        mcp::test_client client(server, era);
        BOOST_TEST((client.era() == era));
        BOOST_TEST(client.server().info.name == "files");
        BOOST_TEST(client.call("scan", scan_args{".", 4}).as<scan_result>().files == 8);
        BOOST_TEST(client.call("scan", named("path", ".", "depth", 1)).as<scan_result>().files == 2);
        BOOST_TEST(client.call("scan", json::object{{"path", "."}, {"depth", 2}}).as<scan_result>().files == 4);
        BOOST_TEST(client.call("count").as<int>() == 3);
        BOOST_TEST(client.tools().size() == 4u);
        BOOST_TEST(client.list<mcp::tool_info>().items.size() == 2u);
        BOOST_TEST(client.resources().size() == 1u);
        BOOST_TEST(client.templates().at(0).uri_template == "notes://{date}");
        BOOST_TEST(client.prompts().at(0).name == "greet");
        BOOST_TEST(client.read_resource("notes://all").text() == "a note");
        BOOST_TEST(client.read_resource("notes://today").text() == "of today");
        BOOST_TEST(client.get_prompt("greet", day{"morning"}).messages.at(0).text() == "Good morning");
        BOOST_TEST(client.complete(mcp::completion_target::prompt("greet"), "date", "mon").values.at(0) == "monday");
        BOOST_TEST(json::parse(client.request("tools/list").text()).at("tools").as_array().size() == 2u);
        client.ping();
        expect_no_problems(client);
        BOOST_TEST(!client.end());
        BOOST_TEST(!client.end());
        BOOST_CHECK_THROW(client.ping(), boost::system::system_error);
    });
}

BOOST_AUTO_TEST_CASE(failures_are_answers_and_errors_are_thrown)
{
    mcp::server server = files_server();
    in_each_era([&](mcp::era era) {
        mcp::test_client client(server, era);
        const mcp::tool_answer failed = client.call("fail");
        BOOST_TEST(failed.is_error);
        BOOST_TEST(failed.text() == "no luck");
        BOOST_TEST(client.call("scan").is_error);
        BOOST_CHECK_THROW(client.call("refuse"), partyline::rpc_error);
        BOOST_TEST(client.error_of("refuse").code == 7);
        BOOST_TEST(client.error_of("unknown").code == partyline::error_codes::invalid_params);
        BOOST_TEST(kit::thrown_by<partyline::test::unexpected_result>([&] { client.error_of("fail"); }) ==
                   "tools/call \"fail\" was answered with a result, not with an error");
        expect_no_problems(client);
    });
}

BOOST_AUTO_TEST_CASE(progress_and_logs_are_seen)
{
    mcp::server server = files_server();
    in_each_era([&](mcp::era era) {
        mcp::test_client client(server, era);
        double last = 0;
        mcp::call_hooks hooks;
        hooks.on_progress = [&](double done, std::optional<double>, const std::string&) { last = done; };
        mcp::pending_answer<mcp::tool_answer> call = client.start_call("count", nullptr, hooks);
        BOOST_TEST(!call.is_done());
        BOOST_TEST(call.get().as<int>() == 3);
        BOOST_TEST(call.get().as<int>() == 3);
        BOOST_TEST(last == 3);
        BOOST_TEST(call.progress().back().done == 3);
        BOOST_TEST(client.progress().back().of == "count");
        BOOST_TEST(client.progress().back().total.value() == 3);
        BOOST_TEST(client.progress().back().message == "step");
        BOOST_TEST(client.logged().size() == 1u);
        BOOST_TEST(client.logged().at(0).text() == "counted");
        BOOST_TEST(client.logged().at(0).logger == "counter");
        client.set_log_level(mcp::log_level::debug);
        client.call("count");
        BOOST_TEST(client.logged().size() == 3u);
        expect_no_problems(client);
    });
}

BOOST_AUTO_TEST_CASE(changes_are_seen_at_once_from_the_beginning)
{
    mcp::server server = files_server();
    mcp::feature_handle extra = server.add_tool("extra", "More.", [] { return 1; });
    in_each_era([&](mcp::era era) {
        mcp::test_client client(server, era);
        extra.enable(era == mcp::era::modern);
        client.run_until_idle();
        BOOST_TEST(client.changes().tools == 1);
        BOOST_TEST(client.changes().prompts == 0);
        client.subscribe("notes://all");
        server.resource_updated("notes://all");
        server.resource_updated("notes://other");
        client.run_until([&] { return !client.changes().updated.empty(); });
        BOOST_TEST(client.changes().updated.at(0) == "notes://all");
        client.unsubscribe("notes://all");
        server.resource_updated("notes://all");
        client.run_until_idle();
        BOOST_TEST(client.changes().updated.size() == 1u);
        expect_no_problems(client);
    });
}

BOOST_AUTO_TEST_CASE(two_clients_of_one_server_are_told_each)
{
    mcp::server server = files_server();
    mcp::test_client old_one(server, mcp::era::legacy);
    mcp::test_client new_one(server, mcp::era::modern);
    new_one.subscribe("notes://all");
    BOOST_TEST(old_one.call("count").as<int>() == 3);
    server.add_tool("added", "New.", [] { return 2; });
    server.resource_updated("notes://all");
    old_one.run_until_idle();
    BOOST_TEST(old_one.changes().tools == 1);
    BOOST_TEST(old_one.changes().updated.empty());
    BOOST_TEST(new_one.changes().tools == 0); // it has not run
    new_one.run_until_idle();
    BOOST_TEST(new_one.changes().tools == 1);
    BOOST_TEST(new_one.changes().updated.size() == 1u);
    BOOST_TEST(new_one.call("added").as<int>() == 2);
}

BOOST_AUTO_TEST_CASE(it_may_be_moved_and_outlive_the_server)
{
    in_each_era([&](mcp::era era) {
        std::optional<mcp::server> server(files_server());
        mcp::test_client first(*server, era);
        mcp::test_client client = std::move(first);
        server.reset();
        BOOST_TEST(client.call("count").as<int>() == 3);
        BOOST_CHECK_THROW(first.call("count"), std::logic_error); // NOLINT: moved from
        first = std::move(client);
        BOOST_TEST(first.call("count").as<int>() == 3);
    });
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_the_schema_is_found)
{
    mcp::server server("odd", "1");
    server.add_tool("odd", "Says what the protocol does not have.", [] {
        mcp::content wrong("x");
        wrong.annotations.priority = 2; // from 0 to 1
        return wrong;
    });
    in_each_era([&](mcp::era era) {
        mcp::test_client client(server, era);
        expect_no_problems(client);
        BOOST_TEST(client.call("odd").text() == "x");
        const std::vector<std::string> found = client.schema_problems();
        BOOST_REQUIRE(found.size() == 1u);
        BOOST_TEST(found.at(0).starts_with("server, tools/call: CallToolResult at \"/content/0"), found.at(0));
        BOOST_TEST(found.at(0).find(", in {\"jsonrpc\":\"2.0\"") != std::string::npos, found.at(0));
        client.call("odd");
        BOOST_TEST(client.schema_problems().size() == 2u);
    });
}

BOOST_AUTO_TEST_CASE(it_declares_extensions_whose_messages_no_published_schema_has)
{
    in_each_era([&](mcp::era era) {
        mcp::server server("jobs", "1");
        partyline::method_table methods;
        methods.add("jobs/list", [](partyline::request_context& rpc) {
            rpc.notify("notifications/jobs/seen");
            return boost::json::object{{"jobs", boost::json::array()}};
        });
        server.add_extension("com.example/jobs", {{"states", true}}, std::move(methods), {.needs_client = true});
        mcp::test_client other(server, era);
        BOOST_CHECK_THROW(other.request("jobs/list"), partyline::rpc_error);
        mcp::test_client_options options;
        options.extensions["com.example/jobs"] = {};
        mcp::test_client client(server, era, options);
        BOOST_TEST(client.request("jobs/list").to_value().as_object().contains("jobs"));
        BOOST_TEST(client.server().capabilities.at("extensions").as_object().contains("com.example/jobs"));
        expect_no_problems(client);
    });
}

BOOST_AUTO_TEST_CASE(messages_are_there_in_both_directions)
{
    mcp::server server = files_server();
    mcp::test_client client(server, mcp::era::legacy);
    BOOST_TEST(client.messages().front().method == "initialize");
    BOOST_TEST((client.messages().front().sender == mcp::message_sender::client));
    client.call("fail");
    BOOST_TEST(client.messages().back().method == "tools/call");
    BOOST_TEST((client.messages().back().sender == mcp::message_sender::server));
    BOOST_TEST(client.messages().back().text.find("no luck") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
