#include "support/mailbox.hpp"
#include "support/supervised_fixture.hpp"
#include "support/thread_crew.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <thread>

namespace asio = boost::asio;
using namespace std::chrono_literals;
using partyline::error_code;
using partyline::response;
using partyline::supervisor_state;

BOOST_AUTO_TEST_SUITE(supervisor_threads, *boost::unit_test::timeout(100))

// Three threads call, and cancel some of it, while the server dies again and again.
BOOST_AUTO_TEST_CASE(every_call_from_every_thread_is_settled_once)
{
    partyline::test::supervised_fixture setting;
    setting.options.on_change = nullptr;
    setting.options.session.log = [](std::string_view) {};
    setting.options.restart.max_starts = 0;
    constexpr int count = 300;
    std::atomic<int> told = 0;
    std::atomic<int> answered = 0;
    partyline::test::mailbox<error_code> ended;
    partyline::test::mailbox<int> all;
    partyline::test::thread_crew crew(3);
    {
        partyline::supervisor server(crew.context.get_executor(), setting.command("none", 0), setting.options);
        server.async_run([&](error_code result) { ended.put(result); });
        const auto take = [&](error_code failed, const response&) {
            answered += !failed;
            if (++told == 3 * count)
                all.put(1);
        };
        const auto call = [&](int number) {
            for (int i = 0; i < count; ++i) {
                const bool dies = number == 0 && i % 50 == 49;
                partyline::call_options how;
                how.timeout(i % 7 == 6 ? 1ms : 0ms);
                server.call(dies ? "die" : "echo", {i}, how)(take);
                server.status();
            }
        };
        std::thread other([&] { call(1); });
        std::thread third([&] { call(2); });
        call(0);
        other.join();
        third.join();
        all.take();
        BOOST_TEST(server.call<int>("starts", nullptr)(asio::use_future).get().value() > 1);
        server.close();
        BOOST_TEST(ended.take() == error_code());
    }
    BOOST_TEST(told == 3 * count);
    BOOST_TEST(answered > 0);
}

BOOST_AUTO_TEST_CASE(a_call_is_cancelled_from_its_own_thread_wherever_it_is)
{
    partyline::test::supervised_fixture setting;
    setting.options.on_change = nullptr;
    setting.options.session.log = [](std::string_view) {};
    setting.options.restart.max_starts = 0;
    partyline::test::mailbox<error_code> ended;
    partyline::test::mailbox<error_code> told;
    partyline::test::thread_crew crew(2);
    partyline::supervisor server(crew.context.get_executor(), setting.command("none", 0), setting.options);
    server.async_run([&](error_code result) { ended.put(result); });
    for (int i = 0; i < 100; ++i) {
        asio::cancellation_signal cancel;
        server.call(i % 20 == 10 ? "die" : "echo", nullptr)(
            asio::bind_cancellation_slot(cancel.slot(), [&](error_code failed, const response&) { told.put(failed); }));
        for (int spin = 0; spin < i * 100; ++spin)
            std::atomic_signal_fence(std::memory_order_seq_cst);
        cancel.emit(asio::cancellation_type::terminal);
        told.take();
    }
    server.stop();
    BOOST_TEST(ended.take() == error_code(asio::error::operation_aborted));
}

BOOST_AUTO_TEST_CASE(destroying_and_stopping_race_with_everything)
{
    partyline::test::supervised_fixture setting;
    setting.options.on_change = nullptr;
    setting.options.session.log = [](std::string_view) {};
    setting.options.restart.max_starts = 0;
    for (int round = 0; round < 20; ++round) {
        partyline::test::mailbox<error_code> ended;
        partyline::test::mailbox<error_code> told;
        partyline::test::thread_crew crew(2);
        {
            partyline::supervisor server(crew.context.get_executor(), setting.command("at each request", 1u << 30),
                                         setting.options);
            server.async_run([&](error_code result) { ended.put(result); });
            for (int i = 0; i < 10; ++i)
                server.call("echo", nullptr)([&](error_code failed, const response&) { told.put(failed); });
            if (round % 2 == 0)
                told.take();
            if (round % 3 == 0)
                server.close();
        }
        ended.take();
        for (int i = round % 2 == 0 ? 1 : 0; i < 10; ++i)
            told.take();
        crew.join();
    }
    BOOST_TEST(!partyline::test::has_children());
}

BOOST_AUTO_TEST_SUITE_END()
