// A supervised client that is used from several threads while its server dies again and again.

#include <partyline/mcp/supervised_client.hpp>
#include <partyline/rpc/args.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <vector>

namespace asio = boost::asio;
using namespace partyline;
using namespace std::chrono_literals;

namespace {

struct busy_client {
    asio::thread_pool pool{3};
    std::atomic<int> ends = 0;
    std::atomic<int> wrong = 0; // answers
    std::optional<mcp::supervised_client> tools;

    busy_client()
    {
        mcp::supervised_client_options options;
        options.restart.first_delay = 1ms;
        options.restart.factor = 1;
        options.restart.max_starts = 0;
        options.on_change = [](const supervisor_status&) {};
        options.log = [](std::string_view) {};
        tools.emplace(
            pool.get_executor(),
            [this] {
                mcp::client made(pool.get_executor(), {PARTYLINE_MCP_CHILD});
                made.on_ended([this](error_code) { ++ends; });
                return made;
            },
            options);
    }

    task<void> work(int number)
    {
        for (int i = 0; i != 8; ++i) {
            const std::shared_ptr<mcp::client> now = co_await tools->ready();
            const bool dies = i % 4 == number;
            auto call = dies ? now->call_tool("die") : now->call_tool("add", named("a", i, "b", 40));
            const auto [failed, sum] = co_await std::move(call)(asio::as_tuple(asio::deferred));
            if (!failed && (dies || sum->as<int>() != i + 40))
                ++wrong;
        }
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_supervised_client_threads, busy_client, *boost::unit_test::timeout(300))

BOOST_AUTO_TEST_CASE(several_users_go_on_whatever_dies)
{
    std::future<void> ended = tools->async_run(asio::use_future);
    std::vector<std::future<void>> all;
    for (int number = 0; number != 4; ++number)
        all.push_back(co_spawn(pool.get_executor(), work(number), asio::use_future));
    for (std::future<void>& one : all) {
        while (one.wait_for(1ms) != std::future_status::ready)
            BOOST_TEST((tools->status().state != supervisor_state::ended));
        one.get();
    }
    BOOST_TEST(ends > 1);
    BOOST_TEST(wrong == 0);
    const std::shared_ptr<mcp::client> now = tools->ready()(asio::use_future).get().value(); // which nobody kills
    const mcp::tool_answer sum = now->call_tool("add", named("a", 2, "b", 40))(asio::use_future).get().value();
    BOOST_TEST(sum.as<int>() == 42);
    tools->close();
    ended.get();
    BOOST_TEST((tools->status().state == supervisor_state::ended));
}

BOOST_AUTO_TEST_CASE(it_may_be_destroyed_at_any_moment)
{
    std::future<void> ended = tools->async_run(asio::use_future);
    tools->ready()(asio::use_future).get();
    auto late = tools->ready()(asio::use_future);
    tools.reset();
    BOOST_CHECK_THROW(ended.get(), boost::system::system_error);
    late.wait();
    pool.join();
    BOOST_TEST(ends == 0);
}

BOOST_AUTO_TEST_SUITE_END()
