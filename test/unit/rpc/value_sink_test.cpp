#include "rpc/value_sink.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

using namespace partyline;
using detail::value_sink;
namespace json = boost::json;

BOOST_AUTO_TEST_SUITE(value_sink_)

BOOST_AUTO_TEST_CASE(a_value_is_made_of_its_pieces)
{
    value_sink to(empty_optionals::left_out);
    to.begin_object(3);
    to.name("a", false);
    to.begin_array();
    to.write_signed(-1);
    to.write_unsigned(2);
    to.write_double(0.5);
    to.begin_array();
    to.end_array();
    to.end_array();
    to.name("b", false);
    to.begin_object(1);
    to.name("c", false);
    to.write_string("text");
    to.end_object();
    to.name("d", false);
    to.write_value(json::value(json::array{nullptr}));
    to.name("e", false);
    to.write_bool(true);
    to.end_object();
    BOOST_TEST(to.take() == json::parse(R"({"a":[-1,2,0.5,[]],"b":{"c":"text"},"d":[null],"e":true})"));
}

BOOST_AUTO_TEST_CASE(numbers_keep_their_kind)
{
    const auto kind_of = [](auto write) {
        value_sink to(empty_optionals::left_out);
        write(to);
        return to.take().kind();
    };
    BOOST_TEST((kind_of([](value_sink& to) { to.write_signed(1); }) == json::kind::int64));
    BOOST_TEST((kind_of([](value_sink& to) { to.write_unsigned(1); }) == json::kind::uint64));
    BOOST_TEST((kind_of([](value_sink& to) { to.write_double(1); }) == json::kind::double_));
    BOOST_TEST((kind_of([](value_sink& to) { to.write_null(); }) == json::kind::null));
}

BOOST_AUTO_TEST_CASE(the_first_member_of_a_name_counts)
{
    value_sink to(empty_optionals::left_out);
    to.begin_object(2);
    for (int i = 1; i != 3; ++i) {
        to.name("a", false);
        to.begin_array();
        to.write_signed(i);
        to.end_array();
    }
    to.name("b", false);
    to.write_null();
    to.end_object();
    BOOST_TEST(to.knows_names());
    BOOST_TEST(json::serialize(to.take()) == R"({"a":[1],"b":null})");
}

BOOST_AUTO_TEST_SUITE_END()
