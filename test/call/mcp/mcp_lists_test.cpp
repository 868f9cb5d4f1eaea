// What a server offers, and what it says of itself.

#include "mcp_program.hpp"
#include "support/text_search.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

using namespace call::test;
using namespace partyline::test;

BOOST_AUTO_TEST_SUITE(mcp_lists, *boost::unit_test::timeout(110))

BOOST_AUTO_TEST_CASE(all_pages_are_listed)
{
    for (const char* const era : {"legacy", "modern"}) {
        const outcome whole = run_call(with_fixture({"--list", "--era", era}));
        BOOST_TEST(whole.code == 0);
        BOOST_TEST(contains(whole.out, "\necho(message: string)"), whole.out);
        const outcome pages = run_call(with_fixture({"--list", "--era", era}, {"--page-size=3"}));
        BOOST_TEST(pages.out == whole.out);
    }
}

BOOST_AUTO_TEST_CASE(resources_templates_and_prompts_are_listed)
{
    BOOST_TEST(contains(run_call(with_fixture({"--list", "resources"})).out,
                        "test://static-text             Static text: Always the same text. (text/plain)\n"));
    BOOST_TEST(run_call(with_fixture({"--list", "templates"})).out ==
               "test://template/{id}/data  Data by id: What there is for an id. (application/json)\n"
               "skill://{+path}            skill file: A file of a skill\n");
    const outcome prompts = run_call(with_fixture({"--list", "prompts"}));
    BOOST_TEST(contains(prompts.out, "\ntest_prompt_with_arguments(arg1, arg2)  "), prompts.out);
}

BOOST_AUTO_TEST_CASE(json_is_the_list_as_the_server_has_it)
{
    const outcome run = run_call(with_fixture({"--list", "templates", "--json"}));
    BOOST_TEST(run.code == 0);
    BOOST_TEST(run.out == "[{\"name\":\"Data by id\",\"uriTemplate\":\"test://template/{id}/data\","
                          "\"description\":\"What there is for an id.\",\"mimeType\":\"application/json\"},"
                          "{\"name\":\"skill file\",\"uriTemplate\":\"skill://{+path}\","
                          "\"description\":\"A file of a skill\"}]\n");
}

BOOST_AUTO_TEST_CASE(what_a_server_has_not_is_said_and_not_asked_for)
{
    const outcome run = run_call(with_played({"--list", "prompts"}, "read -r line; printf '%s' \"$line\" >&2"));
    BOOST_TEST(run.code == 0);
    BOOST_TEST(run.out == "");
    BOOST_TEST(run.err == "partyline-call: the server says that it has no prompts\n");
}

BOOST_AUTO_TEST_CASE(a_list_that_is_none_and_one_that_is_refused)
{
    const outcome odd = run_call(with_played({"--list"}, R"(read -r line
        say '{"jsonrpc":"2.0","id":2,"result":{"tools":7}}'; read -r line)"));
    BOOST_TEST(odd.code == 3);
    BOOST_TEST(odd.out == "");
    BOOST_TEST(odd.err.starts_with("partyline-call: tools/list: the server's answer is not what the protocol has\n  "),
               odd.err);
    const outcome refused = run_call(with_played({"--list"}, R"(read -r line
        say '{"jsonrpc":"2.0","id":2,"error":{"code":-7,"message":"no"}}'; read -r line)"));
    BOOST_TEST(refused.code == 1);
    BOOST_TEST(refused.err == "partyline-call: tools/list: error -7: no\n");
}

BOOST_AUTO_TEST_CASE(a_server_says_who_it_is)
{
    const outcome legacy = run_call(with_played({"--info"}, "read -r line"));
    BOOST_TEST(legacy.code == 0);
    BOOST_TEST(legacy.out == "played 1\nrevision 2025-11-25\nhas tools\n");
    BOOST_TEST(contains(run_call(with_fixture({"--info"})).out, "\nrevision 2026-07-28\n"));
    BOOST_TEST(contains(run_call(with_fixture({"--info", "--json"})).out, "\"supportedVersions\":["));
}

BOOST_AUTO_TEST_SUITE_END()
