// A server by run_stdio that authenticates the user who runs it.

#include "support/server_process.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

#include <unistd.h>

using partyline::test::server_process;

BOOST_AUTO_TEST_SUITE(stdio_access, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(the_user_who_runs_the_process_is_the_peer)
{
    server_process server(PARTYLINE_AUTHENTICATING_SERVER, {});
    server.send_request("who");
    server.expect_result("\"the owner\"");
    server.close_input();
    server.expect_end(0);
    BOOST_TEST(server.errors() == "");
}

BOOST_AUTO_TEST_CASE(for_another_user_it_does_not_start)
{
    server_process server(PARTYLINE_AUTHENTICATING_SERVER, {"stranger"});
    server.expect_end(2);
    BOOST_TEST(server.errors() == "the user " + std::to_string(::getuid()) +
                                      " who runs this program is not admitted: it has shown no credentials\n");
}

BOOST_AUTO_TEST_CASE(other_rights_hold_while_it_runs)
{
    server_process server(PARTYLINE_AUTHENTICATING_SERVER, {});
    std::string line;
    do {
        server.send_request("restrict");
        line = server.read_line();
    } while (line.find("\"result\":null") != line.npos);
    BOOST_TEST(line.find("-32601") != line.npos, line);
    server.close_input();
    server.expect_end(0);
}

BOOST_AUTO_TEST_CASE(it_ends_with_the_access_of_its_user)
{
    server_process server(PARTYLINE_AUTHENTICATING_SERVER, {});
    server.send_request("end");
    server.expect_result("null");
    server.expect_end(3);
    BOOST_TEST(server.errors() ==
               "partyline: the session ended: the credentials of the peer have expired or were taken away\n");
}

BOOST_AUTO_TEST_SUITE_END()
