// What a server offers, in lines.

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

#include <call/mcp/listing.hpp>

namespace mcp = partyline::mcp;
using call::list_lines;

namespace {

mcp::tool_info tool(std::string name, std::string description, const char* schema)
{
    mcp::tool_info made;
    made.name = std::move(name);
    made.description = std::move(description);
    made.input_schema = boost::json::parse(schema).as_object();
    return made;
}

} // namespace

BOOST_AUTO_TEST_SUITE(listings)

BOOST_AUTO_TEST_CASE(a_tool_has_its_arguments_and_the_first_line_of_its_text)
{
    const std::vector<mcp::tool_info> tools{
        tool("add", "Adds.\nAt length.",
             R"({"properties":{"a":{"type":"integer"},"b":{"type":"number","default":1.5}},"required":["a"]})"),
        tool("x\x1b[2J", "\x1b[2J", R"({"properties":7,"required":{}})")};
    BOOST_TEST(list_lines(tools) == "add(a: integer, b?: number = 1.5)  Adds.\n"
                                    "x\\u001b[2J()                       \\u001b[2J\n");
    BOOST_TEST(list_lines(std::vector<mcp::tool_info>()) == "");
}

BOOST_AUTO_TEST_CASE(resources_templates_and_prompts)
{
    mcp::resource_info resource;
    resource.uri = "a:b";
    resource.name = "n";
    resource.description = "D";
    resource.mime_type = "x/y";
    BOOST_TEST(list_lines(std::vector{resource}) == "a:b  n: D (x/y)\n");
    mcp::resource_template_info of;
    of.uri_template = "a:{b}";
    of.title = "T";
    of.name = "n";
    BOOST_TEST(list_lines(std::vector{of}) == "a:{b}  T\n");
    mcp::prompt_info prompt;
    prompt.name = "greet";
    prompt.title = "Greets";
    prompt.arguments = {{{"who", {}, {}}, true}, {{"how", {}, {}}, false}};
    BOOST_TEST(list_lines(std::vector{prompt}) == "greet(who, how?)  Greets\n");
}

BOOST_AUTO_TEST_CASE(a_server_is_told_of_in_lines)
{
    mcp::server_info server;
    server.info.name = "s";
    server.info.version = "1";
    server.info.title = "A server";
    server.revision = mcp::revision::v2025_06_18;
    server.capabilities = boost::json::parse(R"({"tools":{},"logging":{}})").as_object();
    server.instructions = "Use it\nwell\x1b";
    BOOST_TEST(call::info_lines(server) ==
               "s 1: A server\nrevision 2025-06-18\nhas tools, logging\nUse it\nwell\\u001b\n");
}

BOOST_AUTO_TEST_SUITE_END()
