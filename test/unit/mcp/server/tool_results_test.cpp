// What handlers return and throw, and what clients of each revision get of it.

#include "unit/mcp/server/mcp_dialogue.hpp"

#include <boost/describe.hpp>
#include <boost/test/unit_test.hpp>

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace json = boost::json;
namespace mcp = partyline::mcp;
using namespace partyline::test;
using partyline::json_text;
using partyline::note;

namespace {

enum class color { red, green };
BOOST_DESCRIBE_ENUM(color, red, green)

struct point {
    int x = 0;
    std::optional<int> y;
};
BOOST_DESCRIBE_STRUCT(point, (), (x, y))

struct bounded {
    int limit = 1;
    color paint = color::red;
    static constexpr auto notes()
    {
        using me = bounded;
        return partyline::notes(note(&me::limit, "How many", partyline::range(1, 9)),
                                note(&me::paint, partyline::defaulted));
    }
};
BOOST_DESCRIBE_STRUCT(bounded, (), (limit, paint))

struct results_fixture : mcp_dialogue {
    results_fixture()
    {
        server.add_tool("nothing", "Returns nothing", [] {});
        server.add_tool("text", "Returns a text", [] { return "say \"so\""; });
        server.add_tool("point", "Returns a struct", [] { return point{4, {}}; });
        server.add_tool("map", "Returns a map", [] { return std::map<std::string, int>{{"a", 1}}; });
        server.add_tool("number", "Returns a number", [] { return 2.5; });
        server.add_tool("list", "Returns a list", [] { return std::vector<int>{1, 2}; });
        server.add_tool("enum", "Returns a name", [] { return color::green; });
        server.add_tool("value", "Returns a value", [] { return json::value(7); });
        server.add_tool("raw", "Returns text", [] { return json_text(R"({"a":1.0})"); });
        server.add_tool("bounded", "Takes a struct", [](bounded b) { return b.limit; });
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_tool_results, results_fixture, *boost::unit_test::timeout(30))

// rule: mcp.tools.structured_text
BOOST_AUTO_TEST_CASE(each_type_becomes_what_its_reader_wants)
{
    greet();
    struct row {
        const char* tool;
        const char* members;
    };
    const row rows[] = {
        {"nothing", R"("content":[])"},
        {"text", R"("content":[{"type":"text","text":"say \"so\""}])"},
        {"point", R"("content":[{"type":"text","text":"{\"x\":4}"}],"structuredContent":{"x":4})"},
        {"map", R"("content":[{"type":"text","text":"{\"a\":1}"}],"structuredContent":{"a":1})"},
        {"number", R"("content":[{"type":"text","text":"2.5"}],"structuredContent":{"result":2.5})"},
        {"list", R"("content":[{"type":"text","text":"[1,2]"}],"structuredContent":{"result":[1,2]})"},
        {"enum", R"("content":[{"type":"text","text":"green"}],"structuredContent":{"result":"green"})"},
        {"value", R"("content":[{"type":"text","text":"7"}],"structuredContent":{"result":7})"},
        {"raw", R"("content":[{"type":"text","text":"{\"a\":1.0}"}],"structuredContent":{"a":1.0})"},
    };
    for (const row& one : rows) {
        BOOST_TEST_CONTEXT(one.tool)
        {
            call("1", one.tool);
            expect(result("1", std::string("{") + one.members + "}"));
        }
    }
}

// Whatever type it has.
BOOST_AUTO_TEST_CASE(a_result_that_is_no_json_is_a_failure_without_a_part_of_it)
{
    server.add_tool("no_number", "Returns a number", [] { return std::numeric_limits<double>::quiet_NaN(); });
    server.add_tool("no_text", "Returns a map", [] { return std::map<std::string, std::string>{{"a", "\xFF"}}; });
    server.add_tool("no_value", "Returns a value", [] { return json::value("\xFF"); });
    server.add_tool("no_raw", "Returns text", [] { return json_text("{"); });
    server.add_tool("no_meta", "Returns content", [] {
        mcp::tool_result all;
        all.content.emplace_back("text");
        all.meta["a"] = "\xFF";
        return all;
    });
    begin();
    const std::string words = R"x("content":[{"type":"text","text":"Internal error (std::invalid_argument)"}])x";
    for (const char* tool : {"no_number", "no_text", "no_value", "no_raw", "no_meta"}) {
        call_modern("1", tool);
        expect(modern_result("1", words + R"(,"isError":true)"));
    }
}

