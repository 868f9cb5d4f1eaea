#include <partyline/protocol/writer.hpp>

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

using namespace partyline;
namespace json = boost::json;

namespace {

std::string written(const json::value& value)
{
    byte_buffer out;
    const auto failure = write_value(out, value, 64);
    return failure ? failure->where + ": " + failure->reason : std::string(out.view());
}

std::string written_string(std::string_view text)
{
    byte_buffer out;
    write_string(out, text);
    return std::string(out.view());
}

} // namespace

BOOST_AUTO_TEST_SUITE(value_writer)

BOOST_AUTO_TEST_CASE(values_are_written)
{
    const std::vector<std::string> texts = {
        "null",
        "true",
        "false",
        "0",
        "-1",
        "9223372036854775807",
        "-9223372036854775808",
        "18446744073709551615",
        R"("")",
        R"("a")",
        "[]",
        "{}",
        "[[],{}]",
        R"([1,"b",null,true])",
        R"({"a":1,"b":{"c":[{}]},"":false})",
    };
    for (const std::string& text : texts)
        BOOST_TEST(written(json::parse(text)) == text);
}

BOOST_AUTO_TEST_CASE(doubles_are_short_and_stay_doubles)
{
    const double max = std::numeric_limits<double>::max();
    const std::vector<std::pair<double, std::string>> rows = {
        {1.0, "1.0"},
        {-0.0, "-0.0"},
        {0.1, "0.1"},
        {100.0, "100.0"},
        {1e22, "1e+22"},
        {1e300, "1e+300"},
        {-2.5, "-2.5"},
        {5e-324, "5e-324"},
        {max, "1.7976931348623157e+308"},
        {123456789012345680.0, "123456789012345680.0"},
    };
    for (const auto& [number, text] : rows)
        BOOST_TEST(written(number) == text);
}

BOOST_AUTO_TEST_CASE(doubles_come_back_exactly)
{
    std::mt19937_64 random(2);
    byte_buffer out;
    for (int i = 0; i < 20'000; ++i) {
        const std::uint64_t bits = random();
        double number = 0;
        std::memcpy(&number, &bits, sizeof number);
        if (!std::isfinite(number))
            continue;
        out.truncate(0);
        write_value(out, number, 1);
        const double back = json_view::checked(std::string(out.view())).to_value().as_double();
        BOOST_TEST_REQUIRE(std::memcmp(&back, &number, sizeof back) == 0, out.view());
    }
}

BOOST_AUTO_TEST_CASE(strings_are_escaped_where_they_must_be)
{
    std::string controls;
    for (char c = 0; c < 0x20; ++c)
        controls += c;
    BOOST_TEST(written_string(controls) ==
               R"("\u0000\u0001\u0002\u0003\u0004\u0005\u0006\u0007\b\t\n\u000b\f\r\u000e\u000f)"
               R"(\u0010\u0011\u0012\u0013\u0014\u0015\u0016\u0017\u0018\u0019\u001a\u001b\u001c\u001d\u001e\u001f")");
    BOOST_TEST(written_string(R"("\/)") == R"("\"\\/")");
    const std::string unescaped = "\x7F\xC3\xA9\xE2\x82\xAC\xF0\x9D\x84\x9E";
    BOOST_TEST(written_string(unescaped) == '"' + unescaped + '"');
}

BOOST_AUTO_TEST_CASE(strings_of_every_length_come_back)
{
    const std::string_view specials[] = {"x", "\n", "\"", "\xC3\xA9", "\xF0\x9D\x84\x9E", "\x01"};
    for (std::size_t before = 0; before < 36; ++before)
        for (std::size_t after = 0; after < 36; ++after)
            for (const std::string_view special : specials) {
                const std::string text = std::string(before, 'a') + std::string(special) + std::string(after, 'b');
                const std::string json_text = written_string(text);
                BOOST_TEST_REQUIRE(json_view::checked(json_text).to_value() == json::value(text), json_text);
            }
}

BOOST_AUTO_TEST_CASE(bytes_that_are_not_utf8_are_replaced_one_by_one)
{
    const std::string r = "\xEF\xBF\xBD";
    const std::vector<std::pair<std::string, std::string>> rows = {
        {"plain", "plain"},
        {"\xFF", r},
        {"a\x80z", "a" + r + "z"},
        {"\xC3", r},
        {"\xC3\xA9\xC3", "\xC3\xA9" + r},
        {"\xED\xA0\x80", r + r + r},
        {"\xF0\x9D\x84", r + r + r},
        {std::string(40, '\xFF'), std::string()},
        {"", ""},
    };
    for (const auto& [text, valid] : rows) {
        std::string expected = valid;
        if (text.size() == 40)
            for (int i = 0; i < 40; ++i)
                expected += r;
        BOOST_TEST(to_valid_utf8(text) == expected);
        BOOST_TEST(written_string(text) == '"' + expected + '"');
    }
}

BOOST_AUTO_TEST_CASE(what_has_no_json_text_is_refused_with_its_place)
{
    const double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
    const std::string bad = "\xFF";
    struct row {
        json::value value;
        std::string failure;
    };
    const std::vector<row> rows = {
        {infinity, ": a number that is not finite"},
        {-infinity, ": a number that is not finite"},
        {nan, ": a number that is not finite"},
        {json::string(bad), ": text that is not UTF-8"},
        {json::object{{"a", json::array{1, json::object{{"b", nan}}}}}, "/a/1/b: a number that is not finite"},
        {json::object{{"x", 1}, {"a/b~c", json::array{bad}}}, "/a~1b~0c/0: text that is not UTF-8"},
        {json::object{{"a", json::object{{"k" + bad, 1}}}}, "/a/k\xEF\xBF\xBD: text that is not UTF-8"},
        {json::object{{"", json::array{nullptr, nan}}}, "//1: a number that is not finite"},
        {json::array{"\xED\xA0\x80", 1}, "/0: text that is not UTF-8"},
    };
    for (const row& r : rows)
        BOOST_TEST(written(r.value) == r.failure);
}

BOOST_AUTO_TEST_CASE(a_failure_leaves_the_buffer_as_it_was)
{
    byte_buffer out;
    out.append("before");
    BOOST_TEST(write_value(out, {1, "text", {{"a", std::nan("")}}}, 8).has_value());
    BOOST_TEST(out.view() == "before");
}

BOOST_AUTO_TEST_CASE(a_value_may_be_as_deep_as_the_limit)
{
    byte_buffer out;
    const json::value value = json::parse(R"([{"a":[]}])");
    BOOST_TEST(!write_value(out, value, 3));
    const auto failure = write_value(out, value, 2);
    BOOST_REQUIRE(failure.has_value());
    BOOST_TEST(failure->where == "/0/a");
    BOOST_TEST(failure->reason == "nested deeper than 2");
    BOOST_TEST(!write_value(out, 1, 0));
}

BOOST_AUTO_TEST_SUITE_END()
