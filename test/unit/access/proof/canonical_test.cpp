#include "access/proof/canonical.hpp"

#include <partyline/protocol/byte_buffer.hpp>

#include <boost/test/unit_test.hpp>

#include <bit>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

using namespace partyline::access;

namespace {

/// Nothing where it is refused.
std::optional<std::string> canonical(const std::string& json)
{
    partyline::byte_buffer out;
    if (!append_canonical(out, json))
        return std::nullopt;
    return std::string(out.view());
}

std::string canonical_or(const std::string& json)
{
    return canonical(json).value_or("refused");
}

bool are_equal(const std::string& a, const std::string& b)
{
    const auto one = digest_of_params(a);
    return one && one == digest_of_params(b);
}

std::string text_of(double number)
{
    char text[64];
    std::snprintf(text, sizeof text, "%.17e", number);
    return text;
}

} // namespace

BOOST_AUTO_TEST_SUITE(canonical_suite, *boost::unit_test::timeout(60))

// RFC 8785 §3.2.2 to §3.2.4.
BOOST_AUTO_TEST_CASE(the_example_of_the_specification_has_its_form)
{
    const std::string given = R"({
        "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
        "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
        "literals": [null, true, false]
      })";
    BOOST_TEST(canonical_or(given) ==
               "{\"literals\":[null,true,false],\"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27],"
               "\"string\":\"\u20ac$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}");
}

// RFC 8785 §3.2.3.
BOOST_AUTO_TEST_CASE(members_are_sorted_by_utf_16_code_units)
{
    const std::string given =
        R"({"\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh",
        "1": "One", "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control", "\u00f6": "Latin Small Letter O With Diaeresis"})";
    BOOST_TEST(
        canonical_or(given) ==
        "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u0080\":\"Control\",\"\u00f6\":\"Latin Small Letter O With "
        "Diaeresis\",\"\u20ac\":\"Euro Sign\",\"\U0001f600\":\"Emoji: Grinning Face\",\"\ufb33\":\"Hebrew Letter "
        "Dalet With Dagesh\"}");
    BOOST_TEST(canonical_or(R"({"b":1,"":2,"ab":3,"a":4,"B":5})") == R"({"":2,"B":5,"a":4,"ab":3,"b":1})");
    BOOST_TEST(canonical_or("{\"\uffff\":1,\"\U0001f600\":2,\"\ue000\":3,\"\ud7ff\":4,\"\U0010ffff\":5}") ==
               "{\"\ud7ff\":4,\"\U0001f600\":2,\"\U0010ffff\":5,\"\ue000\":3,\"\uffff\":1}");
}

// RFC 8785, appendix B, but for those that JSON has no text for.
BOOST_AUTO_TEST_CASE(numbers_are_written_as_ecmascript_writes_them)
{
    struct row {
        std::uint64_t bits;
        const char* text;
    };
    constexpr row rows[] = {
        {0x0000000000000000, "0"},
        {0x8000000000000000, "0"},
        {0x0000000000000001, "5e-324"},
        {0x8000000000000001, "-5e-324"},
        {0x7fefffffffffffff, "1.7976931348623157e+308"},
        {0xffefffffffffffff, "-1.7976931348623157e+308"},
        {0x4340000000000000, "9007199254740992"},
        {0xc340000000000000, "-9007199254740992"},
        {0x4430000000000000, "295147905179352830000"},
        {0x44b52d02c7e14af5, "9.999999999999997e+22"},
        {0x44b52d02c7e14af6, "1e+23"},
        {0x44b52d02c7e14af7, "1.0000000000000001e+23"},
        {0x444b1ae4d6e2ef4e, "999999999999999700000"},
        {0x444b1ae4d6e2ef4f, "999999999999999900000"},
        {0x444b1ae4d6e2ef50, "1e+21"},
        {0x3eb0c6f7a0b5ed8c, "9.999999999999997e-7"},
        {0x3eb0c6f7a0b5ed8d, "0.000001"},
        {0x41b3de4355555553, "333333333.3333332"},
        {0x41b3de4355555554, "333333333.33333325"},
        {0x41b3de4355555555, "333333333.3333333"},
        {0x41b3de4355555556, "333333333.3333334"},
        {0x41b3de4355555557, "333333333.33333343"},
        {0xbecbf647612f3696, "-0.0000033333333333333333"},
        {0x43143ff3c1cb0959, "1424953923781206.2"},
    };
    for (const row& one : rows)
        BOOST_TEST(canonical_or(text_of(std::bit_cast<double>(one.bits))) == one.text);
}

BOOST_AUTO_TEST_CASE(numbers_that_are_one_value_have_one_form)
{
    for (const char* const text : {"1", "1.0", "1e0", "10e-1", "0.1e1", "1.000000000000000000000000000000"})
        BOOST_TEST(canonical_or(text) == "1", text);
    for (const char* const text : {"0", "-0", "0.0", "-0e99", "0e-400"})
        BOOST_TEST(canonical_or(text) == "0", text);
    BOOST_TEST(canonical_or("123456789012345680000e0") == "123456789012345680000");
    BOOST_TEST(canonical_or("0.1") == "0.1");
    BOOST_TEST(canonical_or("-1.5E3") == "-1500");
}

