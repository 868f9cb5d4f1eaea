// A task that runs on one thread, and clients of it on another.

#include "modern_client.hpp"
#include "support/text_search.hpp"

#include <partyline/mcp_extensions/server_tasks.hpp>

#include <boost/asio/deferred.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

namespace asio = boost::asio;
namespace json = boost::json;
namespace mcp = partyline::mcp;
using partyline::task;
using partyline::test::contains;
using partyline::test::modern_client;

namespace {

constexpr int enough = 200;

struct work_record {
    std::promise<void> begun;
    std::promise<void> ended;
};

void wait_until_ready(std::future<void> what)
{
    BOOST_REQUIRE((what.wait_for(modern_client::longest_wait) == std::future_status::ready));
}

// A thread that runs a context until that has nothing left to do; or, where the test fails, until this goes.
class running_context {
public:
    explicit running_context(asio::io_context& of) : of_(of)
    {
        of.restart();
        thread_ = std::thread([this] {
            of_.run();
            ended_.set_value();
        });
    }
    running_context(const running_context&) = delete;
    running_context& operator=(const running_context&) = delete;
    ~running_context()
    {
        of_.stop();
        thread_.join();
    }
    void wait_end() { wait_until_ready(ended_.get_future()); }

private:
    asio::io_context& of_;
    std::promise<void> ended_;
    std::thread thread_;
};

// Tells how far it is, again and again, until it is cancelled.
task<std::string> work_on(mcp::context& c, work_record& told)
{
    told.begun.set_value();
    const std::shared_ptr<void> at_end(nullptr, [&](void*) { told.ended.set_value(); });
    asio::steady_timer timer(c.get_executor());
    for (int step = 1;; ++step) {
        co_await c.progress(step, std::nullopt, "step");
        timer.expires_after(std::chrono::milliseconds(1));
        co_await timer.async_wait(asio::deferred);
    }
    co_return "never";
}

} // namespace

BOOST_AUTO_TEST_SUITE(mcp_server_tasks_threads, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(it_is_looked_at_and_cancelled_from_another_thread)
{
    work_record work;
    mcp::server server("unit", "1.0");
    const mcp::server_tasks tasks(server);
    mcp::tool_options how;
    how.run.around_requests.add(tasks.optional());
    server.add_tool("work", "Works", [&](mcp::context& c) { return work_on(c, work); }, std::move(how));

    asio::io_context there(1);
    asio::io_context here(1);
    modern_client maker(server, there);
    modern_client other(server, here);
    const std::string id = maker.id_of("work");
    running_context runner(there);
    for (int i = 0; i != enough; ++i)
        BOOST_TEST(contains(other.get(id), R"("status":"working")"));
    other.wait_for_text(id, R"("statusMessage":"step")");
    BOOST_TEST(contains(other.ask("tasks/cancel", {{"taskId", id}}), R"("resultType":"complete")"));
    BOOST_TEST(contains(other.get(id), R"("status":"cancelled")"));
    wait_until_ready(work.ended.get_future());
    maker.close();
    runner.wait_end();
}

BOOST_AUTO_TEST_CASE(all_of_it_may_go_while_another_thread_works)
{
    work_record work;
    mcp::server server("unit", "1.0");
    std::optional<mcp::server_tasks> tasks(std::in_place, server);
    mcp::tool_options how;
    how.run.around_requests.add(tasks->optional());
    server.add_tool("work", "Works", [&](mcp::context& c) { return work_on(c, work); }, std::move(how));

    asio::io_context there(1);
    modern_client maker(server, there);
    maker.id_of("work");
    running_context runner(there);
    wait_until_ready(work.begun.get_future());
    tasks.reset();
    wait_until_ready(work.ended.get_future());
    maker.close();
    runner.wait_end();
}

BOOST_AUTO_TEST_SUITE_END()
