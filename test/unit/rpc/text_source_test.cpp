#include "rpc/text_source.hpp"

#include <partyline/protocol/error.hpp>

#include <boost/json/array.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>
#include <string>
#include <utility>

using namespace partyline;
using detail::text_source;
namespace json = boost::json;

namespace {

/// A source, and the text that it reads.
struct source_of {
    explicit source_of(std::string what) : text(std::move(what)) {}
    text_source* operator->() { return &source; }

    std::string text;
    detail::reading how{unknown_members::refused};
    text_source source{json_view::checked(text), how};
};

constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t greatest = std::numeric_limits<std::int64_t>::max();

/// The number in a text; what it is not, by a word.
std::string signed_in(const char* text, std::int64_t min = least, std::int64_t max = greatest)
{
    std::int64_t number = 0;
    return source_of(text)->read_signed(number, min, max) ? std::to_string(number) : "none";
}
std::string unsigned_in(const char* text, std::uint64_t max = std::numeric_limits<std::uint64_t>::max())
{
    std::uint64_t number = 0;
    return source_of(text)->read_unsigned(number, max) ? std::to_string(number) : "none";
}
bool is_same_place(std::string_view a, std::string_view b)
{
    return a.data() == b.data();
}
double double_in(const char* text)
{
    double number = 0;
    return source_of(text)->read_double(number, std::numeric_limits<double>::max()) ? number : NAN;
}

} // namespace

BOOST_AUTO_TEST_SUITE(text_source_)

BOOST_AUTO_TEST_CASE(integers_are_read_within_their_range)
{
    BOOST_TEST(signed_in("0") == "0");
    BOOST_TEST(signed_in("-0") == "0");
    BOOST_TEST(signed_in("-12") == "-12");
    BOOST_TEST(signed_in("999999999999999999") == "999999999999999999");
    BOOST_TEST(signed_in("9223372036854775807") == "9223372036854775807");
    BOOST_TEST(signed_in("-9223372036854775808") == "-9223372036854775808");
    BOOST_TEST(signed_in("9223372036854775808") == "none");
    BOOST_TEST(signed_in("-9223372036854775809") == "none");
    BOOST_TEST(signed_in("100000000000000000000000000000") == "none");
    BOOST_TEST(signed_in("128", -128, 127) == "none");
    BOOST_TEST(signed_in("-128", -128, 127) == "-128");
    BOOST_TEST(unsigned_in("0") == "0");
    BOOST_TEST(unsigned_in("-1") == "none");
    BOOST_TEST(unsigned_in("18446744073709551615") == "18446744073709551615");
    BOOST_TEST(unsigned_in("18446744073709551616") == "none");
    BOOST_TEST(unsigned_in("256", 255) == "none");
}

BOOST_AUTO_TEST_CASE(what_is_not_written_as_an_integer_is_none)
{
    for (const char* text :
         {"2.0", "2e0", "2E1", "1234567890123456789.0", "1234567890123456789e1", "\"2\"", "null", "[]"}) {
        BOOST_TEST(signed_in(text) == "none");
        BOOST_TEST(unsigned_in(text) == "none");
    }
}

BOOST_AUTO_TEST_CASE(doubles_are_read_as_values_are)
{
    BOOST_TEST(double_in("2") == 2.0);
    BOOST_TEST(!std::signbit(double_in("-0")));
    BOOST_TEST(std::signbit(double_in("-0.0")));
    BOOST_TEST(double_in("0.1") == 0.1);
    BOOST_TEST(double_in("-1e-3") == -0.001);
    BOOST_TEST(double_in("12345678901234567890") == 12345678901234567890.0);
    BOOST_TEST(double_in("123456789012345678901234567890") == 123456789012345678901234567890.0);
    BOOST_TEST(std::isnan(double_in("1e400")));
    BOOST_TEST(std::isnan(double_in("1e-400")));
    BOOST_TEST(std::isnan(double_in("true")));
    double number = 0;
    BOOST_TEST(!source_of("-11")->read_double(number, 10));
    BOOST_TEST(!source_of("10.5")->read_double(number, 10));
}

