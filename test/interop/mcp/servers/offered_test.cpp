// What a foreign server offers, as our client gets it.

#include "driven_server.hpp"
#include "support/text_search.hpp"
#include "unit/mcp/client/begun.hpp"

#include <partyline/mcp/tool_error.hpp>

#include <boost/describe/class.hpp>
#include <boost/system/system_error.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>

namespace json = boost::json;
using namespace partyline;
using namespace partyline::test;

namespace {

struct two_numbers {
    double a = 2;
    double b = 40;
};
BOOST_DESCRIBE_STRUCT(two_numbers, (), (a, b))

struct with_offers {
    driven_server& server = driven_server::shared();
    mcp::client& client = server.client();
    const server_facts& facts = server.facts;

    template <class T>
    std::size_t count_pages()
    {
        std::size_t pages = 0;
        std::optional<std::string> cursor;
        do {
            cursor = server.run(client.list<T>(cursor)).next_cursor;
            ++pages;
        } while (cursor && pages < 100);
        return pages;
    }
    void check_unknown_method()
    {
        const bool is_by_status = server.is_remote() && facts.refuses_methods_by_status;
        try {
            BOOST_TEST(server.error_of(client.request("no/such/method")) == -32601);
            BOOST_TEST(!is_by_status);
        } catch (const boost::system::system_error& refused) {
            BOOST_TEST((is_by_status && refused.code() == errc::http_status));
        }
    }
};

template <class T, class Owner>
bool has(const std::vector<T>& all, std::string Owner::* member, const std::string& value)
{
    return std::any_of(all.begin(), all.end(), [&](const T& each) { return each.*member == value; });
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(offered, with_offers, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(it_says_who_it_is)
{
    BOOST_TEST(client.server().info.name == facts.name);
    BOOST_TEST(client.server().capabilities.contains("tools"));
    server.run(client.ping());
}

BOOST_AUTO_TEST_CASE(all_pages_of_its_lists_come)
{
    BOOST_TEST(count_pages<mcp::tool_info>() == facts.pages);
    const auto tools = server.run(client.tools());
    for (const tool_use& use : {facts.text, facts.structured, facts.progress, facts.elicit, facts.sample, facts.roots})
        BOOST_TEST(has(tools, &mcp::tool_info::name, use.tool), use.tool);
    const auto named = [&](const mcp::tool_info& each) { return each.name == facts.structured.tool; };
    const auto structured = std::find_if(tools.begin(), tools.end(), named);
    BOOST_TEST_REQUIRE((structured != tools.end()));
    BOOST_TEST(structured->output_schema.has_value());
    BOOST_TEST(structured->input_schema.at("type") == "object");
    BOOST_TEST(has(server.run(client.resources()), &mcp::resource_info::uri, facts.resource));
    BOOST_TEST(has(server.run(client.templates()), &mcp::resource_template_info::uri_template, facts.uri_template));
    BOOST_TEST(has(server.run(client.prompts()), &mcp::prompt_info::name, facts.prompt));
}

BOOST_AUTO_TEST_CASE(tools_are_called_with_typed_arguments)
{
    BOOST_TEST(contains(server.call(facts.text).text(), facts.text.text));
    const mcp::tool_answer sum = server.run(client.call_tool(facts.sum.tool, two_numbers()));
    BOOST_TEST(!sum.is_error);
    BOOST_TEST(contains(sum.text(), facts.sum.text));
}

BOOST_AUTO_TEST_CASE(structured_results_are_typed)
{
    const mcp::tool_answer answer = server.call(facts.structured);
    BOOST_TEST_REQUIRE(answer.structured.has_value());
    BOOST_TEST((answer.as<figures>() == facts.result));
}

BOOST_AUTO_TEST_CASE(many_calls_are_under_way_at_a_time)
{
    std::vector<begun<mcp::tool_answer>> calls(100);
    for (int i = 0; i != 100; ++i)
        client.call_tool(facts.sum.tool, two_numbers{double(i), 1000})(calls[i].token());
    for (int i = 0; i != 100; ++i) {
        server.run_until([&] { return calls[i].has_ended(); });
        BOOST_TEST_REQUIRE(!calls[i].failed());
        BOOST_TEST(contains(calls[i].outcome().value().text(), std::to_string(1000 + i)));
    }
}

BOOST_AUTO_TEST_CASE(what_is_wrong_with_a_call_is_told_to_the_model)
{
    for (const tool_use& use : {facts.misfit, facts.failing}) {
        const mcp::tool_answer answer = server.call(use);
        BOOST_TEST(answer.is_error);
        BOOST_TEST(contains(answer.text(), use.text));
        BOOST_CHECK_THROW(answer.as<std::string>(), mcp::tool_error);
    }
}

BOOST_AUTO_TEST_CASE(what_is_not_there_is_an_error)
{
    if (facts.unknown_tool)
        BOOST_TEST(server.error_of(client.call_tool("no_such_tool")) == *facts.unknown_tool);
    else
        BOOST_TEST(server.run(client.call_tool("no_such_tool")).is_error);
    check_unknown_method();
    BOOST_TEST(server.error_of(client.read_resource("test://nothing")) == -32602);
    BOOST_TEST(server.error_of(client.get_prompt("no_such_prompt")) == facts.unknown_prompt);
}

BOOST_AUTO_TEST_CASE(resources_are_read)
{
    const mcp::resource_answer read = server.run(client.read_resource(facts.resource));
    BOOST_TEST(contains(read.text(), facts.resource_text));
    BOOST_TEST(read.parts.at(0).uri == facts.resource);
    BOOST_TEST(!read.parts.at(0).is_binary);
    BOOST_TEST(contains(server.run(client.read_resource(facts.template_uri)).text(), facts.template_text));
}

BOOST_AUTO_TEST_CASE(prompts_are_filled_in)
{
    json::object arguments;
    for (const auto& [name, value] : facts.prompt_arguments)
        arguments[name] = value;
    const mcp::prompt_answer prompt = server.run(client.get_prompt(facts.prompt, arguments));
    BOOST_TEST_REQUIRE(prompt.messages.size() == 1u);
    BOOST_TEST(prompt.messages[0].text() == facts.prompt_text);
}

BOOST_AUTO_TEST_CASE(arguments_are_completed)
{
    const mcp::completion_answer found =
        server.run(client.complete(facts.completed, facts.completed_argument, facts.begun));
    BOOST_TEST(found.values == facts.completions, boost::test_tools::per_element());
    BOOST_TEST(!found.has_more);
}

BOOST_AUTO_TEST_SUITE_END()
