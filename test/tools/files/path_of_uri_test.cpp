#include "support/text_search.hpp"
#include "tools/refusal.hpp"

#include <boost/test/unit_test.hpp>

#include <command_line/file_uri.hpp>
#include <tools/files/path_of_uri.hpp>

using command_line::file_uri;
using partyline::test::contains;
using tools::path_of_uri;
using tools::test::refusal_of;

BOOST_AUTO_TEST_SUITE(file_uris)

BOOST_AUTO_TEST_CASE(paths_and_their_uris)
{
    const std::pair<const char*, const char*> rows[] = {
        {"/", "file:///"},
        {"/a/b.txt", "file:///a/b.txt"},
        {"/a b", "file:///a%20b"},
        {"/100%", "file:///100%25"},
        {"/a?b#c[d]", "file:///a%3Fb%23c%5Bd%5D"},
        {"/\u00e9", "file:///%C3%A9"},
        {"/\xff\n", "file:///%FF%0A"},
        {"/it's(1)", "file:///it's(1)"},
    };
    for (const auto& [path, uri] : rows) {
        BOOST_TEST(file_uri(path) == uri);
        BOOST_TEST(path_of_uri(uri) == path);
    }
}

BOOST_AUTO_TEST_CASE(others_may_write_them_in_other_ways)
{
    BOOST_TEST(path_of_uri("file://localhost/a") == "/a");
    BOOST_TEST(path_of_uri("file:///%61%2f%c3%A9") == "/a/\u00e9");
    BOOST_TEST(path_of_uri("file:///a b") == "/a b");
}

BOOST_AUTO_TEST_CASE(what_is_none_is_refused)
{
    for (const char* const uri : {"", "/a", "http://a/b", "file:/a"})
        BOOST_TEST(contains(refusal_of([&] { path_of_uri(uri); }), "is no URI of a file, which begins with"), uri);
    for (const char* const uri : {"file://", "file://host/a", "file://localhost", "file://localhosts/a", "file:///a?b"})
        BOOST_TEST(contains(refusal_of([&] { path_of_uri(uri); }), "is no URI of a file here"), uri);
    for (const char* const uri : {"file:///%", "file:///%4", "file:///%zz", "file:///%+1", "file:///%-1"})
        BOOST_TEST(contains(refusal_of([&] { path_of_uri(uri); }), "has a '%' without two hexadecimal"), uri);
}

BOOST_AUTO_TEST_SUITE_END()
