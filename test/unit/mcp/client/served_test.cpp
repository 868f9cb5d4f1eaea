#include "begun.hpp"

#include <partyline/mcp/client.hpp>
#include <partyline/mcp/mcp.hpp>
#include <partyline/transport/memory_stream.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/describe/class.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace asio = boost::asio;
namespace json = boost::json;
using namespace partyline;
using namespace partyline::test;
using partyline::mcp::wanted_era;

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

struct confirmation {
    bool yes = false;
};
BOOST_DESCRIBE_STRUCT(confirmation, (), (yes))

task<std::string> clean(mcp::context& c)
{
    mcp::form<confirmation> question("sure", "Really?");
    const auto [answer] = co_await c.ask(std::move(question));
    co_return answer && answer->yes ? "cleaned" : "left";
}

// A client, and a server of this library, in memory.
struct fixture {
    asio::io_context context{1};
    mcp::server server{"files", "1.0"};
    std::optional<session> serving;
    std::optional<mcp::client> client;
    mcp::feature_handle tool;

    fixture()
    {
        mcp::server_options options;
        options.page_size = 2;
        server = mcp::server("files", "1.0", std::move(options));
        tool = server.add_tool("scan", "Scans.", [](scan_args a) { return scan_result{a.depth * 2}; });
        server.add_tool("clean", "Cleans.", &clean);
        server.add_tool("count", "Counts.", [](mcp::context& c) {
            for (int i = 1; i != 4; ++i)
                static_cast<void>(c.progress(i, 3.0));
            return 3;
        });
        server.add_resource("notes://all", "all", "All notes.", [] { return std::string("a note"); });
        server.add_prompt("greet", "Greets.", [] { return std::string("Hello"); });
    }
    ~fixture()
    {
        client.reset();
        serving.reset();
        context.restart();
        context.poll();
    }

    void connect(wanted_era era)
    {
        auto [ours, theirs] = memory_stream::make_pair(context.get_executor());
        serving.emplace(server.serve(std::move(theirs)));
        serving->async_run([](error_code) {});
        mcp::client_options options;
        options.era = era;
        client.emplace(std::move(ours), options);
    }
    void run_until(const std::function<bool()>& done)
    {
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        while (!done()) {
            context.restart();
            if (context.poll_one() == 0 && context.run_one_until(deadline) == 0) {
                BOOST_REQUIRE_MESSAGE(done(), "what was waited for did not happen");
                return;
            }
        }
    }
    void run(operation<void> what) { run(awaited(std::move(what))); }
    void run(task<void> what)
    {
        std::optional<std::exception_ptr> ended;
        co_spawn(context.get_executor(), std::move(what), [&](std::exception_ptr thrown) { ended = thrown; });
        run_until([&] { return ended.has_value(); });
        if (*ended)
            std::rethrow_exception(*ended);
    }
};

task<void> use(mcp::client& client)
{
    co_await client.start();
    BOOST_TEST(client.server().info.name == "files");
    const std::vector<mcp::tool_info> tools = co_await client.tools();
    BOOST_TEST(tools.size() == 3u);
    const scan_args wanted{".", 4};
    const mcp::tool_answer scanned = co_await client.call_tool("scan", wanted);
    BOOST_TEST(scanned.as<scan_result>().files == 8);
    const mcp::tool_answer counted = co_await client.call_tool("count");
    BOOST_TEST(counted.as<int>() == 3);
    const mcp::tool_answer cleaned = co_await client.call_tool("clean");
    BOOST_TEST(cleaned.as<std::string>() == "cleaned");
    const mcp::resource_answer read = co_await client.read_resource("notes://all");
    BOOST_TEST(read.text() == "a note");
    const mcp::prompt_answer prompt = co_await client.get_prompt("greet");
    BOOST_TEST(prompt.messages.at(0).text() == "Hello");
    const std::vector<mcp::resource_info> resources = co_await client.resources();
    BOOST_TEST(resources.size() == 1u);
    co_await client.ping();
}

task<void> fail(mcp::client& client)
{
    co_await client.call_tool("unknown");
}

boost::asio::awaitable<void> use_in_awaitable(mcp::client& client)
{
    co_await client.start();
    const mcp::tool_answer counted = co_await client.call_tool("count");
    BOOST_TEST(counted.as<int>() == 3);
    const mcp::tool_answer scanned = co_await client.call_tool("scan", named("path", ".", "depth", 4));
    BOOST_TEST(scanned.as<scan_result>().files == 8);
    bool is_refused = false;
    try {
        co_await client.call_tool("unknown");
    } catch (const rpc_error&) {
        is_refused = true;
    }
    BOOST_TEST(is_refused);
    co_await client.close();
}

