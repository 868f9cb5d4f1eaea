// A client that works on one thread, and a task of its server that is resumed on others.

#include <partyline/mcp/client.hpp>
#include <partyline/mcp/server.hpp>
#include <partyline/mcp_extensions/client_tasks.hpp>
#include <partyline/mcp_extensions/server_tasks.hpp>
#include <partyline/session.hpp>
#include <partyline/transport/memory_stream.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/system/system_error.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <exception>
#include <future>
#include <latch>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace asio = boost::asio;
namespace mcp = partyline::mcp;
using partyline::error_code;
using partyline::task;
using namespace std::chrono_literals;

namespace {

constexpr int enough_resumed = 6;

task<std::string> work_until(mcp::context& c, const std::atomic<bool>& may_end)
{
    asio::steady_timer timer(c.get_executor());
    while (!may_end) {
        timer.expires_after(1ms);
        co_await timer.async_wait(asio::deferred);
    }
    co_return "done";
}

// The call of a tool that comes to a task.
struct shared_task {
    std::vector<std::exception_ptr> exceptions; // until the threads have ended, see code_of
    asio::io_context home{1};                   // the client's and the server's
    asio::thread_pool pool{3};
    std::atomic<bool> may_end = false;
    std::atomic<bool> has_id = false;
    std::promise<std::string> id;
    std::future<std::string> told_id = id.get_future();
    std::latch followed{enough_resumed + 1}; // by those that resume it and by the call
    asio::cancellation_signal cancel;        // of one that resumes it
    mcp::server server{"unit", "1.0"};
    std::optional<mcp::server_tasks> served;
    std::optional<partyline::session> serving;
    std::optional<mcp::client> client;
    std::optional<mcp::client_tasks> tasks;
    std::thread runner;

    shared_task()
    {
        served.emplace(server);
        mcp::tool_options how;
        how.run.around_requests.add(served->optional());
        server.add_tool("work", "Works", [this](mcp::context& c) { return work_until(c, may_end); }, std::move(how));
        auto [ours, theirs] = partyline::memory_stream::make_pair(home.get_executor());
        serving.emplace(server.serve(std::move(theirs)));
        serving->async_run([](error_code) {});
        client.emplace(std::move(ours));
        mcp::client_tasks_options polling;
        polling.poll_interval = polling.min_poll_interval = 1ms;
        polling.max_poll_interval = 2ms;
        polling.on_status = [this](const mcp::client_task_status& now) { on_status(now); };
        tasks.emplace(*client, std::move(polling));
        auto started = client->start()(asio::use_future);
        runner = std::thread([this] { home.run(); });
        started.get();
    }
    ~shared_task()
    {
        client.reset();
        served.reset(); // cancels what still works
        pool.join();
        runner.join();
    }

    // ThreadSanitizer does not see how the owners of an exception are counted: none of those of other threads is to be
    // the last one.
    template <class T>
    error_code code_of(std::future<T>& ended)
    {
        try {
            ended.get();
        } catch (const boost::system::system_error& failed) {
            exceptions.push_back(std::current_exception());
            return failed.code();
        }
        return {};
    }

    // On several threads at once.
    void on_status(const mcp::client_task_status& now)
    {
        if (!has_id.exchange(true))
            id.set_value(now.id);
        if (now.meta.contains("com.example/cancel"))
            cancel.emit(asio::cancellation_type::terminal);
        else if (now.state == mcp::client_task_state::working)
            followed.count_down();
    }

    std::vector<std::future<mcp::tool_answer>> resume(const std::string& which)
    {
        std::vector<std::future<mcp::tool_answer>> all;
        for (int i = 0; i != enough_resumed; ++i)
            all.push_back(co_spawn(asio::make_strand(pool.get_executor()), tasks->resume(which), asio::use_future));
        return all;
    }
    std::future<error_code> resume_and_cancel(const std::string& which)
    {
        mcp::call_hooks hooks;
        hooks.meta["com.example/cancel"] = true;
        std::promise<error_code> told;
        std::future<error_code> ended = told.get_future();
        co_spawn(asio::make_strand(pool.get_executor()), tasks->resume(which, std::move(hooks)),
                 asio::bind_cancellation_slot(cancel.slot(), [told = std::move(told)](std::exception_ptr thrown,
                                                                                      const mcp::tool_answer&) mutable {
                     try {
                         if (thrown)
                             std::rethrow_exception(thrown);
                         told.set_value({});
                     } catch (const boost::system::system_error& failed) {
                         told.set_value(failed.code());
                     }
                 }));
        return ended;
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_client_tasks_threads, shared_task, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(several_threads_resume_the_task_of_a_call)
{
    auto called = client->call_tool("work")(asio::use_future);
    auto resumed = resume(told_id.get());
    followed.wait();
    may_end = true;
    BOOST_TEST(called.get().value().text() == "done");
    for (auto& one : resumed)
        BOOST_TEST(one.get().text() == "done");
}

BOOST_AUTO_TEST_CASE(one_that_is_cancelled_on_its_thread_cancels_the_task_for_all)
{
    auto called = client->call_tool("work")(asio::use_future);
    const std::string which = told_id.get();
    auto resumed = resume(which);
    followed.wait();
    auto cancelled = resume_and_cancel(which);
    BOOST_TEST(cancelled.get() == error_code(asio::error::operation_aborted));
    BOOST_TEST(code_of(called) == error_code(mcp::client_task_errc::cancelled));
    for (auto& one : resumed)
        BOOST_TEST(code_of(one) == error_code(mcp::client_task_errc::cancelled));
}

BOOST_AUTO_TEST_CASE(the_client_may_go_while_other_threads_resume_its_task)
{
    auto called = client->call_tool("work")(asio::use_future);
    auto resumed = resume(told_id.get());
    followed.wait();
    client.reset();
    BOOST_TEST(code_of(called) == error_code(partyline::errc::session_closed));
    for (auto& one : resumed)
        BOOST_TEST(code_of(one) == error_code(partyline::errc::session_closed));
}

BOOST_AUTO_TEST_SUITE_END()
