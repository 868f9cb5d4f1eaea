// Hooks that neither return nor throw.

#include "support/supervised_play.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

using namespace std::chrono_literals;
namespace asio = boost::asio;
using partyline::caller;
using partyline::errc;
using partyline::error_code;
using partyline::supervisor_state;

namespace {

const error_code aborted = asio::error::operation_aborted;

asio::awaitable<void> wait_deafly(caller&)
{
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    asio::steady_timer timer(co_await asio::this_coro::executor, 1h);
    co_await timer.async_wait(asio::use_awaitable);
}

struct fixture : partyline::test::supervised_play {
    fixture() { options.restart.max_starts = 1; }
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
    BOOST_TEST(run_to_end() == aborted);
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

BOOST_AUTO_TEST_SUITE_END()