BOOST_AUTO_TEST_CASE(strings_are_decoded)
{
    std::string text;
    BOOST_TEST(source_of(R"("plain")")->read_string(text));
    BOOST_TEST(text == "plain");
    BOOST_TEST(source_of(R"("a\n\u00e9\ud83d\ude00\"")")->read_string(text));
    BOOST_TEST(text == "a\n\u00e9\U0001F600\"");
    BOOST_TEST(!source_of("1")->read_string(text));
    std::string_view view;
    BOOST_TEST(!source_of(R"("\n")")->read_view(view));
    source_of plain(R"("text")");
    BOOST_TEST(plain->read_view(view));
    BOOST_TEST(view == "text");
}

BOOST_AUTO_TEST_CASE(literals_are_themselves)
{
    bool value = false;
    BOOST_TEST(source_of("true")->read_bool(value));
    BOOST_TEST(value);
    BOOST_TEST(source_of("false")->read_bool(value));
    BOOST_TEST(!value);
    BOOST_TEST(!source_of("null")->read_bool(value));
    BOOST_TEST(source_of("null")->read_null());
    BOOST_TEST(!source_of("1")->read_null());
}

BOOST_AUTO_TEST_CASE(elements_and_members_come_one_after_the_other)
{
    source_of from(R"([ 1 ,[], { "a" : true , "b\n":"x" ,"c":null} ])");
    std::int64_t number = 0;
    std::string_view name;
    BOOST_TEST(from->begin_array());
    BOOST_TEST(from->next_element());
    BOOST_TEST(from->read_signed(number, least, greatest));
    BOOST_TEST(from->next_element());
    BOOST_TEST(!from->begin_object());
    BOOST_TEST(from->begin_array());
    BOOST_TEST(!from->next_element());
    BOOST_TEST(from->next_element());
    BOOST_TEST(from->begin_object());
    bool value = false;
    BOOST_TEST(from->next_member(name, "a"));
    BOOST_TEST(name == "a");
    BOOST_TEST(from->read_bool(value));
    BOOST_TEST(from->next_member(name, "c"));
    BOOST_TEST(name == "b\n");
    std::string text;
    BOOST_TEST(from->read_string(text));
    BOOST_TEST(from->next_member(name));
    BOOST_TEST(name == "c");
    BOOST_TEST(from->read_null());
    BOOST_TEST(!from->next_member(name, "d"));
    BOOST_TEST(!from->next_element());
}

BOOST_AUTO_TEST_CASE(a_name_with_a_lone_surrogate_is_the_end_and_no_exception)
{
    source_of from(R"({"a":1,"\ud83d":2})");
    std::string_view name;
    BOOST_TEST(from->begin_object());
    BOOST_TEST(from->next_member(name));
    from->skip();
    BOOST_TEST(!from->has_failed());
    BOOST_TEST(!from->next_member(name));
    BOOST_TEST(from->has_failed());
}

BOOST_AUTO_TEST_CASE(a_likely_name_is_the_whole_name)
{
    const std::string_view likely = "ab";
    std::string_view name;
    for (const char* text : {R"({"abc":1})", R"({"a":1})", R"({"a\u0062":1})", R"({"":1})"}) {
        source_of from(text);
        from->begin_object();
        BOOST_TEST(from->next_member(name, likely));
        BOOST_TEST(!is_same_place(name, likely));
        BOOST_TEST(from->skip().text() == "1");
    }
    source_of from(R"({"ab":1})");
    from->begin_object();
    BOOST_TEST(from->next_member(name, likely));
    BOOST_TEST(is_same_place(name, likely));
}

BOOST_AUTO_TEST_CASE(any_value_can_be_taken_or_ignored)
{
    source_of from(R"([{"a":[1]},"x",2])");
    from->begin_array();
    from->next_element();
    BOOST_TEST(from->skip().text() == R"({"a":[1]})");
    from->next_element();
    json::value value;
    BOOST_TEST(from->read_value(value));
    BOOST_TEST(value == json::value("x"));
    from->next_element();
    BOOST_TEST(from->ignore());
    BOOST_TEST(!from->next_element());
    BOOST_TEST(source_of(R"({"e":[1.5,"e",true]})")->ignore());
    BOOST_TEST(!source_of("[1e400]")->ignore()); // might be one that no double can hold
    BOOST_TEST(!source_of(("[" + std::string(400, '1') + "]"))->ignore());
    BOOST_TEST(!source_of("1e400")->read_value(value));
}

BOOST_AUTO_TEST_SUITE_END()
