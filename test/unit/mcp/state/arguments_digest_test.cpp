#include "mcp/state/arguments_digest.hpp"
#include "unit/protocol/exact_text.hpp"

#include <boost/test/unit_test.hpp>

#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace partyline::mcp;
using partyline::json_view;

namespace {

std::string digest(std::string_view text)
{
    const partyline::test::exact_text exact(text);
    const sha256_digest made = digest_of_arguments(json_view::checked(exact));
    return std::string(bytes_of(made));
}

std::string nested(std::size_t depth, const std::string& innermost)
{
    return std::string(depth, '[') + innermost + std::string(depth, ']');
}

std::string members(int count, bool is_backwards)
{
    std::string text = "{";
    for (int i = 0; i != count; ++i)
        text += "\"name" + std::to_string(is_backwards ? count - 1 - i : i) + "\":[{}],";
    text.back() = '}';
    return text;
}

} // namespace

BOOST_AUTO_TEST_SUITE(mcp_arguments_digest)

BOOST_AUTO_TEST_CASE(what_no_handler_can_tell_apart_is_the_same)
{
    const std::pair<std::string, std::string> rows[] = {
        {R"({"a":1,"b":2})", R"({"b":2,"a":1})"},
        {R"({"a":1,"b":[true,null]})", "{ \"b\" :\t[ true ,\n null ],\r \"a\":1 }"},
        {R"({"a":{"x":[{"d":1,"c":2}],"y":2}})", R"({"a":{"y":2,"x":[{"c":2,"d":1}]}})"},
        {R"({"a":"/\u00e4\ud83d\ude00\n"})", R"({"\u0061":"\/ä😀\u000a"})"},
        {members(2'000, false), members(2'000, true)},
        {"{}", "null"},
        {"{}", ""},
        {"{}", "{ }"},
    };
    for (const auto& [one, other] : rows)
        BOOST_TEST_CONTEXT(one.substr(0, 80))
    BOOST_TEST((digest(one) == digest(other)));
}

BOOST_AUTO_TEST_CASE(everything_else_counts)
{
    const std::vector<std::string> rows = {
        "{}",
        R"({"a":1})",
        R"({"a":1.0})",
        R"({"a":1e0})",
        R"({"a":-1})",
        R"({"a":0})",
        R"({"a":-0})",
        R"({"a":"1"})",
        R"({"a":true})",
        R"({"a":false})",
        R"({"a":null})",
        R"({"a":""})",
        R"({"a":[]})",
        R"({"a":{}})",
        R"({"a":[1]})",
        R"({"a":[[1]]})",
        R"({"a":[1,2]})",
        R"({"a":[2,1]})",
        R"({"a":[12]})",
        R"({"a":["1","2"]})",
        R"({"a":["1,2"]})",
        R"({"a":["s1:1"]})",
        R"({"a":["s1:1s1:2"]})",
        R"({"a":[[1],2]})",
        R"({"a":[1,[2]]})",
        R"({"a":["b",1]})",
        R"({"a":{"b":1}})",
        R"({"a":1,"b":1})",
        R"({"A":1})",
        R"({"a\u0000":1})",
        R"({"a":1,"a":2})",
        R"({"a":2,"a":1})",
        R"({"a":2})",
        R"({"a":18446744073709551616})",
        R"({"a":18446744073709551617})",
        R"({"a":1e400})",
        R"({"a":"ä"})",
        R"({"a":"a\u0308"})", // looks the same
        "{\"a\":\"" + std::string(200, 'x') + "\"}",
        "{\"a\":\"" + std::string(201, 'x') + "\"}",
        "{\"a\":[\"" + std::string(200, 'x') + "\"]}",
    };
    std::set<std::string> digests;
    for (const std::string& row : rows)
        BOOST_TEST(digests.insert(digest(row)).second, row);
}

// The text of what is long is replaced by its digest: neither may stand for the other.
BOOST_AUTO_TEST_CASE(nesting_counts_at_every_depth)
{
    std::set<std::string> digests;
    for (std::size_t depth = 0; depth != 300; ++depth) {
        BOOST_TEST(digests.insert(digest("{\"a\":" + nested(depth, "1") + "}")).second, depth);
        BOOST_TEST(digests.insert(digest("{\"a\":" + nested(depth, "[]") + "}")).second, depth);
    }
}

BOOST_AUTO_TEST_CASE(large_ones_are_done_in_a_moment)
{
    std::string many = "{\"a\":[";
    for (int i = 0; i != 200'000; ++i)
        many += "[],{},";
    many.back() = ']';
    BOOST_TEST((digest(many + "}") == digest(many + " }")));
    BOOST_TEST((digest("{\"a\":" + nested(200'000, "1") + "}") != digest("{\"a\":" + nested(200'001, "1") + "}")));
}

BOOST_AUTO_TEST_SUITE_END()