BOOST_AUTO_TEST_CASE(a_structured_result_may_be_any_value_from_2026_on)
{
    begin();
    call_modern("1", "value");
    expect(modern_result("1", R"("content":[{"type":"text","text":"7"}],"structuredContent":7)"));
    call_modern("2", "text");
    expect(modern_text("2", "say \"so\""));
}

// rule: mcp.meta.reserved
BOOST_AUTO_TEST_CASE(what_a_tool_result_has_besides_its_content_fits_the_revision)
{
    server.add_tool("whole", "Returns all of it", [] {
        mcp::tool_result all;
        all.structured = json_text("[1]");
        all.meta = {{"io.modelcontextprotocol/serverInfo", "another"}, {"a", 1}};
        return all;
    });
    greet();
    call("1", "whole");
    expect(result("1", R"({"content":[],"structuredContent":{"result":[1]},)"
                       R"("_meta":{"io.modelcontextprotocol/serverInfo":"another","a":1}})"));
    call_modern("2", "whole");
    expect(result("2", R"({"content":[],"structuredContent":[1],"resultType":"complete","_meta":{"a":1,)"
                       R"("io.modelcontextprotocol/serverInfo":{"name":"unit","version":"1.0"}}})"));
}

// rule: mcp.operation.version
BOOST_AUTO_TEST_CASE(older_revisions_get_no_structured_result_and_no_schema_of_it)
{
    greet("2025-03-26");
    call("1", "point");
    expect(text_result("1", R"({"x":4})"));
    send(request("2", "tools/list"));
    const std::string listed = receive();
    BOOST_TEST(listed.find("outputSchema") == listed.npos);
}

