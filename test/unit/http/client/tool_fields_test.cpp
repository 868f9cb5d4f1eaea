#include "http/client/tool_fields.hpp"
#include "support/mebibyte.hpp"
#include "support/sanitized.hpp"

#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <string>

#include <sys/resource.h>

using partyline::json_text;
using partyline::json_view;
using partyline::limits;
using partyline::message_reader;
using partyline::http::tool_fields;

namespace {

// "Region=eu; Tenant=7" for a call of "tool" with these arguments, when its schema has these properties.
std::string fields(const std::string& properties, const std::string& arguments)
{
    tool_fields known;
    const std::string list =
        R"({"tools":[{"name":"tool","inputSchema":{"type":"object","properties":)" + properties + "}}]}";
    known.note_list(json_view::checked(list));
    message_reader reader{limits()};
    const std::string call =
        R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"tool","arguments":)" + arguments + "}}";
    reader.read(call);
    std::string all;
    for (const auto& one : known.fields_for("tool", reader)) {
        BOOST_TEST(one.name.starts_with("Mcp-Param-"));
        all += (all.empty() ? "" : "; ") + one.name.substr(10) + '=' + one.value;
    }
    return all;
}

// So many properties, each with a mark.
std::string marked(int count)
{
    std::string all;
    for (int i = 0; i != count; ++i) {
        const std::string name = "a" + std::to_string(i);
        all += (i == 0 ? "\"" : ",\"") + name + R"(":{"type":"string","x-mcp-header":")" + name + "\"}";
    }
    return '{' + all + '}';
}

std::size_t peak_of_memory()
{
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    return static_cast<std::size_t>(used.ru_maxrss) * 1024;
}

const std::string region = R"({"region":{"type":"string","x-mcp-header":"Region"}})";

} // namespace

BOOST_AUTO_TEST_SUITE(http_tool_fields)

BOOST_AUTO_TEST_CASE(repeat_the_arguments_that_are_marked)
{
    BOOST_TEST(fields(region, R"({"region":"eu"})") == "Region=eu");
    BOOST_TEST(fields(region, R"({"other":"eu"})").empty());
    BOOST_TEST(fields(region, R"({"region":null})").empty());
    BOOST_TEST(fields(region, R"({"region":""})") == "Region=");
    BOOST_TEST(fields(region, R"({"region":" \u00fc"})") == "Region==?base64?IMO8?=");
    BOOST_TEST(fields(R"({"n":{"type":"integer","x-mcp-header":"N"},"b":{"type":"boolean","x-mcp-header":"Method"}})",
                      R"({"n":-7,"b":true})") == "N=-7; Method=true");
    BOOST_TEST(fields(R"({"a":{"type":"object","properties":{"b":{"type":"string","x-mcp-header":"B"}}}})",
                      R"({"a":{"b":"deep"}})") == "B=deep");
}

BOOST_AUTO_TEST_CASE(take_tools_out_of_their_list_that_are_marked_wrongly)
{
    tool_fields known;
    const std::string right = R"({"name":"right","inputSchema":{"type":"object","properties":)" + region + "}}";
    const std::string wrong =
        R"({"name":"wrong","inputSchema":{"properties":{"x":{"type":"number","x-mcp-header":"X"}}}})";
    const std::string all = R"({"tools":[)" + wrong + ',' + right + R"(],"nextCursor":"more"})";
    const auto usable = known.note_list(json_view::checked(all));
    BOOST_REQUIRE(usable.has_value());
    BOOST_TEST(boost::json::serialize(*usable) == R"({"tools":[)" + right + R"(],"nextCursor":"more"})");
    const std::string fine = R"({"tools":[)" + right + "]}";
    BOOST_TEST(!known.note_list(json_view::checked(fine)).has_value());
    const std::string odd = R"({"tools":[7,{"inputSchema":[]},{"name":"x-mcp-header"}]})";
    BOOST_TEST(!known.note_list(json_view::checked(odd)).has_value());
}

