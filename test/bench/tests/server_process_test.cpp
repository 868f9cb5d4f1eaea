#include "bench/driver/server_process.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string_view>

#include <poll.h>

using namespace bench;

BOOST_AUTO_TEST_SUITE(server_processes, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(the_time_of_those_that_a_child_has_started_counts_too)
{
    server_process server("sh -c '((i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; echo >&2; read word); :); :'",
                          transport::pipes);
    pollfd said{server.errors(), POLLIN, 0};
    BOOST_TEST_REQUIRE(::poll(&said, 1, 50'000) == 1);
    BOOST_TEST(server.cpu_time_of_all().count() > 5 * server.cpu_time().count());
    server.close_input();
    BOOST_TEST(server.ends_within(std::chrono::seconds(10)));
    BOOST_TEST(server.total_cpu_time().count() > 0);
}

BOOST_AUTO_TEST_SUITE_END()
