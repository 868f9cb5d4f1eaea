#include "bench/driver/tool_reply.hpp"

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

using namespace bench;
namespace json = boost::json;

namespace {

bool is_of_tool(const char* result)
{
    return is_like(json::parse(result), json::parse(R"({"text":"x"})"), likeness::of_tool);
}

bool lists_two(const char* result)
{
    return is_like(json::parse(result), 2, likeness::tools_listed);
}

} // namespace

BOOST_AUTO_TEST_SUITE(tool_replies)

BOOST_AUTO_TEST_CASE(what_a_tool_returns_may_be_told_as_text_and_as_a_structure)
{
    for (const char* right :
         {R"({"content":[{"type":"text","text":"x"}]})",
          R"({"content":[{"type":"text","text":"{\n \"text\": \"x\"}"}]})",
          R"({"content":[{"type":"text","text":"x"}],"structuredContent":{"text":"x"},"isError":false})",
          R"({"content":[{"type":"text","text":"x"}],"resultType":"complete","_meta":{}})"})
        BOOST_TEST(is_of_tool(right), right);
}

BOOST_AUTO_TEST_CASE(everything_else_is_not_what_the_tool_returns)
{
    for (const char* wrong :
         {R"("x")", R"({})", R"({"structuredContent":{"text":"x"}})", R"({"content":[]})", R"({"content":"x"})",
          R"({"content":["x"]})", R"({"content":[{"type":"image","text":"x"}]})",
          R"({"content":[{"type":"text","text":"y"}]})", R"({"content":[{"type":"text","text":1}]})",
          R"({"content":[{"type":"text","text":"x"}],"isError":true})",
          R"({"content":[{"type":"text","text":"x"}],"structuredContent":{"text":"y"}})",
          R"({"content":[{"type":"text","text":"x"},{"type":"text","text":"x"}]})"})
        BOOST_TEST(!is_of_tool(wrong), wrong);
}

BOOST_AUTO_TEST_CASE(a_list_of_tools_has_so_many_with_their_schemas)
{
    BOOST_TEST(lists_two(R"({"tools":[{"name":"a","inputSchema":{}},{"name":"b","inputSchema":{}}]})"));
    for (const char* wrong : {R"([])", R"({"tools":2})", R"({"tools":[{"name":"a","inputSchema":{}}]})",
                              R"({"tools":[{"name":"a","inputSchema":{}},{"name":"b"}]})",
                              R"({"tools":[{"name":"a","inputSchema":{}},7]})"})
        BOOST_TEST(!lists_two(wrong), wrong);
}

BOOST_AUTO_TEST_CASE(others_have_to_be_the_same)
{
    BOOST_TEST(is_like(json::parse(R"({"a":1,"b":2})"), json::parse(R"({"b":2,"a":1})"), likeness::same));
    BOOST_TEST(!is_like(json::parse(R"({"a":1})"), json::parse(R"({"a":2})"), likeness::same));
}

BOOST_AUTO_TEST_SUITE_END()
