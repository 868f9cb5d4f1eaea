#include "refusal.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

#include <call/mcp_request.hpp>

using call::protocol_request;
using named = call::mcp_options::named;
using partyline::json_text;

namespace {

std::string made(named what, const char* name, const char* params)
{
    const call::request read = protocol_request(what, {name, json_text(params), "7"});
    BOOST_TEST(read.label == "7");
    return read.method + ' ' + read.params.text();
}

std::string refused_params(named what, const char* params)
{
    return call::test::refusal_of([&] { protocol_request(what, {"x", json_text(params), {}}); });
}

} // namespace

BOOST_AUTO_TEST_SUITE(mcp_requests)

BOOST_AUTO_TEST_CASE(a_tool_is_called_with_arguments)
{
    BOOST_TEST(made(named::tool, "add", R"({"a":1.0})") == R"(tools/call {"name":"add","arguments":{"a":1.0}})");
    BOOST_TEST(made(named::tool, "a\"b", "") == R"(tools/call {"name":"a\"b","arguments":{}})");
}

BOOST_AUTO_TEST_CASE(a_prompts_arguments_are_strings_as_they_were_written)
{
    BOOST_TEST(made(named::prompt, "p", R"( {"a":1.10,"b":"x\"","c":[1, 2],"d":true})") ==
               R"(prompts/get {"name":"p","arguments":{"a":"1.10","b":"x\"","c":"[1, 2]","d":"true"}})");
    BOOST_TEST(made(named::prompt, "p", "{}") == R"(prompts/get {"name":"p","arguments":{}})");
    BOOST_TEST(made(named::prompt, "p", "") == R"(prompts/get {"name":"p"})");
}

BOOST_AUTO_TEST_CASE(a_resource_is_named_and_a_method_is_as_it_is)
{
    BOOST_TEST(made(named::resource, "file:///a", "") == R"(resources/read {"uri":"file:///a"})");
    BOOST_TEST(made(named::method, "completion/complete", R"({"a":1})") == R"(completion/complete {"a":1})");
    BOOST_TEST(made(named::method, "ping", "") == "ping ");
}

BOOST_AUTO_TEST_CASE(params_that_are_no_object_are_refused)
{
    BOOST_TEST(refused_params(named::tool, "[1]") ==
               "the params of a tool have names: name=value ..., or a JSON object");
    BOOST_TEST(refused_params(named::prompt, "[]").starts_with("the params of a prompt have names"));
    BOOST_TEST(refused_params(named::method, " [1]").starts_with("the params of a method of MCP have names"));
    BOOST_TEST(refused_params(named::resource, "{}") == "a resource takes no params besides its URI");
}

BOOST_AUTO_TEST_SUITE_END()