task<void> as_task(boost::asio::awaitable<void> what)
{
    co_await std::move(what);
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_client_served, fixture, *boost::unit_test::timeout(60))

// rule: mcp.message.jsonrpc, mcp.stdio.custom, mcp.stdio.custom_framing
BOOST_AUTO_TEST_CASE(all_is_used_in_either_era)
{
    for (const wanted_era era : {wanted_era::automatic, wanted_era::legacy}) {
        BOOST_TEST_CONTEXT("era " << int(era))
        {
            connect(era);
            client->on_elicit([](const mcp::elicit_request& asked) {
                BOOST_TEST(asked.message == "Really?");
                return mcp::elicit_answer::accept(confirmation{true});
            });
            run(use(*client));
            BOOST_TEST((client->era() == (era == wanted_era::legacy ? mcp::era::legacy : mcp::era::modern)));
            BOOST_CHECK_EXCEPTION(run(fail(*client)), rpc_error,
                                  [](const rpc_error& thrown) { return thrown.error().code == -32602; });
            run(client->close());
        }
    }
}

BOOST_AUTO_TEST_CASE(coroutines_of_asio_await_operations)
{
    connect(wanted_era::automatic);
    run(as_task(use_in_awaitable(*client)));
}

BOOST_AUTO_TEST_CASE(progress_comes_in_either_era)
{
    for (const wanted_era era : {wanted_era::automatic, wanted_era::legacy}) {
        connect(era);
        run(client->start());
        double last = 0;
        mcp::call_hooks hooks;
        hooks.on_progress = [&](double done, std::optional<double>, const std::string&) { last = done; };
        begun<mcp::tool_answer> called;
        client->call_tool("count", nullptr, hooks)(called.token());
        run_until([&] { return called.has_ended(); });
        BOOST_TEST(last == 3);
    }
}

// rule: mcp.stdio.custom
BOOST_AUTO_TEST_CASE(changes_are_told_in_either_era)
{
    for (const wanted_era era : {wanted_era::automatic, wanted_era::legacy}) {
        BOOST_TEST_CONTEXT("era " << int(era))
        {
            connect(era);
            int tools = 0;
            std::string updated;
            client->on_tools_changed([&] { ++tools; });
            client->on_resource_updated([&](const std::string& uri) { updated = uri; });
            run(client->start());
            run(client->subscribe("notes://all"));
            for (int i = 0; i != 200; ++i)
                run(client->subscribe("notes://" + std::to_string(i)));
            server.resource_updated("notes://all");
            run_until([&] { return updated == "notes://all"; });
            tool.enable(era == wanted_era::legacy);
            run_until([&] { return tools != 0; });
            run(client->unsubscribe("notes://all"));
            run(client->close());
        }
    }
}

BOOST_AUTO_TEST_CASE(what_an_extension_publishes_is_told_to_who_has_subscribed)
{
    const mcp::listen_topic states("jobIds", "notifications/jobs/state");
    const mcp::listen_topic any("jobsChanged", "notifications/jobs/changed", {.kind = mcp::topic_kind::flag});
    server.add_extension("com.example/jobs", {}, {}, {.topics = {states, any}});
    connect(wanted_era::automatic);
    std::vector<std::string> told;
    method_table handlers;
    handlers.add_notification("notifications/jobs/state", [&](std::string job) { told.push_back(job); }, {"job"});
    handlers.add_notification("notifications/jobs/changed", [&] { told.push_back("changed"); });
    const mcp::client_extension jobs = client->add_extension("com.example/jobs", {}, std::move(handlers));
    run(client->start());
    run(jobs.subscribe("jobIds", "4"));
    run(jobs.subscribe("jobsChanged"));
    states.publish("7", named("job", "7"));
    states.publish("4", named("job", "4"));
    run_until([&] { return !told.empty(); });
    any.publish("");
    run_until([&] { return told.size() == 2u; });
    run(jobs.unsubscribe("jobIds", "4"));
    states.publish("4", named("job", "4"));
    any.publish("");
    run_until([&] { return told.size() == 3u; });
    BOOST_TEST(told == (std::vector<std::string>{"4", "changed", "changed"}), boost::test_tools::per_element());
    run(client->close());
}

BOOST_AUTO_TEST_SUITE_END()