// rule: mcp.tools.wrong_arguments
BOOST_AUTO_TEST_CASE(all_wrong_arguments_are_told_to_the_model)
{
    greet();
    call("1", "bounded", R"({"limit":0,"paint":"blue","size":1})");
    const std::string reply = receive();
    BOOST_TEST(reply.find("3 arguments do not fit") != reply.npos, reply);
    BOOST_TEST(reply.find(R"(\"limit\": expected integer from 1 to 9, got 0)") != reply.npos, reply);
    BOOST_TEST(reply.find(R"("isError":true)") != reply.npos, reply);
    call("2", "bounded", "{}");
    BOOST_TEST(receive().find("1 argument does not fit") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(before_2025_11_25_wrong_arguments_are_an_error_of_the_protocol)
{
    greet("2025-06-18");
    call("1", "bounded", R"({"limit":0})");
    BOOST_TEST(receive().find("-32602") != std::string::npos);
}

// rule: mcp.tools.failure, mcp.tools.protocol_error, mcp.tools.outputs
BOOST_AUTO_TEST_CASE(what_is_thrown_is_told_by_one_rule)
{
    server.add_tool("fails", "Fails", []() -> int { throw mcp::tool_error("try again"); });
    server.add_tool("refuses", "Refuses", []() -> int { throw partyline::rpc_error(7, "no"); });
    server.add_tool("breaks", "Breaks", []() -> int { throw std::out_of_range("secret"); });
    greet();
    call("1", "fails");
    expect(text_failure("1", "try again"));
    call("2", "refuses");
    expect(R"({"jsonrpc":"2.0","id":2,"error":{"code":7,"message":"no"}})");
    call("3", "breaks");
    expect(text_failure("3", "Internal error (std::out_of_range)"));
    BOOST_REQUIRE(logged.size() == 1u);
    BOOST_TEST(logged.front().find("secret") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(exceptions_are_told_where_they_may_be)
{
    options.expose_errors = true;
    server.add_tool("breaks", "Breaks", []() -> int { throw std::out_of_range("secret"); });
    greet();
    call("1", "breaks");
    expect(text_failure("1", "Internal error (std::out_of_range: secret)"));
}

// rule: mcp.operation.version, mcp.tools.image
BOOST_AUTO_TEST_CASE(content_of_later_revisions_is_a_text_in_earlier_ones)
{
    server.add_tool("mixed", "Returns content", [] {
        std::vector<mcp::content> all;
        all.emplace_back("first");
        all.emplace_back(mcp::audio_content{"abc", "audio/wav"});
        all.emplace_back(mcp::resource_link{"file:///a", "a"});
        return all;
    });
    greet("2024-11-05");
    call("1", "mixed");
    const std::string old = receive();
    BOOST_TEST(old.find("\"audio\"") == old.npos, old);
    BOOST_TEST(old.find("resource_link") == old.npos, old);
    BOOST_TEST(old.find("a: file:///a") != old.npos, old);
    call_modern("2", "mixed");
    expect(modern_result("2", R"("content":[{"type":"text","text":"first"},)"
                              R"({"type":"audio","data":"YWJj","mimeType":"audio/wav"},)"
                              R"({"type":"resource_link","uri":"file:///a","name":"a"}])"));
}

BOOST_AUTO_TEST_CASE(metadata_of_a_result_stands_beside_the_servers)
{
    server.add_tool("meta", "Has metadata", [] {
        mcp::tool_result made;
        made.content.emplace_back("x");
        made.meta["com.example/a"] = 1;
        return made;
    });
    begin();
    call_modern("1", "meta");
    expect(result("1", R"({"content":[{"type":"text","text":"x"}],"resultType":"complete","_meta":{"com.example/a":1,)"
                       R"("io.modelcontextprotocol/serverInfo":{"name":"unit","version":"1.0"}}})"));
}

BOOST_AUTO_TEST_CASE(arguments_that_are_null_or_absent_are_none)
{
    greet();
    send(request("1", "tools/call", R"({"name":"nothing"})"));
    expect(result("1", R"({"content":[]})"));
    call("2", "nothing", "null");
    expect(result("2", R"({"content":[]})"));
    call("3", "nothing", "[]");
    BOOST_TEST(receive().find("-32602") != std::string::npos);
}

// rule: mcp.tools.inputs
BOOST_AUTO_TEST_CASE(a_schema_written_by_hand_is_listed_as_it_stands_and_checked)
{
    const std::string schema =
        R"({"type": "object", "properties": {"n": {"type":"integer", "minimum": 1.0}}, "required":["n"]})";
    server.add_tool("raw_schema", "By hand", json_text(schema), [](json::object given) { return json::value(given); });
    greet();
    send(request("1", "tools/list"));
    const std::string listed = receive();
    BOOST_TEST(listed.find(schema) != listed.npos, listed);
    call("2", "raw_schema", R"({"n":0})");
    const std::string refused = receive();
    BOOST_TEST(refused.find("isError") != refused.npos, refused);
    BOOST_TEST(refused.find("/n") != refused.npos, refused);
    call("3", "raw_schema", R"({"n":3})");
    BOOST_TEST(receive().find(R"("structuredContent":{"n":3})") != std::string::npos);
}

// rule: mcp.schema.valid, mcp.schema.no_fetch, mcp.tools.schema, mcp.tools.name_others, mcp.tools.name_unique
// rule: mcp.resources.custom_scheme
BOOST_AUTO_TEST_CASE(what_makes_no_sense_is_refused_where_it_is_added)
{
    const auto nothing = [] {};
    BOOST_CHECK_THROW(server.add_tool("text", "Again", nothing), std::invalid_argument);
    BOOST_CHECK_THROW(server.add_tool("with space", "", nothing), std::invalid_argument);
    BOOST_CHECK_THROW(server.add_tool("", "", nothing), std::invalid_argument);
    BOOST_CHECK_THROW(server.add_tool("a", "", std::function<void()>()), std::invalid_argument);
    const auto raw = [](json::object) {};
    BOOST_CHECK_THROW(server.add_tool("b", "", json_text("{"), raw), std::invalid_argument);
    BOOST_CHECK_THROW(server.add_tool("c", "", json_text(R"({"type":"array"})"), raw), std::invalid_argument);
    BOOST_CHECK_THROW(server.add_tool("d", "", json_text(R"({"type":"object","$ref":"http://x/y"})"), raw),
                      std::invalid_argument);
    const auto sum = [](int a, int b) { return a + b; };
    BOOST_CHECK_THROW(server.add_tool("e", "", sum, {{"a", ""}}), std::invalid_argument);
    BOOST_CHECK_THROW(server.add_tool("f", "", sum, {{"a", ""}, {"a", ""}}), std::invalid_argument);
    BOOST_CHECK_THROW(server.add_tool("g", "", sum, {{"a", "\xff"}, {"b", ""}}), std::invalid_argument);
    BOOST_CHECK_THROW(mcp::server("\xff", "1"), std::invalid_argument);
    BOOST_CHECK_THROW(mcp::server("unit", "1", {.instructions = "\xff"}), std::invalid_argument);
    BOOST_CHECK_THROW(server.add_resource("readme", "a", "", [] { return ""; }), std::invalid_argument);
    BOOST_CHECK_THROW(server.complete("text", "a", [](std::string_view) { return std::vector<std::string>(); }),
                      std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
