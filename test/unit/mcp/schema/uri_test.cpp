#include "mcp/schema/compile/uri.hpp"

#include <boost/test/unit_test.hpp>

#include <string_view>
#include <vector>

using partyline::mcp::detail::resolve_uri;
using partyline::mcp::detail::split_fragment;

BOOST_AUTO_TEST_SUITE(uri)

// RFC 3986, 5.4
BOOST_AUTO_TEST_CASE(references_are_resolved_as_the_rfc_shows)
{
    struct row {
        std::string_view reference, uri;
    };
    const std::vector<row> rows = {
        {"g:h", "g:h"},
        {"g", "http://a/b/c/g"},
        {"./g", "http://a/b/c/g"},
        {"g/", "http://a/b/c/g/"},
        {"/g", "http://a/g"},
        {"//g", "http://g"},
        {"?y", "http://a/b/c/d;p?y"},
        {"g?y", "http://a/b/c/g?y"},
        {";x", "http://a/b/c/;x"},
        {"", "http://a/b/c/d;p?q"},
        {".", "http://a/b/c/"},
        {"./", "http://a/b/c/"},
        {"..", "http://a/b/"},
        {"../", "http://a/b/"},
        {"../g", "http://a/b/g"},
        {"../..", "http://a/"},
        {"../../g", "http://a/g"},
        {"../../../g", "http://a/g"},
        {"../../../../g", "http://a/g"},
        {"/./g", "http://a/g"},
        {"/../g", "http://a/g"},
        {"g.", "http://a/b/c/g."},
        {".g", "http://a/b/c/.g"},
        {"..g", "http://a/b/c/..g"},
        {"./../g", "http://a/b/g"},
        {"./g/.", "http://a/b/c/g/"},
        {"g/./h", "http://a/b/c/g/h"},
        {"g/../h", "http://a/b/c/h"},
        {"g?y/../x", "http://a/b/c/g?y/../x"},
        {"http:g", "http:g"},
    };
    for (const row& r : rows)
        BOOST_TEST(resolve_uri("http://a/b/c/d;p?q", r.reference) == r.uri, r.reference);
}

BOOST_AUTO_TEST_CASE(bases_need_no_authority)
{
    BOOST_TEST(resolve_uri("", "node") == "node");
    BOOST_TEST(resolve_uri("tree/a", "b") == "tree/b");
    BOOST_TEST(resolve_uri("urn:uuid:1", "") == "urn:uuid:1");
    BOOST_TEST(resolve_uri("http://a", "b") == "http://a/b");
    BOOST_TEST(resolve_uri("file:///a/b", "c") == "file:///a/c");
}

BOOST_AUTO_TEST_CASE(a_fragment_begins_with_the_first_hash)
{
    BOOST_TEST(split_fragment("a#b#c").first == "a");
    BOOST_TEST(split_fragment("a#b#c").second == "b#c");
    BOOST_TEST(split_fragment("a").first == "a");
    BOOST_TEST(split_fragment("a#").second == "");
    BOOST_TEST(split_fragment("#/x").first == "");
}

BOOST_AUTO_TEST_SUITE_END()
