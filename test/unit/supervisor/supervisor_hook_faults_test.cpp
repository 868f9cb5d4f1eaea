// Hooks that neither return nor throw: deaf ones, lost ones, and ones whose cancellation throws.

#include "support/supervised_fixture.hpp"

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <stdexcept>

using namespace std::chrono_literals;
namespace asio = boost::asio;
using partyline::caller;
using partyline::errc;
using partyline::error_code;
using partyline::supervisor_state;

namespace {

const error_code stopped_by_us = asio::error::operation_aborted;

asio::awaitable<void> wait_deafly(caller&)
{
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    asio::steady_timer timer(co_await asio::this_coro::executor, 1h);
    co_await timer.async_wait(asio::use_awaitable);
}

struct throws_when_cancelled {
    template <class Handler>
    void operator()(Handler handler, asio::steady_timer* timer) const
    {
        auto slot = asio::get_associated_cancellation_slot(handler);
        timer->async_wait([handler = std::move(handler)](error_code) mutable { std::move(handler)(); });
        slot.assign([](asio::cancellation_type) { throw std::runtime_error("no cancellation here"); });
    }
};

struct throws_at_once {
    template <class Handler>
    void operator()(Handler) const
    {
        throw std::runtime_error("no beginning here");
    }
};

asio::awaitable<void> wait_for_what_can_not_be_cancelled(caller&)
{
    asio::steady_timer timer(co_await asio::this_coro::executor, 1h);
    co_await asio::async_initiate<const asio::use_awaitable_t<>, void()>(throws_when_cancelled(), asio::use_awaitable,
                                                                         &timer);
}

// Asio destroys a coroutine that awaits such an operation, and lets what is thrown out of `io_context::run`.
asio::awaitable<void> get_lost(caller&)
{
    asio::steady_timer timer(co_await asio::this_coro::executor, 5ms);
    co_await timer.async_wait(asio::use_awaitable);
    co_await asio::async_initiate<const asio::use_awaitable_t<>, void()>(throws_at_once(), asio::use_awaitable);
}

struct fixture : partyline::test::supervised_fixture {
    fixture() { options.restart.max_starts = 1; }

    bool has_logged(const std::string& words) const
    {
        return std::any_of(log.begin(), log.end(), [&](const auto& line) { return line.find(words) != line.npos; });
    }
    void run_until_lost()
    {
        BOOST_CHECK_EXCEPTION(run_until([&] { return run_ended.has_value(); }), std::runtime_error,
                              [](const auto& thrown) { return thrown.what() == std::string("no beginning here"); });
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(supervisor_hook_faults, fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(without_a_grace_a_deaf_greeting_is_given_up_when_its_time_is_over)
{
    options.session.cancel_grace = 0s;
    options.start_timeout = 10ms;
    options.on_start = wait_deafly;
    run();
    BOOST_TEST(run_to_end() == error_code(errc::timeout));
}

BOOST_AUTO_TEST_CASE(without_a_grace_a_deaf_greeting_does_not_keep_one_that_is_stopped)
{
    options.session.cancel_grace = 0s;
    options.on_start = wait_deafly;
    run();
    run_until_state(supervisor_state::starting);
    server->stop();
    BOOST_TEST(run_to_end() == stopped_by_us);
}

BOOST_AUTO_TEST_CASE(without_a_grace_a_deaf_good_bye_is_given_up_when_its_time_is_over)
{
    options.session.cancel_grace = 0s;
    options.goodbye_timeout = 10ms;
    options.on_close = wait_deafly;
    run();
    run_until_state(supervisor_state::running);
    server->close();
    BOOST_TEST(run_to_end() == error_code());
}

BOOST_AUTO_TEST_CASE(a_greeting_whose_cancellation_throws_is_given_up_when_its_time_is_over)
{
    options.start_timeout = 10ms;
    options.on_start = wait_for_what_can_not_be_cancelled;
    run();
    BOOST_TEST(run_to_end() == error_code(errc::timeout));
    BOOST_TEST(has_logged("no cancellation here"));
}

BOOST_AUTO_TEST_CASE(a_greeting_whose_cancellation_throws_does_not_keep_one_that_is_stopped)
{
    options.start_timeout = 0s;
    options.on_start = wait_for_what_can_not_be_cancelled;
    run();
    run_until_state(supervisor_state::starting);
    server->stop();
    BOOST_TEST(run_to_end() == stopped_by_us);
    BOOST_TEST(has_logged("no cancellation here"));
    BOOST_TEST(!has_logged("can't go on"));
}

BOOST_AUTO_TEST_CASE(a_greeting_whose_coroutine_is_lost_fails_the_start)
{
    options.start_timeout = 0s;
    options.on_start = get_lost;
    run();
    run_until_lost();
    BOOST_TEST(run_to_end() == error_code(errc::start_failed));
    BOOST_TEST(server->status().last_words == "its coroutine was destroyed before it had ended");
}

BOOST_AUTO_TEST_CASE(a_good_bye_whose_coroutine_is_lost_does_not_keep_one_that_is_closed)
{
    options.goodbye_timeout = 0s;
    options.on_close = get_lost;
    run();
    run_until_state(supervisor_state::running);
    server->close();
    run_until_lost();
    BOOST_TEST(run_to_end() == error_code());
    BOOST_TEST(has_logged("its coroutine was destroyed before it had ended"));
}

BOOST_AUTO_TEST_SUITE_END()
