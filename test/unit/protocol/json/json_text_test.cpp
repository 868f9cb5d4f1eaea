#include "unit/protocol/exact_text.hpp"

#include <partyline/protocol/error.hpp>
#include <partyline/protocol/json_text.hpp>

#include <boost/json/monotonic_resource.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace json = boost::json;
using partyline::json_text;
using partyline::json_view;

namespace {

json::value built(std::string_view text)
{
    const partyline::test::exact_text exact(text);
    return json_view::checked(exact).to_value();
}

} // namespace

BOOST_AUTO_TEST_SUITE(json_text_)

BOOST_AUTO_TEST_CASE(values_are_built)
{
    BOOST_TEST(json_view().to_value().is_null());
    BOOST_TEST(built("null").is_null());
    BOOST_TEST(built("true").as_bool());
    BOOST_TEST((built(R"("a\u0062\n")") == "ab\n"));
    const json::value nested = {{"a", {1, {{"b", nullptr}}}}, {"c", json::object()}};
    BOOST_TEST((built(R"({"a":[1,{"b":null}],"c":{}})") == nested));
    BOOST_TEST((built(R"({"a":1,"\u0061":2})") == json::value({{"a", 2}})));
}

BOOST_AUTO_TEST_CASE(kept_text_has_a_value_when_it_is_json)
{
    BOOST_TEST(json_text().to_value().is_null());
    BOOST_TEST(json_text(" [1, \"a\"]\n").to_value() == (json::value{1, "a"}));
    BOOST_TEST(json_text(json_view::checked("{\"a\":1}")).to_value() == json::value({{"a", 1}}));
    BOOST_TEST(json_text(std::string(128, '[') + std::string(128, ']')).to_value().is_array());
    for (const std::string& wrong : {std::string(" "), std::string("[1"), std::string("1 2"), std::string("\"\xff\""),
                                     std::string("1\0", 2), std::string(129, '[') + std::string(129, ']')})
        BOOST_CHECK_THROW(json_text(wrong).to_value(), std::invalid_argument);
    BOOST_CHECK_THROW(json_text("1e400").to_value(), partyline::rpc_error);
}

BOOST_AUTO_TEST_CASE(integers_keep_their_64_bits)
{
    BOOST_TEST(built("0").as_int64() == 0);
    BOOST_TEST(built("-0").as_int64() == 0);
    BOOST_TEST(built("9007199254740993").as_int64() == 9007199254740993);
    BOOST_TEST(built("9223372036854775807").as_int64() == std::numeric_limits<std::int64_t>::max());
    BOOST_TEST(built("-9223372036854775808").as_int64() == std::numeric_limits<std::int64_t>::min());
    BOOST_TEST(built("9223372036854775808").as_uint64() == 9223372036854775808u);
    BOOST_TEST(built("18446744073709551615").as_uint64() == std::numeric_limits<std::uint64_t>::max());
    BOOST_TEST(built("18446744073709551616").as_double() == 18446744073709551616.0);
    BOOST_TEST(built("-9223372036854775809").as_double() == -9223372036854775809.0);
    BOOST_TEST(built("1.0").as_double() == 1.0);
    BOOST_TEST(built("1e2").as_double() == 100.0);
}

BOOST_AUTO_TEST_CASE(numbers_too_close_to_zero_are_zero)
{
    const std::string zeros(400, '0');
    const std::vector<std::string> tiny = {"1e-400", "0." + zeros + "1", "1e-99999999999999999999", "0.001e-330"};
    for (const std::string& text : tiny)
        BOOST_TEST_CONTEXT(text)
    BOOST_TEST(built(text).as_double() == 0.0);
    BOOST_TEST(std::signbit(built("-1e-400").as_double()));
    BOOST_TEST(built("0e99999").as_double() == 0.0);
    BOOST_TEST(built("0." + zeros + "1e401").as_double() == 1.0);
    BOOST_TEST(built("1" + zeros + "e-400").as_double() == 1.0);
    BOOST_TEST(built("5e-324").as_double() == std::numeric_limits<double>::denorm_min());
}

BOOST_AUTO_TEST_CASE(numbers_no_double_can_hold_are_invalid_params)
{
    const std::string digits(400, '9');
    const std::vector<std::string> huge = {
        "1e400", "-1e400", digits, digits + ".5", "1.8e308", "1e99999999999999999999",
    };
    for (const std::string& text : huge)
        BOOST_TEST_CONTEXT(text)
        {
            const auto is_told = [&](const partyline::rpc_error& thrown) {
                const json::object& data = thrown.error().data->as_object();
                return thrown.error().code == partyline::error_codes::invalid_params &&
                       thrown.error().message == "Invalid params" && data.at("expected") == "a finite number" &&
                       data.at("got") == json::string(text.substr(0, 64));
            };
            BOOST_CHECK_EXCEPTION(built("[1,{\"a\":" + text + "}]"), partyline::rpc_error, is_told);
        }
}

BOOST_AUTO_TEST_CASE(doubles_are_read_exactly)
{
    std::mt19937_64 random(81);
    for (int i = 0; i < 20'000; ++i) {
        const std::uint64_t bits = random();
        double number = 0;
        std::memcpy(&number, &bits, sizeof number);
        if (!std::isfinite(number))
            continue;
        char text[64];
        std::snprintf(text, sizeof text, "%.16e", number);
        const double back = built(text).as_double();
        BOOST_TEST_REQUIRE(std::memcmp(&back, &number, sizeof back) == 0, text);
    }
}

BOOST_AUTO_TEST_CASE(values_live_in_the_storage_that_was_given)
{
    json::monotonic_resource memory;
    const json::value value = json_view::checked(R"({"a":["text that fits into no small buffer"]})").to_value(&memory);
    BOOST_TEST(value.storage().get() == &memory);
    BOOST_TEST(value.as_object().at("a").as_array()[0].as_string().storage().get() == &memory);
    BOOST_TEST(json_view().to_value(&memory).storage().get() == &memory);
}

BOOST_AUTO_TEST_CASE(large_and_deep_values_are_built)
{
    std::string wide = "[";
    for (int i = 0; i < 5'000; ++i)
        wide += std::to_string(i) + ",\"text number " + std::to_string(i) + "\",";
    wide.back() = ']';
    BOOST_TEST(json::serialize(built(wide)) == wide);
    const std::string deep = std::string(500, '[') + std::string(500, ']');
    BOOST_TEST(json::serialize(built(deep)) == deep);
    const std::string text = '"' + std::string(100'000, 'x') + "\\n\"";
    BOOST_TEST(built(text).as_string().size() == 100'001u);
}

BOOST_AUTO_TEST_CASE(kept_text_knows_where_it_came_from)
{
    BOOST_TEST(!json_text("[1]").is_checked());
    BOOST_TEST(json_text(json_view::checked("[1]")).is_checked());
    BOOST_TEST(json_text(json_view::checked("[1]")).text() == "[1]");
    BOOST_TEST(json_text().empty());
}

BOOST_AUTO_TEST_SUITE_END()
