// A client that works on one thread, and operations of it that are awaited, and cancelled, on another one.

#include <partyline/mcp/client.hpp>
#include <partyline/mcp/server.hpp>
#include <partyline/session.hpp>
#include <partyline/transport/memory_stream.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>

#include <optional>
#include <thread>
#include <utility>

namespace asio = boost::asio;
namespace mcp = partyline::mcp;
using partyline::error_code;

namespace {

// Runs on a thread of its own until it has nothing to do; a test that fails stops it.
class client_thread {
public:
    explicit client_thread(asio::io_context& what) : context_(what), thread_([&what] { what.run(); }) {}
    ~client_thread()
    {
        context_.stop();
        join();
    }
    client_thread(const client_thread&) = delete;
    client_thread& operator=(const client_thread&) = delete;

    void join()
    {
        if (thread_.joinable())
            thread_.join();
    }

private:
    asio::io_context& context_;
    std::thread thread_;
};

} // namespace

BOOST_AUTO_TEST_SUITE(mcp_client_operation_threads, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(a_cancel_and_the_end_may_come_at_once)
{
    constexpr int rounds = 300;
    asio::io_context home(1);
    mcp::server server("unit", "1.0");
    auto [ours, theirs] = partyline::memory_stream::make_pair(home.get_executor());
    partyline::session serving = server.serve(std::move(theirs));
    serving.async_run([](error_code) {});
    std::optional<mcp::client> client(std::in_place, std::move(ours));
    auto started = client->start()(asio::use_future);
    client_thread runner(home);
    started.get();

    asio::io_context own(1);
    int told = 0;
    for (int round = 0; round != rounds; ++round) {
        asio::cancellation_signal cancel;
        std::optional<error_code> ended;
        const auto done = [&](error_code failed, const auto&) {
            ended = failed;
            ++told;
        };
        client->ping()(asio::bind_cancellation_slot(cancel.slot(), asio::bind_executor(own.get_executor(), done)));
        for (int i = 0; i != round % 20 && !ended; ++i) { // the end comes nearer
            std::this_thread::yield();
            own.restart();
            own.poll();
        }
        cancel.emit(asio::cancellation_type::terminal);
        own.restart();
        own.run();
        BOOST_TEST_REQUIRE(ended.has_value());
        BOOST_TEST((!*ended || *ended == asio::error::operation_aborted));
    }
    BOOST_TEST(told == rounds);
    asio::post(home, [&] { client.reset(); });
    runner.join();
}

BOOST_AUTO_TEST_SUITE_END()
