#include "mcp/schema/check/value_order.hpp"

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using namespace partyline::mcp::detail;
namespace json = boost::json;

namespace {

bool are_equal_texts(const std::string& a, const std::string& b)
{
    step_budget budget(1000);
    return are_equal(json::parse(a), json::parse(b), budget) && !budget.is_used_up();
}

} // namespace

BOOST_AUTO_TEST_SUITE(value_order)

BOOST_AUTO_TEST_CASE(values_are_equal_as_json_schema_has_it)
{
    const std::vector<std::string> apart = {"null", "false",      "true",       "0",          "1",
                                            "\"\"", "\"1\"",      "[]",         "[1]",        "[1,2]",
                                            "{}",   R"({"a":1})", R"({"a":2})", R"({"b":1})", R"({"a":1,"b":1})"};
    for (std::size_t a = 0; a < apart.size(); ++a) {
        for (std::size_t b = 0; b < apart.size(); ++b)
            BOOST_TEST(are_equal_texts(apart[a], apart[b]) == (a == b), apart[a] << " and " << apart[b]);
    }
    BOOST_TEST(are_equal_texts(R"({"a":1,"b":[{"c":2}]})", R"({"b":[{"c":2.0}],"a":1e0})"));
}

BOOST_AUTO_TEST_CASE(the_order_of_two_is_the_other_way_round_for_the_other)
{
    const std::vector<std::string> texts = {"null", "true",  "1",          "\"a\"",     "\"b\"",
                                            "[2]",  "[1,1]", R"({"a":1})", R"({"b":0})"};
    step_budget budget(10'000);
    for (const std::string& a : texts) {
        for (const std::string& b : texts) {
            const auto there = order_values(json::parse(a), json::parse(b), budget);
            const auto back = order_values(json::parse(b), json::parse(a), budget);
            BOOST_TEST((there == (0 <=> back)), a << " and " << b);
        }
    }
}

BOOST_AUTO_TEST_CASE(equal_elements_are_found_in_less_than_quadratic_time)
{
    json::array elements;
    for (int i = 0; i < 10'000; ++i)
        elements.emplace_back((i * 7919) % 10'007);
    step_budget budget(300'000);
    BOOST_TEST(!find_equal(elements, budget).has_value());
    elements[9'999] = elements[5'000];
    const auto found = find_equal(elements, budget);
    BOOST_TEST(!budget.is_used_up());
    BOOST_REQUIRE(found.has_value());
    BOOST_TEST(found->first == 5'000);
    BOOST_TEST(found->second == 9'999);
}

BOOST_AUTO_TEST_SUITE_END()
