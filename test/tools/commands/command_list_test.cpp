#include "support/text_search.hpp"
#include "tools/refusal.hpp"

#include <boost/test/unit_test.hpp>

#include <tools/commands/command_list.hpp>

using partyline::test::contains;
using tools::command_list;
using tools::test::refusal_of;

BOOST_AUTO_TEST_SUITE(command_lists)

BOOST_AUTO_TEST_CASE(programs_are_looked_up_once)
{
    const command_list some({"sh", "cat"});
    BOOST_TEST(some.program("sh").starts_with("/"));
    BOOST_TEST(some.program("sh").ends_with("/sh"));
    BOOST_TEST(some.names() == "cat, sh");
    BOOST_TEST(!some.empty());
}

BOOST_AUTO_TEST_CASE(others_may_not_be_run)
{
    const command_list some({"sh", "cat"});
    for (const char* const name : {"ls", "", "SH", "sh ", "/bin/sh", "../sh", "sh -c x"})
        BOOST_TEST(contains(refusal_of([&] { some.program(name); }), "' may not be run, only cat, sh"), name);
    BOOST_TEST(contains(refusal_of([] { command_list().program("sh"); }), "started without --allow-command"));
}

BOOST_AUTO_TEST_CASE(what_is_not_there_can_not_be_allowed)
{
    BOOST_TEST(contains(refusal_of([] { command_list({"no-such-program"}); }),
                        "there is no program 'no-such-program' in PATH"));
    for (const char* const name : {"", "/bin/sh", "./x", ".."})
        BOOST_TEST(!refusal_of([&] { command_list({name}); }).empty(), name);
}

BOOST_AUTO_TEST_SUITE_END()
