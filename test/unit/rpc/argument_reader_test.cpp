#include "unit/rpc/handler_runner.hpp"

#include <partyline/rpc/detail/typed_handler.hpp>

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using namespace partyline::detail;
using namespace partyline;
namespace json = boost::json;

namespace {

struct row {
    const char* text;
    /// The value as text, or "" when it is refused for these reasons.
    const char* value;
    const char* expected = "";
    const char* got = "";
};

/// Reads each text as the one argument of a handler that returns it.
template <class T, std::size_t N>
void check(const row (&rows)[N])
{
    const auto target = make_handler([](T value) { return value; });
    for (const row& r : rows)
        BOOST_TEST_CONTEXT(r.text)
        {
            const std::string params = "[" + std::string(r.text) + "]";
            if (*r.value)
                BOOST_TEST(run(*target, params) == r.value);
            else
                BOOST_TEST(refusal(*target, params) == mismatch(0, r.expected, r.got));
        }
}

struct celsius {
    double degrees;
};

celsius tag_invoke(json::value_to_tag<celsius>, const json::value& value)
{
    return {value.to_number<double>()};
}

void tag_invoke(json::value_from_tag, json::value& value, const celsius& temperature)
{
    value = temperature.degrees;
}

} // namespace

BOOST_AUTO_TEST_SUITE(argument_reader_)

BOOST_AUTO_TEST_CASE(booleans)
{
    const row rows[] = {{"true", "true"},
                        {"false", "false"},
                        {"0", "", "boolean", "integer"},
                        {"\"true\"", "", "boolean", "string"},
                        {"null", "", "boolean", "null"}};
    check<bool>(rows);
}

BOOST_AUTO_TEST_CASE(small_integers)
{
    const row rows[] = {
        {"0", "0"},
        {"255", "255"},
        {"2.0", "2"},
        {"2e2", "200"},
        {"-0", "0"},
        {"-0.0", "0"},
        {"256", "", "integer from 0 to 255", "256"},
        {"-1", "", "integer from 0 to 255", "-1"},
        {"-1.0", "", "integer from 0 to 255", "-1"},
        {"300.0", "", "integer from 0 to 255", "300"},
        {"1e30", "", "integer from 0 to 255", "1e+30"},
        {"18446744073709551615", "", "integer from 0 to 255", "18446744073709551615"},
        {"2.5", "", "integer", "2.5"},
        {"\"2\"", "", "integer", "string"},
        {"null", "", "integer", "null"},
        {"[]", "", "integer", "array"},
        {"{}", "", "integer", "object"},
        {"true", "", "integer", "boolean"},
    };
    check<std::uint8_t>(rows);
}

BOOST_AUTO_TEST_CASE(large_integers)
{
    const char* const range = "integer from -9223372036854775808 to 9223372036854775807";
    const row signed_rows[] = {
        {"9223372036854775807", "9223372036854775807"},
        {"-9223372036854775808", "-9223372036854775808"},
        {"-9223372036854775808.0", "", range, "-9223372036854775808 or less"}, // as what is less, it comes as a double
        {"-9223372036854775809", "", range, "-9223372036854775808 or less"},
        {"9223372036854775808", "", range, "9223372036854775808"},
        {"9223372036854775808.0", "", range, "9223372036854775808"},
        {"-1e19", "", range, "-1e+19"},
    };
    check<std::int64_t>(signed_rows);
    const row unsigned_rows[] = {
        {"18446744073709551615", "18446744073709551615"},
        {"1e19", "10000000000000000000"},
        {"18446744073709551616", "", "integer from 0 to 18446744073709551615", "18446744073709551616"},
        {"-1", "", "integer from 0 to 18446744073709551615", "-1"},
    };
    check<std::uint64_t>(unsigned_rows);
}

BOOST_AUTO_TEST_CASE(floating_point_numbers)
{
    const row double_rows[] = {{"1", "1E0"},
                               {"2.5", "2.5E0"},
                               {"18446744073709551615", "1.8446744073709552E19"},
                               {"1e400", "", "a finite number", "1e400"},
                               {"\"1\"", "", "number", "string"},
                               {"null", "", "number", "null"}};
    check<double>(double_rows);
    const row float_rows[] = {
        {"0.5", "5E-1"}, {"-1", "-1E0"}, {"1e300", "", "number from -3.40282e+38 to 3.40282e+38", "1e+300"}};
    check<float>(float_rows);
}

BOOST_AUTO_TEST_CASE(strings)
{
    const row rows[] = {{"\"a\"", "\"a\""},
                        {"\"\"", "\"\""},
                        {R"("\u0061\n\"\u00e9")", "\"a\\n\\\"\xC3\xA9\""},
                        {R"("\u0000")", R"("\u0000")"},
                        {"1", "", "string", "integer"},
                        {"null", "", "string", "null"}};
    check<std::string>(rows);
    check<std::string_view>(rows);
    check<json::string>(rows);
}

BOOST_AUTO_TEST_CASE(json_values)
{
    const auto any = make_handler([](json::value a, int) { return a; });
    BOOST_TEST(run(*any, "[null,1]") == "null");
    BOOST_TEST(run(*any, R"([[1,{"a":"b"}],1])") == R"([1,{"a":"b"}])");

    const auto object = make_handler([](json::object a, std::optional<int>) { return a; });
    const auto array = make_handler([](json::array a, std::optional<int>) { return a; });
    BOOST_TEST(run(*object, "[{\"a\":[1]}]") == "{\"a\":[1]}");
    BOOST_TEST(refusal(*object, "[[]]") == mismatch(0, "object", "array"));
    BOOST_TEST(run(*array, "[[1,[2]]]") == "[1,[2]]");
    BOOST_TEST(refusal(*array, "[1]") == mismatch(0, "array", "integer"));
}

BOOST_AUTO_TEST_CASE(values_can_be_kept)
{
    json::value value;
    json::object object;
    std::vector<json::value> several;
    const auto target = make_handler([&](json::value a, json::object b, std::vector<json::value> c) {
        value = std::move(a);
        object = std::move(b);
        several = std::move(c);
    });
    run(*target, R"([["a long string, so that it is allocated"], {"b": [1, 2]}, [[3], "x"]])");
    BOOST_TEST(json::serialize(value) == R"(["a long string, so that it is allocated"])");
    BOOST_TEST(json::serialize(object) == R"({"b":[1,2]})");
    BOOST_TEST(json::serialize(several.at(0)) == "[3]");
    BOOST_TEST((value.storage().get() == json::storage_ptr().get()));
    BOOST_TEST((object.storage().get() == json::storage_ptr().get()));
    BOOST_TEST((several.at(0).get_array().storage().get() == json::storage_ptr().get()));
}

BOOST_AUTO_TEST_CASE(optional_arguments)
{
    const row rows[] = {{"1", "1"}, {"null", "null"}, {"\"1\"", "", "integer", "string"}};
    check<std::optional<int>>(rows);
}

BOOST_AUTO_TEST_CASE(what_boost_json_converts)
{
    const auto own = make_handler([](celsius value) { return value; });
    BOOST_TEST(run(*own, "[21]") == "2.1E1");
    BOOST_TEST(refusal(*own, "[\"x\"]").at("expected").as_string().starts_with("a value convertible to "));
}

BOOST_AUTO_TEST_SUITE_END()