BOOST_AUTO_TEST_CASE(a_number_that_no_double_holds_is_refused)
{
    for (const char* const text :
         {"9007199254740993", "-9007199254740993", "9007199254740993.0", "9007199254740993e0", "900719925474099300e-2",
          "9.007199254740993e15", "18446744073709551615", "9223372036854775807", "100000000000000000001",
          "18446744073709551616", "1e400", "-1e400", "1e-400", "1e99999999999"})
        BOOST_TEST(canonical_or(text) == "refused", text);
    for (const char* const text : {"9007199254740992", "9007199254740994", "9223372036854775808", "4611686018427387904",
                                   "100000000000000000000", "123456789012345680000", "-20000000000000000000"})
        BOOST_TEST(canonical_or(text) != "refused", text);
}

BOOST_AUTO_TEST_CASE(what_readers_may_take_for_different_things_is_refused)
{
    for (const char* const text :
         {R"({"a":1,"a":1})", R"([{"a":{"b":1,"\u0062":2}}])", R"("\ud800")", R"({"\udc00":1})", R"("\ud83dx")", "",
          "{", "[1,]", "01", "nul", R"({"a"})", "1 2", "\"\x01\""})
        BOOST_TEST(canonical_or(text) == "refused", text);
}

BOOST_AUTO_TEST_CASE(white_space_and_escapes_do_not_count)
{
    BOOST_TEST(canonical_or(" { \"a\" : [ ] , \"b\" : { } , \"c\" : [ { \"d\" : [ [ ] ] } ] } ") ==
               R"({"a":[],"b":{},"c":[{"d":[[]]}]})");
    BOOST_TEST(canonical_or(R"("\u0041\/\u00e9\ud83d\ude00\u001f\u007f")") == "\"A/\u00e9\U0001f600\\u001f\x7f\"");
    BOOST_TEST(canonical_or(R"("\b\f\n\r\t\"\\")") == R"("\b\f\n\r\t\"\\")");
}

BOOST_AUTO_TEST_CASE(params_do_not_have_their_metadata_and_tokens)
{
    BOOST_TEST(are_equal(R"({"a":1})", R"({"_meta":{"progressToken":1},"a":1})"));
    BOOST_TEST(are_equal(R"({"a":1})", R"({"\u005fmeta":9007199254740993,"a":1.0})"));
    BOOST_TEST(are_equal("", R"({"_meta":{}})"));
    BOOST_TEST(are_equal("", "{}"));
    BOOST_TEST(are_equal("null", "{ }"));
    BOOST_TEST(are_equal(R"({"b":[1,2],"a":{"d":1,"c":2}})", R"({"a":{"c":2,"d":1},"b":[1,2]})"));
    BOOST_TEST(are_equal(R"({"a":1})", R"({"workDoneToken":7,"a":1,"partialResultToken":"t"})"));
    BOOST_TEST(!are_equal(R"({"a":1})", R"({"progressToken":7,"a":1})"));
    BOOST_TEST(!are_equal(R"({"a":{"_meta":1}})", R"({"a":{}})"));
    BOOST_TEST(!are_equal(R"({"a":{"workDoneToken":1}})", R"({"a":{}})"));
    BOOST_TEST(!are_equal(R"([{"_meta":1}])", "[{}]"));
    BOOST_TEST(!are_equal("[1,2]", "[2,1]"));
    BOOST_TEST(!are_equal("[]", "{}"));
    BOOST_TEST(!digest_of_params(R"({"_meta":{},"_meta":{}})"));
    BOOST_TEST(!digest_of_params(R"({"workDoneToken":1,"workDone\u0054oken":1})"));
    BOOST_TEST(!digest_of_params(R"({"a":1,"_meta":{},"a":2})"));
    BOOST_TEST(!digest_of_params(R"({"a":9007199254740993})"));
}

// Whatever its shape, a megabyte takes no longer than another one by more than a few times.
BOOST_AUTO_TEST_CASE(a_megabyte_of_any_shape_takes_linear_time)
{
    constexpr std::size_t size = 1'000'000;
    const auto repeated = [](const std::string& part, const std::string& last, std::string end) {
        std::string text;
        std::string closing;
        while (text.size() + closing.size() < size) {
            text += part;
            closing += end;
        }
        return text + last + closing;
    };
    std::string names = "{";
    for (int i = 0; names.size() < size; ++i)
        names +=
            (i == 0 ? "\"" : ",\"") + std::string(20, 'n') + std::to_string(1'000'000 - i) + "\":" + std::to_string(i);
    std::string numbers = "[1";
    while (numbers.size() < size)
        numbers += ",1e20";
    const std::string texts[] = {
        repeated("[", "", "]"),               // deep
        repeated(R"({"b":1,"a":)", "1", "}"), // deep, and each to be sorted
        names + '}',                          // many members
        numbers + ']',                        // which become longer
        "[0." + std::string(size, '3') + ']', // one long number
        "[\"" + std::string(size / 6, 'x') + std::string(size / 2, '\x7f') + "\"]",
        "[" + repeated("[],", "[]", "") + ']',
    };
    for (const std::string& text : texts) {
        const auto began = std::chrono::steady_clock::now();
        BOOST_TEST(digest_of_params(text).has_value());
        const auto took = std::chrono::steady_clock::now() - began;
        BOOST_TEST((took < std::chrono::seconds(30)), text.substr(0, 20)); // where that is quadratic it takes minutes
    }
}

BOOST_AUTO_TEST_SUITE_END()
