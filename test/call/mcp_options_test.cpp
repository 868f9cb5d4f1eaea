// The options of --profile mcp.

#include "refusal.hpp"
#include "support/text_search.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <utility>
#include <vector>

#include <call/options.hpp>

using call::mcp_options;
using call::read_command_line;
using partyline::test::contains;
using words = std::vector<std::string>;

namespace {

call::options read_mcp(words given)
{
    given.insert(given.end(), {"--profile", "mcp", "--", "server"});
    return read_command_line(given);
}

} // namespace

BOOST_AUTO_TEST_SUITE(options_of_mcp)

BOOST_AUTO_TEST_CASE(a_method_is_a_tool_unless_an_option_says_what_it_is)
{
    using named = mcp_options::named;
    const call::options tool = read_mcp({"add", "a=1"});
    BOOST_TEST((tool.profile == call::server_profile::mcp && tool.what == call::options::action::call));
    BOOST_TEST((tool.mcp.what == named::tool && !tool.mcp.prints_json && !tool.framing));
    BOOST_TEST(tool.only.method == "add");
    BOOST_TEST(tool.only.params.text() == R"({"a":1})");
    BOOST_TEST((read_mcp({"--read", "file:///a"}).mcp.what == named::resource));
    BOOST_TEST((read_mcp({"--prompt", "greet", "name=Ada"}).mcp.what == named::prompt));
    BOOST_TEST((read_mcp({"--request", "ping"}).mcp.what == named::method));
}

BOOST_AUTO_TEST_CASE(what_is_listed_is_said_by_a_word)
{
    using listing = mcp_options::listing;
    BOOST_TEST((read_mcp({"--list"}).mcp.listed == listing::tools));
    BOOST_TEST((read_mcp({"--list", "tools"}).mcp.listed == listing::tools));
    BOOST_TEST((read_mcp({"--list", "resources"}).mcp.listed == listing::resources));
    BOOST_TEST((read_mcp({"templates", "--list"}).mcp.listed == listing::templates));
    BOOST_TEST((read_mcp({"--list", "prompts", "--json"}).mcp.listed == listing::prompts));
}

BOOST_AUTO_TEST_CASE(the_others)
{
    const mcp_options read = read_mcp({"x", "--json", "--era", "legacy", "--root", "a", "--root", "b", "--answer",
                                       "{\"a\":1}", "--log-level", "notice"})
                                 .mcp;
    BOOST_TEST(read.prints_json);
    BOOST_TEST((read.wanted_era == mcp_options::era::legacy));
    BOOST_TEST(read.roots == (words{"a", "b"}), boost::test_tools::per_element());
    BOOST_TEST(read.answer == "{\"a\":1}");
    BOOST_TEST(read.log_level == "notice");
    BOOST_TEST((read_mcp({"x"}).mcp.wanted_era == mcp_options::era::automatic));
    BOOST_TEST((read_mcp({"x", "--era", "modern"}).mcp.wanted_era == mcp_options::era::modern));
    BOOST_TEST(read_mcp({"x", "--answer", "decline"}).mcp.answer == "decline");
}

BOOST_AUTO_TEST_CASE(what_makes_no_sense_is_refused)
{
    const std::pair<words, const char*> rows[] = {
        {{}, "name a method"},
        {{"x", "1"}, "the params of a tool have names"},
        {{"--prompt", "x", "1"}, "the params of a prompt have names"},
        {{"--read", "uri", "a=1"}, "a resource takes no params"},
        {{"--read", "--prompt", "x"}, "--prompt and --read exclude each other"},
        {{"--list", "roots"}, "--list lists one of tools, resources, templates and prompts, not 'roots'"},
        {{"--list", "tools", "prompts"}, "not 'prompts'"},
        {{"--list", "--read"}, "--list and --read exclude each other"},
        {{"--info", "x"}, "unexpected argument 'x' beside --info"},
        {{"--info", "--list"}, "--info and --list exclude each other"},
        {{"x", "--notify"}, "--notify and --profile mcp exclude each other"},
        {{"--calls", "f", "--batch"}, "--batch and --profile mcp exclude each other"},
        {{"--calls", "f", "--json"}, "--json and --calls exclude each other"},
        {{"x", "--framing", "content-length"}, "--framing content-length and --profile mcp exclude each other"},
        {{"x", "--era", "old"}, "'--era' is 'old', expected auto, legacy or modern"},
        {{"x", "--answer", "{"}, "'--answer' is not JSON"},
        {{"x", "--answer", "[1]"}, "'--answer' is no JSON object, nor decline or cancel"},
        {{"x", "--log-level", "loud"}, "'--log-level' is 'loud'"},
    };
    for (const auto& [given, said] : rows) {
        const std::string refused = call::test::refusal_of([&] { read_mcp(given); });
        BOOST_TEST(contains(refused, said), "'" << refused << "' instead of '" << said << "'");
    }
}

BOOST_AUTO_TEST_CASE(they_go_with_no_other_profile)
{
    for (const words& given : {words{"x", "--json"}, words{"x", "--era", "auto"}, words{"--info"},
                               words{"x", "--profile", "lsp", "--read"}}) {
        words line = given;
        line.insert(line.end(), {"--", "s"});
        const std::string refused = call::test::refusal_of([&] { read_command_line(line); });
        BOOST_TEST(contains(refused, " goes with --profile mcp"), refused);
    }
}

BOOST_AUTO_TEST_SUITE_END()