BOOST_AUTO_TEST_CASE(are_forgotten_where_another_list_begins_and_are_never_too_many)
{
    tool_fields known;
    message_reader reader{limits()};
    const auto remembers = [&](const std::string& tool) {
        const std::string call = R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")" + tool +
                                 R"(","arguments":{"region":"eu"}}})";
        reader.read(call);
        return !known.fields_for(tool, reader).empty();
    };
    const auto note = [&](int number) {
        const std::string list = R"({"tools":[{"name":")" + std::to_string(number) +
                                 R"(","inputSchema":{"type":"object","properties":)" + region + "}}]}";
        known.note_list(json_view::checked(list));
    };
    for (int i = 0; i != 100'000; ++i)
        note(i);
    BOOST_TEST(remembers("0"));
    BOOST_TEST(!remembers("99999"));
    known.clear();
    BOOST_TEST(!remembers("0"));
    note(99'999);
    BOOST_TEST(remembers("99999"));
}

// 600 KiB, which took 1.5 GiB: a copy of the long name for each mark.
// rule: security.memory.client
BOOST_AUTO_TEST_CASE(take_memory_in_proportion_to_their_list_however_marks_are_nested)
{
    const std::string name(300 * 1024, 'n');
    const std::string nested = "{\"" + name + R"(":{"type":"object","properties":)" + marked(6000) + "}}";
    const std::size_t before = peak_of_memory();
    BOOST_TEST(fields(nested, "{}").empty());
    const std::size_t taken = peak_of_memory() - before;
    BOOST_TEST_MESSAGE("took " << taken / 1024 << " KiB");
    if (!partyline::test::is_sanitized)
        BOOST_TEST(taken < 64 * partyline::test::mebibyte);
}

// A client that keeps the first page of a list asks for the others again and again.
BOOST_AUTO_TEST_CASE(are_counted_once_however_often_their_tool_is_listed)
{
    tool_fields known;
    const std::string list =
        R"({"tools":[{"name":"tool","inputSchema":{"properties":{"region":{"type":"string","x-mcp-header":")" +
        std::string(1000, 'R') + R"("}}}}]})";
    for (int i = 0; i != 1200; ++i)
        known.note_list(json_view::checked(list));
    message_reader reader{limits()};
    reader.read(
        R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"tool","arguments":{"region":"eu"}}})");
    BOOST_TEST(known.fields_for("tool", reader).size() == 1u);
}

// rule: security.memory.client
BOOST_AUTO_TEST_CASE(are_so_many_that_a_request_has_room_for_them)
{
    const auto is_usable = [](int count) {
        tool_fields known;
        const std::string list = R"({"tools":[{"name":"tool","inputSchema":{"properties":)" + marked(count) + "}}]}";
        return !known.note_list(json_view::checked(list)).has_value();
    };
    BOOST_TEST(is_usable(tool_fields::max_fields));
    BOOST_TEST(!is_usable(tool_fields::max_fields + 1));
    const auto below = [](int levels) {
        std::string properties = region;
        std::string arguments = R"({"region":"eu"})";
        for (int i = 1; i != levels; ++i) {
            properties = R"({"in":{"properties":)" + properties + "}}";
            arguments = R"({"in":)" + arguments + '}';
        }
        return fields(properties, arguments);
    };
    BOOST_TEST(below(32) == "Region=eu");
    BOOST_TEST(below(33).empty());
}

BOOST_AUTO_TEST_CASE(leave_tools_alone_that_are_marked_wrongly)
{
    BOOST_TEST(fields(R"({"x":{"type":"number","x-mcp-header":"X"}})", R"({"x":1.5})").empty());
    BOOST_TEST(fields(R"({"x":{"type":"string","x-mcp-header":"a b"}})", R"({"x":"1"})").empty());
    BOOST_TEST(fields(R"({"x":{"type":"string","x-mcp-header":""}})", R"({"x":"1"})").empty());
    BOOST_TEST(fields(R"({"x":{"type":"string","x-mcp-header":"A"},"y":{"type":"string","x-mcp-header":"a"}})",
                      R"({"x":"1","y":"2"})")
                   .empty());
    BOOST_TEST(
        fields(R"({"x":{"type":"array","items":{"type":"string","x-mcp-header":"A"}}})", R"({"x":["1"]})").empty());
}

BOOST_AUTO_TEST_SUITE_END()
