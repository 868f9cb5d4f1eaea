#include "mcp/schema/schema.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <string>

using partyline::mcp::mismatch;
using partyline::mcp::schema;
namespace json = boost::json;

namespace {

schema compiled(const std::string& document)
{
    return schema::compile(json::parse(document));
}

std::string first_expected(const schema& by, const json::value& value, std::size_t steps = schema::default_max_steps)
{
    const std::vector<mismatch> found = by.check(value, steps);
    return found.empty() ? "" : found.front().expected;
}

json::value nested(std::size_t depth)
{
    json::value value = json::array();
    for (; depth > 0; --depth) {
        json::array outer;
        outer.push_back(std::move(value));
        value = std::move(outer);
    }
    return value;
}

json::value nested_schema(std::size_t depth)
{
    json::value value = true;
    for (; depth > 0; --depth) {
        json::object outer;
        outer.emplace("items", std::move(value));
        value = std::move(outer);
    }
    return value;
}

bool is_refused(const json::value& document)
{
    try {
        schema::compile(document);
        return false;
    } catch (const std::invalid_argument&) {
        return true;
    }
}

} // namespace

BOOST_AUTO_TEST_SUITE(schema_limits)

// rule: mcp.schema.bounds
BOOST_AUTO_TEST_CASE(alternatives_that_multiply_end_with_the_steps)
{
    const schema doubled = compiled(R"({"anyOf":[{"items":{"$ref":"#"},"type":"array"},)"
                                    R"({"items":{"$ref":"#"},"type":"array"}]})");
    json::value deep = nested(40);
    BOOST_TEST(first_expected(doubled, deep) == "");
    json::value* inner = &deep;
    while (!inner->get_array().empty())
        inner = &inner->get_array().front();
    *inner = 7;
    BOOST_TEST(first_expected(doubled, deep) == "value that can be checked in 1000000 steps");
}

BOOST_AUTO_TEST_CASE(whether_a_value_fits_may_take_more_than_it_may_cost)
{
    json::array numbers(2000, json::value(7));
    const schema integers = compiled(R"({"items":{"type":"integer"}})");
    BOOST_TEST(!integers.check_within(numbers, 1000));
    BOOST_TEST((integers.check_within(numbers) && integers.check_within(numbers)->empty()));
    numbers.front() = "seven"; // which is found at once, also where the rest is too much to look at
    const auto found = integers.check_within(numbers, 1000);
    BOOST_TEST_REQUIRE(found.has_value());
    BOOST_TEST(!found->empty());
    BOOST_TEST(!compiled(R"({"type":"array","items":{"$ref":"#"}})").check_within(nested(1000)));
}

BOOST_AUTO_TEST_CASE(steps_are_counted_for_all_work)
{
    json::array numbers;
    for (int i = 0; i < 3000; ++i)
        numbers.emplace_back(i % 2999);
    const std::string text(100'000, 'a');
    const std::string enough = "value that can be checked in 1000 steps";
    BOOST_TEST(first_expected(compiled(R"({"items":{}})"), numbers, 1000) == enough);
    BOOST_TEST(first_expected(compiled(R"({"uniqueItems":true})"), numbers, 1000) == enough);
    BOOST_TEST(first_expected(compiled(R"({"not":{"uniqueItems":true}})"), numbers, 1000) == enough);
    BOOST_TEST(first_expected(compiled(R"({"contains":false,"minContains":0})"), numbers, 1000) == enough);
    BOOST_TEST(first_expected(compiled(R"({"pattern":"^(a|b)*c"})"), json::value(text), 1000) == enough);
    BOOST_TEST(first_expected(compiled(R"({"not":{"pattern":"^(a|b)*c"}})"), json::value(text), 1000) == enough);
    BOOST_TEST(first_expected(compiled(R"({"pattern":"^(a|b)*c"})"), json::value(text)) ==
               "string that matches ^(a|b)*c");
    BOOST_TEST(first_expected(compiled(R"({"uniqueItems":true})"), numbers) == "array whose elements differ");
}

BOOST_AUTO_TEST_CASE(a_long_enum_takes_few_steps)
{
    std::string values;
    for (int i = 0; i < 10'000; ++i)
        values += (i == 0 ? "" : ",") + (i % 2 == 0 ? std::to_string(i) : "\"text " + std::to_string(i) + '"');
    const schema one = compiled(R"({"enum":[)" + values + "]}");
    for (const char* text : {"0", "0.0", "\"text 1\"", "5000", "9998", "\"text 9999\""})
        BOOST_TEST(first_expected(one, json::parse(text), 50) == "");
    for (const char* text : {"1", "-1", "10000", "\"text 0\"", "null", "[0]", "{}"})
        BOOST_TEST(first_expected(one, json::parse(text), 50).starts_with("one of 0, "));
}

// rule: security.time.linear
BOOST_AUTO_TEST_CASE(a_pattern_takes_linear_time)
{
    const std::string text(200'000, 'a');
    const schema doubtful = compiled(R"({"pattern":"^(a+)+$"})");
    BOOST_TEST(first_expected(doubtful, json::value(text)) == "");
    BOOST_TEST(first_expected(doubtful, json::value(text + "!")) == "string that matches ^(a+)+$");
}

// rule: mcp.schema.bounds
BOOST_AUTO_TEST_CASE(values_that_lie_in_each_other_too_deep_do_not_fit)
{
    const schema list = compiled(R"({"type":"array","items":{"$ref":"#"}})");
    BOOST_TEST(first_expected(list, nested(300)) == "");
    BOOST_TEST(first_expected(list, nested(2000)) == "value that 640 schemas in each other can check");
    const schema differ = compiled(R"({"uniqueItems":true})");
    json::array deep;
    deep.push_back(nested(2000));
    deep.push_back(nested(2000));
    BOOST_TEST(first_expected(differ, deep) == "value that can be checked in 1000000 steps");
}

// rule: mcp.schema.bounds
BOOST_AUTO_TEST_CASE(documents_have_bounds)
{
    BOOST_TEST(!is_refused(nested_schema(64)));
    BOOST_TEST(is_refused(nested_schema(65)));
    json::array many;
    for (int i = 0; i < 20'000; ++i)
        many.emplace_back(true);
    json::object document;
    document.emplace("anyOf", many);
    BOOST_TEST(is_refused(document));
    document.at("anyOf").get_array().pop_back();
    BOOST_TEST(!is_refused(document));
}

BOOST_AUTO_TEST_CASE(the_patterns_of_a_document_have_a_bound_together)
{
    json::object patterns;
    for (int i = 0; i < 99; ++i)
        patterns.emplace("a{1000}" + std::to_string(i), true);
    json::object document;
    document.emplace("patternProperties", patterns);
    BOOST_TEST(!is_refused(document));
    patterns.emplace("b{1000}", true);
    document.at("patternProperties") = patterns;
    BOOST_TEST(is_refused(document));
}

// Each of the schemas behind the long name has it in its pointer.
BOOST_AUTO_TEST_CASE(a_long_name_costs_its_own_length_once)
{
    json::object inner;
    inner.emplace("anyOf", json::array(10'000, true));
    json::object members;
    members.emplace(std::string(1'000'000, 'n'), inner);
    json::object document;
    document.emplace("properties", members);
    BOOST_TEST(!is_refused(document));
}

BOOST_AUTO_TEST_CASE(long_names_and_texts_are_not_repeated_in_full)
{
    json::object value;
    value.emplace(std::string(1000, 'n'), std::string(1000, 'v'));
    const std::vector<mismatch> found = compiled(R"({"additionalProperties":{"const":1}})").check(value);
    BOOST_REQUIRE(found.size() == 1);
    BOOST_TEST(found.front().where.size() < 100);
    BOOST_TEST(found.front().got.size() < 100);
}

BOOST_AUTO_TEST_SUITE_END()
