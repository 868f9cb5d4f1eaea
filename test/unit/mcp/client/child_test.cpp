#include <partyline/mcp/client.hpp>
#include <partyline/rpc/args.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <exception>
#include <optional>

namespace asio = boost::asio;
using namespace partyline;
using partyline::mcp::wanted_era;

namespace {

struct fixture {
    asio::io_context context{1};

    // What it throws is thrown here.
    void run(task<void> what)
    {
        std::optional<std::exception_ptr> ended;
        co_spawn(context.get_executor(), std::move(what), [&](std::exception_ptr thrown) {
            ended = thrown;
            context.stop();
        });
        context.restart();
        context.run_for(std::chrono::seconds(30));
        BOOST_REQUIRE(ended.has_value());
        if (*ended)
            std::rethrow_exception(*ended);
    }
    mcp::client start_child(const asio::any_io_executor& where, wanted_era era = wanted_era::automatic)
    {
        mcp::client_options options;
        options.era = era;
        return {where, {PARTYLINE_MCP_CHILD}, options};
    }
};

task<void> add(mcp::client& client, int count)
{
    for (int i = 0; i != count; ++i) {
        const mcp::tool_answer sum = co_await client.call_tool("add", named("a", i, "b", 40));
        BOOST_TEST(sum.as<int>() == i + 40);
    }
}

task<void> use_child(mcp::client& client)
{
    co_await client.start();
    BOOST_TEST(client.server().info.name == "child");
    co_await add(client, 3);
    co_await client.close();
}

task<void> start_and_die(mcp::client& client)
{
    co_await client.start();
    co_await client.call_tool("die");
}

// Where it runs is not where the client's session does.
task<void> use_from_elsewhere(mcp::client& client, asio::io_context& here)
{
    co_await client.start();
    BOOST_TEST(here.get_executor().running_in_this_thread());
    co_await add(client, 100);
    BOOST_TEST(here.get_executor().running_in_this_thread());
    co_await client.close();
    BOOST_TEST(here.get_executor().running_in_this_thread());
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_client_child, fixture, *boost::unit_test::timeout(120))

// rule: mcp.stdio.stdin, mcp.stdio.support, mcp.end.close
BOOST_AUTO_TEST_CASE(a_server_is_started_used_and_ended_in_either_era)
{
    for (const wanted_era era : {wanted_era::automatic, wanted_era::legacy}) {
        mcp::client client = start_child(context.get_executor(), era);
        run(use_child(client));
        BOOST_TEST((client.era() == (era == wanted_era::legacy ? mcp::era::legacy : mcp::era::modern)));
    }
}

BOOST_AUTO_TEST_CASE(a_server_that_dies_says_how)
{
    mcp::client client = start_child(context.get_executor());
    BOOST_CHECK_EXCEPTION(run(start_and_die(client)), boost::system::system_error,
                          [](const auto& thrown) { return thrown.code() == child_exit::with_status(3).code(); });
}

BOOST_AUTO_TEST_CASE(a_client_may_run_on_other_threads)
{
    asio::thread_pool pool(2);
    mcp::client client = start_child(pool.get_executor());
    run(use_from_elsewhere(client, context));
}

BOOST_AUTO_TEST_CASE(an_io_context_may_go_with_what_is_under_way)
{
    std::optional<mcp::client> client;
    asio::io_context own{1};
    client.emplace(start_child(own.get_executor()));
    bool has_completed = false;
    client->start()([&](error_code, const call_result<void>&) { has_completed = true; });
    own.run_one();
    client.reset();
    BOOST_TEST(!has_completed);
}

BOOST_AUTO_TEST_SUITE_END()
