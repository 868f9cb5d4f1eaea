#include "rpc/text_sink.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/test/unit_test.hpp>

#include <limits>
#include <string>

using namespace partyline;
using detail::text_sink;
namespace json = boost::json;

namespace {

template <class Write>
std::string sunk_text(Write write, std::size_t room = 128)
{
    byte_buffer out;
    text_sink sink(out, room, empty_optionals::left_out);
    write(sink);
    return sink.has_failed() ? "failed" : std::string(out.view());
}

} // namespace

BOOST_AUTO_TEST_SUITE(text_sink_)

BOOST_AUTO_TEST_CASE(scalars_are_themselves)
{
    BOOST_TEST(sunk_text([](text_sink& to) { to.write_null(); }) == "null");
    BOOST_TEST(sunk_text([](text_sink& to) { to.write_bool(true); }) == "true");
    BOOST_TEST(sunk_text([](text_sink& to) { to.write_bool(false); }) == "false");
    BOOST_TEST(sunk_text([](text_sink& to) { to.write_signed(-5); }) == "-5");
    BOOST_TEST(sunk_text([](text_sink& to) { to.write_unsigned(18446744073709551615u); }) == "18446744073709551615");
    BOOST_TEST(sunk_text([](text_sink& to) { to.write_double(2); }) == "2.0");
    BOOST_TEST(sunk_text([](text_sink& to) { to.write_double(0.1); }) == "0.1");
    BOOST_TEST(sunk_text([](text_sink& to) { to.write_string("a\n\"b\""); }) == R"("a\n\"b\"")");
}

BOOST_AUTO_TEST_CASE(elements_and_members_are_separated)
{
    const std::string text = sunk_text([](text_sink& to) {
        to.begin_array();
        to.begin_array();
        to.end_array();
        to.begin_object(0);
        to.end_object();
        to.begin_object(2);
        to.name("a", false);
        to.write_signed(1);
        to.name("b \"c\"", false);
        to.begin_array();
        to.write_null();
        to.write_value(json::object{{"d", 1}});
        to.end_array();
        to.name("e", false);
        to.begin_object(1);
        to.name("f", false);
        to.write_bool(true);
        to.end_object();
        to.end_object();
        to.write_value(json::array{1, 2});
        to.end_array();
    });
    BOOST_TEST(text == R"([[],{},{"a":1,"b \"c\"":[null,{"d":1}],"e":{"f":true}},[1,2]])");
}

BOOST_AUTO_TEST_CASE(what_has_no_text_is_noted)
{
    BOOST_TEST(sunk_text([](text_sink& to) { to.write_double(std::numeric_limits<double>::infinity()); }) == "failed");
    BOOST_TEST(sunk_text([](text_sink& to) { to.write_double(std::numeric_limits<double>::quiet_NaN()); }) == "failed");
    BOOST_TEST(sunk_text([](text_sink& to) { to.write_string("\xFF"); }) == "failed");
    BOOST_TEST(sunk_text([](text_sink& to) { to.write_value(json::value("\xFF")); }) == "failed");
    const auto write_named = [](text_sink& to) {
        to.begin_object(1);
        to.name("\xFF", false);
        to.write_null();
        to.end_object();
    };
    BOOST_TEST(sunk_text(write_named) == "failed");
}

BOOST_AUTO_TEST_CASE(nothing_is_wanted_of_what_stands_too_deep)
{
    bool is_entered = true;
    const auto write_nested = [&](text_sink& to) {
        to.begin_array();
        is_entered = to.begin_object(0);
        if (is_entered)
            to.end_object();
        to.end_array();
    };
    BOOST_TEST(sunk_text(write_nested, 2) == "[{}]");
    BOOST_TEST(is_entered);
    BOOST_TEST(sunk_text(write_nested, 1) == "failed");
    BOOST_TEST(!is_entered);
    const auto write_value = [](text_sink& to) {
        to.begin_array();
        to.write_value(json::array{});
        to.end_array();
    };
    BOOST_TEST(sunk_text(write_value, 2) == "[[]]");
    BOOST_TEST(sunk_text(write_value, 1) == "failed");
}

BOOST_AUTO_TEST_CASE(who_ends_an_object_may_begin_another_beside_it)
{
    const auto write_two = [](text_sink& to) {
        to.begin_array();
        for (int i = 0; i != 2; ++i) {
            to.begin_object(0);
            to.end_object();
        }
        to.end_array();
    };
    BOOST_TEST(sunk_text(write_two, 2) == "[{},{}]");
}

BOOST_AUTO_TEST_SUITE_END()
