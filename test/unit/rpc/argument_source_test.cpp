#include "unit/rpc/handler_runner.hpp"

#include <partyline/rpc/detail/typed_handler.hpp>

#include <boost/test/unit_test.hpp>

#include <optional>
#include <string>

using namespace partyline::detail;
using namespace partyline;
namespace json = boost::json;

namespace {

struct row {
    const char* params;
    const char* result;
    json::value refusal = {};
};

template <std::size_t N>
void check(handler& target, const row (&rows)[N])
{
    for (const row& r : rows)
        BOOST_TEST_CONTEXT(r.params)
        {
            if (*r.result)
                BOOST_TEST(run(target, r.params) == r.result);
            else
                BOOST_TEST(refusal(target, r.params) == r.refusal);
        }
}

int subtract(int minuend, int subtrahend)
{
    return minuend - subtrahend;
}

int with_defaults(int a, std::optional<int> b, std::optional<int> c)
{
    return a * 100 + b.value_or(1) * 10 + c.value_or(2);
}

int with_a_gap(std::optional<int> a, int b)
{
    return a.value_or(7) * 10 + b;
}

const json::value by_position = mismatch(nullptr, "array (parameters by position)", "object");

} // namespace

BOOST_AUTO_TEST_SUITE(argument_source_)

BOOST_AUTO_TEST_CASE(by_position)
{
    const row rows[] = {
        {"[42,23]", "19"},
        {"[23, 42]", "-19"},
        {"[]", "", mismatch(nullptr, "2 parameters", "0")},
        {"", "", mismatch(nullptr, "2 parameters", "0")},
        {"[1]", "", mismatch(nullptr, "2 parameters", "1")},
        {"[1,2,3,4,5]", "", mismatch(nullptr, "2 parameters", "5")},
        {"[1,\"2\"]", "", mismatch(1, "integer", "string")},
        {"[null,2]", "", mismatch(0, "integer", "null")},
        {"{\"minuend\":42,\"subtrahend\":23}", "", ::by_position},
        {"{}", "", ::by_position},
    };
    check(*make_handler(subtract), rows);
}

BOOST_AUTO_TEST_CASE(by_name)
{
    const row rows[] = {
        {R"({"subtrahend":23,"minuend":42})", "19"},
        {R"({ "minuend" : 42 , "subtrahend" : 23 })", "19"},
        {R"({"\u006dinuend":42,"subtrahend":23})", "19"},
        {R"({"minuend":1,"minuend":42,"subtrahend":23})", "19"}, // of duplicates the last wins
        {"[42,23]", "19"},
        {"", "", mismatch(nullptr, "2 parameters", "0")},
        {"{}", "",
         mismatches({mismatch("minuend", "integer", "nothing"), mismatch("subtrahend", "integer", "nothing")})},
        {R"({"minuend":42})", "", mismatch("subtrahend", "integer", "nothing")},
        {R"({"minuend":42,"subtrahend":"23"})", "", mismatch("subtrahend", "integer", "string")},
        {R"({"minuend":42,"subtrahend":23,"c":1})", "", mismatch("c", "one of minuend, subtrahend", "c")},
        {R"({"Minuend":42,"subtrahend":23})", "",
         mismatches({mismatch("Minuend", "one of minuend, subtrahend", "Minuend"),
                     mismatch("minuend", "integer", "nothing")})},
        {"[42,true]", "", mismatch("subtrahend", "integer", "boolean")},
    };
    check(*make_handler(subtract, {"minuend", "subtrahend"}), rows);
}

BOOST_AUTO_TEST_CASE(what_is_optional_may_be_left_out)
{
    const row rows[] = {
        {"[5]", "512"},
        {"[5,6]", "562"},
        {"[5,null,7]", "517"},
        {"[5,6,7]", "567"},
        {"{\"a\":5}", "512"},
        {"{\"a\":5,\"c\":8}", "518"},
        {"{\"a\":5,\"b\":null}", "512"},
        {"[]", "", mismatch(nullptr, "1 to 3 parameters", "0")},
        {"[1,2,3,4,5]", "", mismatch(nullptr, "1 to 3 parameters", "5")},
        {"{\"b\":5}", "", mismatch("a", "integer", "nothing")},
        {"[5,\"6\"]", "", mismatch("b", "integer", "string")},
    };
    check(*make_handler(with_defaults, {"a", "b", "c"}), rows);
}

BOOST_AUTO_TEST_CASE(by_position_only_what_stands_last_may_be_left_out)
{
    const row rows[] = {
        {"[1,2]", "12"},
        {"[null,2]", "72"},
        {"[2]", "", mismatch(nullptr, "2 parameters", "1")},
        {"{\"b\":2}", "72"},
    };
    check(*make_handler(with_a_gap, {"a", "b"}), rows);
}

BOOST_AUTO_TEST_CASE(no_parameters)
{
    const row rows[] = {
        {"", "1"},
        {"[]", "1"},
        {"{}", "1"},
        {"[1]", "", mismatch(nullptr, "no parameters", "1")},
        {"{\"a\":1}", "", mismatch("a", "no parameters", "a")},
    };
    check(*make_handler([] { return 1; }), rows);
}

BOOST_AUTO_TEST_CASE(raw_arguments_keep_their_text)
{
    const auto target = make_handler(
        [](std::string_view name, json_text arguments) {
            return json_text("[\"" + std::string(name) + "\"," + arguments.text() + "]");
        },
        {"name", "arguments"});
    const row rows[] = {
        {R"({"arguments":{"n": 1.0, "big":123456789012345678901234567890},"name":"x"})",
         R"(["x",{"n": 1.0, "big":123456789012345678901234567890}])"},
        {R"(["x", [ ] ])", R"(["x",[ ]])"},
        {R"(["\u0078",null])", R"(["x",null])"},
        {R"({"name":"x"})", "", mismatch("arguments", "any value", "nothing")},
        {R"({"arguments":1})", "", mismatch("name", "string", "nothing")},
        {R"([1,2])", "", mismatch("name", "string", "integer")},
    };
    check(*target, rows);

    const auto optional = make_handler([](std::optional<json_view> a) { return a ? std::string(a->text()) : "none"; });
    BOOST_TEST(run(*optional, "[ 1e0 ]") == "\"1e0\"");
    BOOST_TEST(run(*optional, "[null]") == "\"none\"");
    BOOST_TEST(run(*optional, "") == "\"none\"");
}

BOOST_AUTO_TEST_CASE(a_number_that_nothing_can_hold_is_refused_by_name)
{
    const auto target = make_handler([](int, json::value) {}, {"a", "b"});
    BOOST_TEST(refusal(*target, "[1,[1e400]]").at("parameter") == json::value("b"));
}

BOOST_AUTO_TEST_CASE(views_hold_long_texts_with_escapes)
{
    const auto target =
        make_handler([](std::string_view a, std::string_view b) { return std::string(a) + std::string(b); });
    const std::string x(3000, 'x');
    BOOST_TEST(run(*target, R"(["\n)" + x + R"(","\t)" + x + "\"]") == "\"\\n" + x + "\\t" + x + "\"");
    BOOST_TEST(run(*target, R"(["",""])") == "\"\"");
}

BOOST_AUTO_TEST_SUITE_END()
