// What a server by run_stdio has logged is written before it gives up the signals that may end the process.

#include "support/descriptors.hpp"
#include "support/scratch_directory.hpp"
#include "support/server_process.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

using namespace partyline::test;

BOOST_AUTO_TEST_SUITE(last_lines, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(are_written_before_the_signals_are_given_up)
{
    const scratch_directory scratch;
    const std::string log = (scratch / "log").string();
    BOOST_TEST_REQUIRE(::mkfifo(log.c_str(), 0600) == 0);
    const unique_fd reader(checked(::open(log.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC), "open"));
    server_process server(PARTYLINE_LOGGING_SERVER, {log});
    server.close_input();
    server.expect_end(0);
    int written = 0;
    checked(::ioctl(reader.get(), FIONREAD, &written), "FIONREAD");
    BOOST_TEST(written == 100 * 1024);
}

BOOST_AUTO_TEST_SUITE_END()
