#include "gateway/member_text.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

using gateway::member_text;
using gateway::rare_member_text;
using gateway::with_replaced;
using partyline::json_text;

BOOST_AUTO_TEST_SUITE(gateway_member_text)

BOOST_AUTO_TEST_CASE(a_member_is_found_by_its_path_alone)
{
    const json_text text(R"({"token":1,"_meta": {"a":{"token":2},"token" : "3\""},"b":["_meta"]})");
    BOOST_TEST(member_text(text, {"_meta", "token"}) == R"("3\"")");
    BOOST_TEST(member_text(text, {"token"}) == "1");
    BOOST_TEST(member_text(text, {"token", "x"}).empty());
    BOOST_TEST(member_text(text, {"b", "token"}).empty());
    BOOST_TEST(member_text(json_text("[1]"), {"token"}).empty());
    BOOST_TEST(member_text(json_text(), {"token"}).empty());
}

BOOST_AUTO_TEST_CASE(names_are_found_however_they_are_spelled)
{
    BOOST_TEST(rare_member_text(json_text(R"({"_meta":{"t\u006fken":1}})"), {"_meta", "token"}) == "1");
    BOOST_TEST(rare_member_text(json_text(R"({"_meta":{"a\/b":1}})"), {"_meta", "a/b"}) == "1");
    BOOST_TEST(rare_member_text(json_text(R"({"_meta":{},"x":"token"})"), {"_meta", "token"}).empty());
}

BOOST_AUTO_TEST_CASE(strings_are_the_same_however_they_are_spelled)
{
    BOOST_TEST(gateway::member_string(json_text(R"({"uri":"a:\/\u00e4"})"), {"uri"}).value() == "a:/\xc3\xa4");
    BOOST_TEST(!gateway::member_string(json_text(R"({"uri":1})"), {"uri"}).has_value());
    BOOST_TEST(!gateway::member_string(json_text(R"({"uri":"a:\ud800"})"), {"uri"}).has_value());
}

BOOST_AUTO_TEST_CASE(a_part_is_replaced_where_it_stands)
{
    const json_text text(R"({"a":1,"b":{"a":1.0},"c":1e2})");
    BOOST_TEST(with_replaced(text, member_text(text, {"b", "a"}), "\"x\"").text() ==
               R"({"a":1,"b":{"a":"x"},"c":1e2})");
}

BOOST_AUTO_TEST_SUITE_END()
