#include "fuzz/typed_ways.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <ostream>
#include <random>
#include <string>

using namespace partyline;
using test::find_value;
using test::ways;
namespace bdata = boost::unit_test::data;

namespace {

struct params_text {
    std::size_t kind;
    const char* text;
};

std::ostream& operator<<(std::ostream& out, const params_text& params)
{
    return out << params.kind << ' ' << params.text;
}

constexpr std::size_t struct_refusing = 0;
constexpr std::size_t struct_ignoring = 1;
constexpr std::size_t two_arguments = 2;
constexpr std::size_t three_arguments = 3;

constexpr params_text straight[] = {
    {struct_refusing, "{}"},
    {struct_refusing, "[]"},
    {struct_refusing, R"({"text":"plain","list":["x","y"],"number":-5,"real":2.5,"is_on":false})"},
    {struct_refusing, R"( { "number" : 5 , "text" : "a" } )"},
    {struct_refusing, R"({"text":"\u00e9\ud83d\ude00\n\"\\\/","list":["\t",""]})"},
    {struct_refusing, R"({"t\u0065xt":"the name has an escape"})"},
    {struct_refusing, R"({"at":{"x":-3},"other":{"x":4,"y":1e-3,"label":"four"}})"},
    {struct_refusing, R"({"at":null,"text":null,"list":null})"},
    {struct_refusing, R"({"other":{"x":1,"more":{"a":[1,"b",null]},"e":"e1"}})"},
    {struct_refusing, R"({"map":{"k":[1,2],"":[]},"flags":{"on":true},"set":["b","a","b"]})"},
    {struct_refusing, R"({"either":2.5})"},
    {struct_refusing, R"({"either":{"x":1}})"},
    {struct_refusing, R"({"feeling":"very \"loud\"","place":10})"},
    {struct_refusing, R"({"pair":[5,false],"bytes":[0,255]})"},
    {struct_refusing, R"({"large":18446744073709551615,"number":9223372036854775807})"},
    {struct_refusing, R"({"large":-0,"number":-0,"real":-0,"narrow":-0.0})"},
    {struct_refusing, R"({"real":12345678901234567890,"narrow":1})"},
    {struct_refusing, R"({"real":123456789012345678901234567890,"any":{"z":[null,1.5,"x"]}})"},
    {struct_refusing, R"({"taken":250,"file":"/tmp/x","parts":[{"parts":[{"text":"a"}]}]})"},
    {struct_refusing, R"({"an \"odd\" \\ name":"one"})"},
    {struct_refusing, R"(["text",["one"],null,{"x":1}])"},
    {struct_ignoring, R"({"later":{"deep":[1e400]},"text":"a"})"},
    {two_arguments, "[5]"},
    {two_arguments, R"([5,"text"])"},
    {two_arguments, R"({"b":null,"a":-2147483648})"},
    {three_arguments, R"({"\"b\"":[{"x":1}],"c":[1,{}],"a":1})"},
    {three_arguments, R"([0.5,[],null])"},
};

constexpr params_text left_to_values[] = {
    {struct_refusing, R"({"number":2.0})"},
    {struct_refusing, R"({"large":1e2})"},
    {struct_refusing, R"({"text":"a","text":"b"})"},
    {struct_refusing, R"({"other":{"x":1,"x":2}})"},
    {struct_refusing, R"({"map":{"k":[],"k":[1]}})"},
    {struct_refusing, R"({"real":1e-400})"},
    {struct_refusing, R"({"real":1e400})"},
    {struct_refusing, R"({"any":1e400})"},
    {struct_refusing, R"({"narrow":1e39})"},
    {struct_refusing, R"({"other":{"x":1,"more":1e400}})"},
    {struct_refusing, R"({"bytes":[256,0]})"},
    {struct_refusing, R"({"bytes":[1]})"},
    {struct_refusing, R"({"bytes":[1,2,3]})"},
    {struct_refusing, R"({"pair":[1]})"},
    {struct_refusing, R"({"number":-6})"},
    {struct_refusing, R"({"list":["1","2","3","4"]})"},
    {struct_refusing, R"({"other":{"x":1,"label":"fiver"}})"},
    {struct_refusing, R"({"other":{}})"},
    {struct_refusing, R"({"feeling":"loud"})"},
    {struct_refusing, R"({"place":2})"},
    {struct_refusing, R"({"file":"a\u0000b"})"},
    {struct_refusing, R"({"unknown":1})"},
    {struct_refusing, R"({"text":1})"},
    {struct_refusing, R"({"list":{}})"},
    {struct_refusing, R"({"map":[]})"},
    {struct_refusing, R"({"at":[]})"},
    {struct_refusing, R"({"is_on":0})"},
    {struct_refusing, R"({"set":[null]})"},
    {struct_refusing, R"({"either":false})"},
    {struct_refusing, R"({"taken":0.5})"},
    {two_arguments, "[]"},
    {two_arguments, "[1,null,2]"},
    {two_arguments, R"({"b":"a is missing"})"},
    {two_arguments, R"({"a":2147483648})"},
    {two_arguments, R"({"a":1,"c":1})"},
    {two_arguments, R"({"a":1,"a":2})"},
    {three_arguments, "[1]"},
};

