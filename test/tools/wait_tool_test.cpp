#include "heard_progress.hpp"
#include "run_task.hpp"

#include <boost/system/system_error.hpp>
#include <boost/test/unit_test.hpp>

#include <tools/wait_tool.hpp>

using tools::wait_result;
using tools::wait_tool;
using tools::test::heard_progress;
using tools::test::running_task;

BOOST_AUTO_TEST_SUITE(waits, *boost::unit_test::timeout(30))

BOOST_AUTO_TEST_CASE(it_waits_and_tells_every_second)
{
    heard_progress progress;
    BOOST_TEST(tools::test::run_task(wait_tool({1.2}, progress)).seconds >= 1.2);
    BOOST_TEST_REQUIRE(progress.heard.size() == 2u);
    BOOST_TEST(progress.heard[0].done == 1);
    BOOST_TEST(progress.heard[1].done >= 1.2);
    BOOST_TEST(progress.heard[1].total.value() == 1.2);
}

BOOST_AUTO_TEST_CASE(nothing_takes_no_time)
{
    heard_progress progress;
    BOOST_TEST(tools::test::run_task(wait_tool({0}, progress)).seconds < 1);
    BOOST_TEST(progress.heard.size() == 0u);
}

BOOST_AUTO_TEST_CASE(a_cancel_ends_it)
{
    heard_progress progress;
    running_task<wait_result> running(wait_tool({3600}, progress));
    running.context.poll();
    running.cancel();
    BOOST_CHECK_THROW(running.result(), boost::system::system_error);
}

BOOST_AUTO_TEST_SUITE_END()
