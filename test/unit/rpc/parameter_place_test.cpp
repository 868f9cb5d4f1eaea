#include "rpc/parameter_place.hpp"
#include "rpc/problem_list.hpp"

#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

using namespace partyline::detail;
using namespace partyline;
namespace json = boost::json;

namespace {

json::value data_of(std::string_view got)
{
    problem_list problems;
    parameter_place place;
    place.enter("a");
    problems.add(place, "integer", got);
    return problems.take().data.value();
}

} // namespace

BOOST_AUTO_TEST_SUITE(parameter_place_)

BOOST_AUTO_TEST_CASE(names_the_way_to_a_value)
{
    parameter_place place;
    BOOST_TEST(place.to_json() == json::value(nullptr));
    place.enter("items");
    BOOST_TEST(place.to_json() == json::value("items"));
    place.enter(2);
    BOOST_TEST(place.to_json() == json::value("items[2]"));
    place.enter("size");
    BOOST_TEST(place.to_json() == json::value("items[2].size"));
    place.leave();
    place.move_to(3);
    BOOST_TEST(place.to_json() == json::value("items[3]"));
    place.leave_to(0);
    BOOST_TEST(place.is_whole());
}

BOOST_AUTO_TEST_CASE(a_parameter_without_name_is_its_number)
{
    parameter_place place;
    place.enter(1);
    BOOST_TEST(place.to_json() == json::value(1));
    place.enter("size");
    BOOST_TEST(place.to_json() == json::value("[1].size"));
}

BOOST_AUTO_TEST_CASE(an_empty_name_is_a_name)
{
    parameter_place place;
    place.enter("");
    BOOST_TEST(place.to_json() == json::value(""));
}

BOOST_AUTO_TEST_CASE(a_long_value_is_shortened_between_characters)
{
    BOOST_TEST(data_of(std::string(64, 'x')).at("got") == json::value(std::string(64, 'x')));
    BOOST_TEST(data_of(std::string(65, 'x')).at("got") == json::value(std::string(64, 'x') + "..."));
    const std::string before(63, 'x');
    BOOST_TEST(data_of(before + "\xC3\xA9 and more").at("got") == json::value(before + "..."));
}

BOOST_AUTO_TEST_CASE(a_name_that_nobody_knows_is_told_with_those_that_are_known)
{
    problem_list problems;
    problems.add_unknown_name(parameter_place(), "c", "a, b");
    const error_object error = problems.take();
    BOOST_TEST(error.code == -32602);
    BOOST_TEST(json::serialize(*error.data) == R"({"parameter":"c","expected":"one of a, b","got":"c"})");
}

BOOST_AUTO_TEST_SUITE_END()
