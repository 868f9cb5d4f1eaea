// A program that was built without MCP.

#include "call_program.hpp"
#include "support/text_search.hpp"

#include <boost/test/unit_test.hpp>

using namespace call::test;

BOOST_AUTO_TEST_SUITE(mcp_missing, *boost::unit_test::timeout(110))

BOOST_AUTO_TEST_CASE(the_profile_says_that_it_is_not_there)
{
    const outcome run = run_call(with_echo({"x", "--profile", "mcp"}));
    BOOST_TEST(run.code == 2);
    BOOST_TEST(partyline::test::contains(run.err, "this program was built without MCP"), run.err);
}

BOOST_AUTO_TEST_SUITE_END()
