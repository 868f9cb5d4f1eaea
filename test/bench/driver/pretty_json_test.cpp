#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <bench/pretty_json.hpp>

namespace json = boost::json;

BOOST_AUTO_TEST_SUITE(pretty_json)

BOOST_AUTO_TEST_CASE(small_things_take_a_line_and_large_ones_an_indented_block)
{
    const json::value value = json::parse(R"({"a":[1,2.5,"x\n"],"b":{"c":null,"d":{}},"e":[]})");
    BOOST_TEST(bench::pretty(value) == "{\n"
                                       "  \"a\": [1, 2.5, \"x\\n\"],\n"
                                       "  \"b\": {\n"
                                       "    \"c\": null,\n"
                                       "    \"d\": {}\n"
                                       "  },\n"
                                       "  \"e\": []\n"
                                       "}\n");
    BOOST_TEST(json::parse(bench::pretty(value)) == value);
}

BOOST_AUTO_TEST_CASE(numbers_have_six_digits)
{
    BOOST_TEST(bench::pretty(json::value(0.123456789)) == "0.123457\n");
    BOOST_TEST(bench::pretty(json::value(1234567.0)) == "1.23457e+06\n");
    BOOST_TEST(bench::pretty(json::value(std::uint64_t(12345678901))) == "12345678901\n");
}

BOOST_AUTO_TEST_SUITE_END()
