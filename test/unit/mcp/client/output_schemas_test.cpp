// What a client knows of the output schemas of tools.

#include "mcp/answers/failed_call.hpp"
#include "mcp/client/output_schemas.hpp"

#include <partyline/mcp/client/client_errc.hpp>

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace json = boost::json;
namespace mcp = partyline::mcp;
using mcp::output_schemas;

namespace {

mcp::tool_info listed_tool(std::string name, std::optional<json::value> output)
{
    mcp::tool_info made;
    made.name = std::move(name);
    made.output_schema = std::move(output);
    return made;
}

bool fits(output_schemas& known, const std::string& tool, const json::value& result)
{
    const std::optional<mcp::schema> wanted = known.find(tool);
    return wanted && wanted->check(result).empty();
}

const json::value any_number = json::parse(R"({"type":"number"})");

} // namespace

BOOST_AUTO_TEST_SUITE(mcp_output_schemas)

BOOST_AUTO_TEST_CASE(a_tool_has_the_schema_that_it_is_listed_with)
{
    output_schemas known(10'000);
    BOOST_TEST(!known.knows("a"));
    known.note(listed_tool("a", any_number));
    known.note(listed_tool("b", std::nullopt));
    known.note(listed_tool("c", false));
    known.note_missing("d");
    for (const char* const name : {"a", "b", "c", "d"})
        BOOST_TEST(known.knows(name), name);
    BOOST_TEST(fits(known, "a", 1));
    BOOST_TEST(!fits(known, "a", "x"));
    BOOST_TEST(!known.find("b"));
    BOOST_TEST((known.find("c") && !fits(known, "c", 1)));
    BOOST_TEST(!known.find("d"));
    BOOST_TEST(!known.find("e"));
    known.clear();
    BOOST_TEST(!known.knows("a"));
}

BOOST_AUTO_TEST_CASE(the_last_list_counts)
{
    output_schemas known(10'000);
    known.note(listed_tool("a", any_number));
    BOOST_TEST(fits(known, "a", 1));
    known.note(listed_tool("a", json::parse(R"({"type":"string"})")));
    BOOST_TEST(fits(known, "a", "x"));
    BOOST_TEST(!fits(known, "a", 1));
    known.note(listed_tool("a", std::nullopt));
    BOOST_TEST(!known.find("a"));
}

BOOST_AUTO_TEST_CASE(what_is_no_schema_is_named)
{
    output_schemas known(10'000);
    for (const char* const text : {"7", R"({"type":"thing"})", R"({"$ref":"https://example.org/other"})",
                                   R"({"pattern":"(a)\\1"})", R"({"noSuchKeyword":1})"}) {
        BOOST_TEST_CONTEXT(text)
        {
            known.note(listed_tool("odd", json::parse(text)));
            BOOST_CHECK_EXCEPTION(known.find("odd"), mcp::failed_call, [](const mcp::failed_call& thrown) {
                return thrown.code() == mcp::client_errc::bad_result &&
                       thrown.details().starts_with("tools/list: the outputSchema of \"odd\": ");
            });
            BOOST_TEST(!known.knows("odd")); // the next list may have another one
        }
    }
}

// rule: security.memory.client
BOOST_AUTO_TEST_CASE(where_there_is_no_room_the_others_are_forgotten)
{
    const std::size_t each = std::string(R"(a{"type":"number"})").size() + output_schemas::bytes_of_tool;
    output_schemas known(3 * each);
    for (const char* const name : {"a", "b", "c"})
        known.note(listed_tool(name, any_number));
    known.note(listed_tool("a", any_number)); // as it was
    BOOST_TEST(known.knows("b"));
    known.note(listed_tool("d", any_number));
    for (const char* const name : {"a", "b", "c"})
        BOOST_TEST(!known.knows(name), name);
    BOOST_TEST(fits(known, "d", 1));
    const std::string wide(5 * each, 'x');
    known.note(listed_tool(wide, any_number)); // the one that is wanted has room always
    BOOST_TEST(!known.knows("d"));
    BOOST_TEST(fits(known, wide, 1));
    known.note(listed_tool("e", any_number));
    BOOST_TEST(!known.knows(wide));
    BOOST_TEST(fits(known, "e", 1));
}

BOOST_AUTO_TEST_CASE(those_that_are_not_compiled_any_more_are_compiled_again)
{
    output_schemas known(100'000);
    for (int round = 0; round != 2; ++round)
        for (std::size_t i = 0; i != 2 * output_schemas::most_compiled + 1; ++i) {
            known.note(listed_tool("t" + std::to_string(i), any_number));
            BOOST_TEST(fits(known, "t" + std::to_string(i), 1));
            BOOST_TEST_REQUIRE(known.compiled() <= output_schemas::most_compiled);
        }
}

BOOST_AUTO_TEST_CASE(one_can_be_forgotten)
{
    output_schemas known(10'000);
    for (const char* const name : {"a", "b"}) {
        known.note(listed_tool(name, any_number));
        BOOST_TEST(fits(known, name, 1));
    }
    known.forget("a");
    known.forget("c");
    BOOST_TEST(!known.knows("a"));
    BOOST_TEST(fits(known, "b", 1));
    BOOST_TEST(known.compiled() == 1u);
}

BOOST_AUTO_TEST_CASE(what_is_forgotten_begins_another_epoch_and_what_has_no_room_does_not)
{
    output_schemas known(2 * output_schemas::bytes_of_tool);
    const std::uint64_t first = known.epoch();
    for (const char* const name : {"a", "b", "c"})
        known.note(listed_tool(name, any_number));
    BOOST_TEST(!known.knows("a"));
    BOOST_TEST(known.epoch() == first);
    known.forget("a");
    const std::uint64_t next = known.epoch();
    BOOST_TEST(next != first);
    known.clear();
    BOOST_TEST(known.epoch() != next);
}

BOOST_AUTO_TEST_SUITE_END()
