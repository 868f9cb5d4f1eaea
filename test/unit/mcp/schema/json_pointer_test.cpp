#include "mcp/schema/compile/json_pointer.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>
#include <vector>

using namespace partyline::mcp::detail;
namespace json = boost::json;

BOOST_AUTO_TEST_SUITE(json_pointer)

// RFC 6901, 5
BOOST_AUTO_TEST_CASE(pointers_lead_to_values)
{
    const json::value whole = json::parse(R"({"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"m~n":8,"~1":9})");
    struct row {
        std::string_view pointer;
        std::string found;
    };
    const std::vector<row> rows = {{"/foo", R"(["bar","baz"])"},
                                   {"/foo/0", R"("bar")"},
                                   {"/", "0"},
                                   {"/a~1b", "1"},
                                   {"/c%d", "2"},
                                   {"/m~0n", "8"},
                                   {"/~01", "9"},
                                   {"/foo/2", "-"},
                                   {"/foo/-", "-"},
                                   {"/foo/0x", "-"},
                                   {"/foo/", "-"},
                                   {"/bar", "-"},
                                   {"foo", "-"},
                                   {"/foo/0/0", "-"}};
    for (const row& r : rows) {
        const json::value* const found = find_by_pointer(whole, r.pointer);
        BOOST_TEST((found ? json::serialize(*found) : "-") == r.found, r.pointer);
    }
    BOOST_TEST(find_by_pointer(whole, "") == &whole);
}

BOOST_AUTO_TEST_CASE(names_are_escaped)
{
    std::string pointer = "/a";
    append_to_pointer(pointer, "b/~c");
    BOOST_TEST(pointer == "/a/b~1~0c");
}

BOOST_AUTO_TEST_CASE(percent_escapes_are_bytes)
{
    BOOST_TEST(percent_decoded("a%25%c3%A4b").value() == "a%\xC3\xA4"
                                                         "b");
    for (const std::string_view text : {"%", "%1", "%1g", "%-1", "a%"})
        BOOST_TEST(!percent_decoded(text).has_value(), text);
}

BOOST_AUTO_TEST_SUITE_END()
