#include "unit/testing/methods.hpp"

#include <partyline/session.hpp>
#include <partyline/testing.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/test/unit_test.hpp>

#include <string>

using namespace kit;
using boost::system::system_error;
using partyline::errc;
using partyline::error_code;
using partyline::test::client;
using partyline::test::client_options;

BOOST_AUTO_TEST_SUITE(test_client_end, *boost::unit_test::timeout(30))

BOOST_AUTO_TEST_CASE(an_end_in_order_is_success_and_later_calls_fail)
{
    client c(methods());
    BOOST_TEST(c.call<int>("add", partyline::args(1, 2)) == 3);
    BOOST_TEST(c.end() == error_code());
    BOOST_TEST(c.end() == error_code());
    try {
        c.call<int>("add", partyline::args(1, 2));
        BOOST_ERROR("it has a result");
    } catch (const system_error& failed) {
        BOOST_TEST(failed.code() == make_error_code(errc::session_closed));
        BOOST_TEST(std::string(failed.what()).starts_with("\"add\" (the server has ended: in order)"));
    }
    BOOST_CHECK_THROW(c.notify("add", partyline::args(1, 2)), system_error);
}

BOOST_AUTO_TEST_CASE(handlers_in_flight_end_and_answer_at_the_end)
{
    client_options options;
    bool is_stopping = false;
    partyline::method_table table = methods();
    table.add("last", [&](request_context& context) -> boost::asio::awaitable<std::string> {
        co_await wait_for(context, 20ms);
        is_stopping = context.stopping();
        co_await context.notify("bye");
        co_return "done";
    });
    client c(std::move(table), std::move(options));
    auto last = c.start<std::string>("last");
    BOOST_TEST(c.end() == error_code());
    BOOST_TEST(last.get() == "done");
    BOOST_TEST(is_stopping);
    BOOST_TEST(c.notifications().size() == 1u);
}

BOOST_AUTO_TEST_CASE(handlers_that_take_too_long_at_the_end_are_cancelled)
{
    client_options options;
    options.server.drain_timeout = 20ms;
    client c(methods(), std::move(options));
    auto late = c.start<int>("never");
    BOOST_TEST(c.end() == make_error_code(errc::drain_timeout));
    BOOST_TEST(late.error().code == partyline::error_codes::request_cancelled);
}

BOOST_AUTO_TEST_CASE(an_end_that_does_not_come_is_no_hang)
{
    client c(methods());
    auto late = c.start<int>("never");
    c.run_until_idle();
    c.set_time_limit(30ms);
    BOOST_CHECK_THROW(c.end(), partyline::test::timed_out);
    late.cancel(); // is not heard any more
    BOOST_CHECK_THROW(late.get(), partyline::test::timed_out);
}

BOOST_AUTO_TEST_CASE(a_server_that_ends_by_itself_fails_the_calls)
{
    partyline::method_table table = methods();
    client c(std::move(table));
    auto late = c.start<int>("never");
    c.run_until_idle();
    c.server().stop();
    BOOST_TEST(late.error().code == partyline::error_codes::request_cancelled);
    BOOST_TEST(c.end() == boost::asio::error::operation_aborted);
}

BOOST_AUTO_TEST_CASE(destroying_a_client_cancels_what_is_in_flight)
{
    bool is_over = false;
    partyline::method_table table = methods();
    table.add("watched", [&](request_context& context) -> boost::asio::awaitable<void> {
        try {
            co_await wait_for(context, 1h);
        } catch (const system_error&) {
            is_over = context.cancelled();
        }
    });
    {
        client c(std::move(table));
        auto call = c.start<void>("watched");
        c.run_until_idle();
        BOOST_TEST(!is_over);
    }
    BOOST_TEST(is_over);
}

BOOST_AUTO_TEST_CASE(a_context_of_the_programs_own_is_run)
{
    boost::asio::io_context io;
    boost::asio::steady_timer gate(io, boost::asio::steady_timer::time_point::max());
    partyline::method_table table = methods();
    table.add("gate", [&]() -> boost::asio::awaitable<int> {
        boost::system::error_code opened;
        co_await gate.async_wait(boost::asio::redirect_error(boost::asio::use_awaitable, opened));
        co_return 1;
    });
    client_options options;
    options.context = &io;
    client c(std::move(table), std::move(options));
    auto call = c.start<int>("gate");
    c.run_until_idle();
    BOOST_TEST(!call.is_done());
    gate.cancel();
    BOOST_TEST(call.get() == 1);
}

BOOST_AUTO_TEST_CASE(methods_on_a_pool_are_waited_for)
{
    boost::asio::thread_pool pool(1);
    partyline::method_table table;
    partyline::method_options on_pool;
    on_pool.executor = pool.get_executor();
    table.add("add", [](int a, int b) { return a + b; }, std::move(on_pool));
    client c(std::move(table));
    BOOST_TEST(c.call<int>("add", partyline::args(1, 2)) == 3);
    pool.join();
}

BOOST_AUTO_TEST_SUITE_END()
