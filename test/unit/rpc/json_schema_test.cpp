#include <partyline/rpc/json_schema.hpp>

#include <boost/describe.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

using namespace partyline;
namespace json = boost::json;

namespace finder {

enum class order { by_name, by_date };
BOOST_DESCRIBE_ENUM(order, by_name, by_date)
constexpr auto notes_of(partyline::of<order>)
{
    return notes(note(order::by_date, "newest first", wire_name("by-date")));
}

enum class severity { error = 1, hint = 4 };
BOOST_DESCRIBE_ENUM(severity, error, hint)
constexpr auto notes_of(partyline::of<severity>)
{
    return notes(as_numbers, note(severity::hint, "no more than that"));
}

struct folder {
    std::string path;
    std::optional<int> depth;
};
BOOST_DESCRIBE_STRUCT(folder, (), (path, depth))

struct search {
    std::string pattern;
    int limit = 50;
    order sort = order::by_date;
    std::vector<folder> folders;
    std::optional<double> ratio;
    std::string kind = "file";
    std::string class_;

    static constexpr auto notes()
    {
        using me = search;
        return partyline::notes(note(&me::pattern, "Text to look for", length(1)),
                                note(&me::limit, "At most so many", defaulted, range(1, 1000)),
                                note(&me::sort, "Order of what is found", defaulted), note(&me::folders, length(1, 8)),
                                note(&me::ratio, at_least(0.5)), note(&me::kind, defaulted, one_of("file", "folder")),
                                note(&me::class_, wire_name("class"), format("email")));
    }
};
BOOST_DESCRIBE_STRUCT(search, (), (pattern, limit, sort, folders, ratio, kind, class_))

} // namespace finder

namespace {

template <class T>
void check(std::string_view expected)
{
    BOOST_TEST(json::serialize(json_schema<T>()) == json::serialize(json::parse(expected)));
}

} // namespace

BOOST_AUTO_TEST_SUITE(json_schema_suite)

BOOST_AUTO_TEST_CASE(a_struct_says_what_its_members_are)
{
    check<finder::search>(R"json({
        "type": "object",
        "properties": {
            "pattern": {"type": "string", "minLength": 1, "description": "Text to look for"},
            "limit": {"type": "integer", "minimum": 1, "maximum": 1000, "description": "At most so many", "default": 50},
            "sort": {"type": "string", "enum": ["by_name", "by-date"],
                     "description": "Order of what is found (by-date: newest first)", "default": "by-date"},
            "folders": {"type": "array", "items": {
                "type": "object",
                "properties": {"path": {"type": "string"},
                               "depth": {"type": "integer"}},
                "required": ["path"],
                "additionalProperties": false}, "minItems": 1, "maxItems": 8},
            "ratio": {"type": "number", "minimum": 5E-1},
            "kind": {"type": "string", "enum": ["file", "folder"], "default": "file"},
            "class": {"type": "string", "format": "email"}
        },
        "required": ["pattern", "folders", "class"],
        "additionalProperties": false
    })json");
}

BOOST_AUTO_TEST_CASE(integers_say_the_bounds_that_are_meant)
{
    check<std::int8_t>(R"({"type":"integer","minimum":-128,"maximum":127})");
    check<std::uint16_t>(R"({"type":"integer","minimum":0,"maximum":65535})");
    check<int>(R"({"type":"integer"})");
    check<std::uint32_t>(R"({"type":"integer","minimum":0})");
    check<std::int64_t>(R"({"type":"integer"})");
    check<std::uint64_t>(R"({"type":"integer","minimum":0})");
}

BOOST_AUTO_TEST_CASE(other_types_say_what_they_are_made_of)
{
    check<bool>(R"({"type":"boolean"})");
    check<json::value>("{}");
    check<json::object>(R"({"type":"object"})");
    check<json::array>(R"({"type":"array"})");
    check<std::optional<bool>>(R"({"type":"boolean"})");
    check<std::map<std::string, bool>>(R"({"type":"object","additionalProperties":{"type":"boolean"}})");
    check<std::array<bool, 2>>(R"({"type":"array","items":{"type":"boolean"},"minItems":2,"maxItems":2})");
    check<std::tuple<bool, std::string>>(
        R"({"type":"array","prefixItems":[{"type":"boolean"},{"type":"string"}],"minItems":2,"maxItems":2})");
    check<std::variant<bool, std::string>>(R"({"anyOf":[{"type":"boolean"},{"type":"string"}]})");
    check<finder::severity>(R"({"type":"integer","enum":[1,4],"description":"1: error; 4: hint, no more than that"})");
}

BOOST_AUTO_TEST_SUITE_END()