ways read_text(std::size_t kind, const std::string& text)
{
    const json_view params = find_value(text);
    return params.empty() ? ways::by_value : test::read_params(kind, params);
}

std::string object_of(std::size_t members)
{
    std::string text = R"({"flags":{)";
    for (std::size_t i = 0; i != members; ++i)
        text.append(i == 0 ? "\"n" : ",\"n").append(std::to_string(i)).append("\":true");
    return text + "}}";
}

/// Puts a piece of one text into another, or takes one away.
std::string mutated(std::string text, std::mt19937& random)
{
    static constexpr const char* pieces[] = {"0",  "-",  ".5",    "e9",   "\"", "\\", "\\u0041", ",",       ":",
                                             "{}", "[]", "null",  "true", "1",  " ",  "2.0",     "\"x\":1", "1e400",
                                             "{",  "}",  "\"a\"", "[",    "]",  "99", "\xC3\xA9"};
    const auto choose = [&](std::size_t count) {
        return std::uniform_int_distribution<std::size_t>(0, count - 1)(random);
    };
    for (std::size_t left = 1 + choose(3); left != 0; --left) {
        const std::size_t at = choose(text.size());
        const std::size_t length = choose(std::min<std::size_t>(text.size() - at, 8) + 1);
        if (choose(3) == 0)
            text.insert(choose(text.size()), text.substr(at, length));
        else
            text.replace(at, choose(2) == 0 ? length : 0, pieces[choose(std::size(pieces))]);
        if (text.empty())
            text = "{}";
    }
    return text;
}

} // namespace

BOOST_AUTO_TEST_SUITE(read_text_)

BOOST_DATA_TEST_CASE(usual_params_are_read_straight_from_text, bdata::make(straight), params)
{
    BOOST_TEST(read_text(params.kind, params.text) == ways::both);
}

BOOST_DATA_TEST_CASE(others_are_left_to_values, bdata::make(left_to_values), params)
{
    BOOST_TEST(!find_value(params.text).empty());
    BOOST_TEST(read_text(params.kind, params.text) == ways::by_value);
}

BOOST_AUTO_TEST_CASE(names_that_might_collide_are_left_to_values)
{
    BOOST_TEST(read_text(struct_refusing, object_of(80)) == ways::both);
    BOOST_TEST(read_text(struct_refusing, object_of(81)) == ways::by_value);
}

BOOST_AUTO_TEST_CASE(no_params_are_left_to_values)
{
    BOOST_TEST(test::read_params(struct_refusing, json_view()) == ways::by_value);
}

BOOST_AUTO_TEST_CASE(whatever_is_changed_both_ways_come_to_the_same)
{
    std::mt19937 random(20261124);
    std::size_t valid = 0;
    std::size_t both = 0;
    for (std::size_t round = 0; round != 400; ++round) {
        for (const params_text& params : straight) {
            const std::string text = mutated(params.text, random);
            const json_view view = find_value(text);
            if (view.empty() || (view.text().front() != '[' && view.text().front() != '{'))
                continue;
            ++valid;
            const ways got = test::read_params(params.kind, view);
            both += got == ways::both;
            BOOST_REQUIRE_MESSAGE(got != ways::differ, params.kind << ' ' << text);
        }
    }
    BOOST_TEST(valid > 1000u); // else the test would be of nothing
    BOOST_TEST(both > 300u);
}

BOOST_AUTO_TEST_SUITE_END()
