// What is listed: all of it, in order, whole, page by page.

#include "mcp/contained.hpp"
#include "mcp/fixture_server.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <set>

namespace json = boost::json;
using namespace partyline::test;
using partyline::mcp::revision;

namespace {

struct list {
    std::string_view method;
    std::string_view member;
    std::string_view key;
    std::string_view first;
    std::size_t count;
};

const list kinds[] = {
    {"tools/list", "tools", "name", "test_simple_text", 39},
    {"resources/list", "resources", "uri", "test://static-text", 6},
    {"resources/templates/list", "resourceTemplates", "uriTemplate", "test://template/{id}/data", 2},
    {"prompts/list", "prompts", "name", "test_simple_prompt", 5},
};

json::array read_list(fixture_server& s, const list& of, revision r)
{
    s.request("1", r, of.method);
    const json::object result = s.read_result("1");
    BOOST_TEST(!result.contains("nextCursor"));
    if (r == modern)
        BOOST_TEST(
            difference(json::parse(R"({"resultType":"complete","ttlMs":300000,"cacheScope":"public"})"), result) == "");
    return result.at(of.member).as_array();
}

json::object entry_of(const json::array& all, std::string_view name)
{
    for (const json::value& one : all)
        if (one.at("name").as_string() == name)
            return one.as_object();
    BOOST_FAIL("there is no " << name);
    return {};
}

} // namespace

BOOST_AUTO_TEST_SUITE(lists, *boost::unit_test::timeout(100))

// rule: mcp.list.varies, mcp.list.order, mcp.tools.list, mcp.tools.name_unique, mcp.resources.list, mcp.prompts.list
// rule: mcp.cache.hints, mcp.cache.ttl
BOOST_AUTO_TEST_CASE(everything_is_listed_with_what_it_is_for)
{
    for (const revision r : all_revisions) {
        fixture_server s(r);
        for (const list& of : kinds) {
            const json::array all = read_list(s, of, r);
            BOOST_TEST(all.size() == of.count, of.method);
            BOOST_TEST(all.front().at(of.key).as_string() == of.first);
            std::set<std::string> names;
            for (const json::value& one : all) {
                BOOST_TEST(!one.at("description").as_string().empty(), json::serialize(one));
                names.emplace(one.at(of.key).as_string());
            }
            BOOST_TEST(names.size() == all.size());
            BOOST_TEST((read_list(s, of, r) == all));
        }
        s.finish();
    }
}

// rule: mcp.tools.schema
BOOST_AUTO_TEST_CASE(a_tool_without_arguments_says_so)
{
    fixture_server s;
    const json::array tools = read_list(s, kinds[0], modern);
    for (const json::value& one : tools)
        BOOST_TEST((one.at("inputSchema").at("type") == "object"));
    BOOST_TEST((entry_of(tools, "test_simple_text").at("inputSchema") ==
                json::parse(R"({"type":"object","properties":{},"additionalProperties":false})")));
    BOOST_TEST((entry_of(tools, "test_sampling").at("inputSchema") ==
                json::parse(R"({"type":"object","properties":{"prompt":{"type":"string",
                    "description":"What the model is told"}},"required":["prompt"],"additionalProperties":false})")));
    s.finish();
}

BOOST_AUTO_TEST_CASE(a_schema_written_by_hand_is_listed_as_it_stands)
{
    const json::value written = json::parse(R"({
        "$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",
        "$defs":{"address":{"$anchor":"addressDef","type":"object",
                            "properties":{"street":{"type":"string"},"city":{"type":"string"}}}},
        "properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"},
                      "contactMethod":{"type":"string","enum":["phone","email"]},
                      "phone":{"type":"string"},"email":{"type":"string"}},
        "allOf":[{"anyOf":[{"required":["phone"]},{"required":["email"]}]}],
        "if":{"properties":{"contactMethod":{"const":"phone"}},"required":["contactMethod"]},
        "then":{"required":["phone"]},"else":{"required":["email"]},"additionalProperties":false})");
    for (const revision r : all_revisions) {
        fixture_server s(r);
        const json::array tools = read_list(s, kinds[0], r);
        BOOST_TEST((entry_of(tools, "json_schema_2020_12_tool").at("inputSchema") == written));
        const json::object header = entry_of(tools, "test_x_mcp_header");
        BOOST_TEST((header.at("inputSchema").at("properties").at("region").at("x-mcp-header") == "Region"));
        s.finish();
    }
}

// rule: mcp.prompts.list
BOOST_AUTO_TEST_CASE(prompts_say_their_arguments)
{
    fixture_server s;
    const json::array prompts = read_list(s, kinds[3], modern);
    BOOST_TEST((entry_of(prompts, "test_prompt_with_arguments").at("arguments") ==
                json::parse(R"([{"name":"arg1","description":"First test argument","required":true},
                                {"name":"arg2","description":"Second test argument","required":true}])")));
    BOOST_TEST(
        (entry_of(prompts, "test_prompt_with_embedded_resource").at("arguments") ==
         json::parse(R"([{"name":"resourceUri","description":"URI of the resource to embed","required":true}])")));
    s.finish();
}

// rule: mcp.list.order, mcp.cache.pages
BOOST_AUTO_TEST_CASE(pages_together_are_the_list)
{
    for (const revision r : {legacy, modern}) {
        fixture_server whole(r);
        fixture_server paged(r, {"--page-size=4"});
        const json::array all = read_list(whole, kinds[0], r);
        json::array together;
        std::string params = "{}";
        for (bool has_more = true; has_more;) {
            paged.request("1", r, "tools/list", params);
            const json::object page = paged.read_result("1");
            const json::array& tools = page.at("tools").as_array();
            BOOST_TEST(tools.size() <= 4u);
            if (r == modern)
                BOOST_TEST(difference(json::parse(R"({"ttlMs":300000,"cacheScope":"public"})"), page) == "");
            together.insert(together.end(), tools.begin(), tools.end());
            has_more = page.contains("nextCursor");
            if (has_more)
                params = R"({"cursor":)" + json::serialize(page.at("nextCursor")) + '}';
        }
        BOOST_TEST((together == all));
    }
}

// rule: mcp.pages.graceful, mcp.pages.wrong
BOOST_AUTO_TEST_CASE(a_cursor_is_of_its_own_list)
{
    fixture_server s(modern, {"--page-size=2"});
    s.request("1", modern, "tools/list");
    const std::string cursor = json::serialize(s.read_result("1").at("nextCursor"));
    s.request("1", modern, "prompts/list", R"({"cursor":)" + cursor + '}');
    s.read_error("1", -32602);
    s.finish();
}

BOOST_AUTO_TEST_SUITE_END()
