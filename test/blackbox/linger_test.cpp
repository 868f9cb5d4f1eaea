// A server by run_stdio whose methods are made with the executor, where something else has to end as well.

#include "support/server_process.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

using partyline::test::server_process;

BOOST_AUTO_TEST_SUITE(stdio_linger, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(methods_are_made_with_the_executor_that_they_are_called_on)
{
    server_process server(PARTYLINE_LINGERING_SERVER, {});
    server.send_request("is_same_executor");
    server.expect_result("true");
    server.send_request("is_same_executor", '"' + std::string(1000, 'x') + '"');
    server.expect_error("1", -32600); // by the options that their maker has changed
}

BOOST_AUTO_TEST_CASE(what_else_works_there_ends_before_the_process)
{
    server_process server(PARTYLINE_LINGERING_SERVER, {});
    server.close_input();
    server.expect_end(0);
    BOOST_TEST(server.errors() == "good-bye\n");
}

BOOST_AUTO_TEST_CASE(what_takes_too_long_is_dropped)
{
    server_process server(PARTYLINE_LINGERING_SERVER, {"never"});
    server.close_input();
    server.expect_end(0);
    BOOST_TEST(server.errors() == "");
}

BOOST_AUTO_TEST_SUITE_END()
