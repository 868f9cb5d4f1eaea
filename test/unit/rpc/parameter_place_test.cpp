#include <partyline/rpc/detail/parameter_place.hpp>
#include <partyline/rpc/detail/problem_list.hpp>

#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

using namespace partyline::detail;
using namespace partyline;
namespace json = boost::json;

namespace {

json::value data_of(std::string_view got)
{
    problem_list problems;
    reading how(unknown_members::refused, &problems);
    const parameter_place whole(how);
    BOOST_TEST(!refuse(parameter_place(whole, "a"), "integer", got));
    return problems.take().data.value();
}

reading plain_reading(unknown_members::refused);
const parameter_place params(plain_reading);

} // namespace

BOOST_AUTO_TEST_SUITE(parameter_place_)

BOOST_AUTO_TEST_CASE(names_the_way_to_a_value)
{
    const parameter_place items(params, "items");
    const parameter_place third(items, 2);
    const parameter_place size(third, "size");
    BOOST_TEST(params.to_json() == json::value(nullptr));
    BOOST_TEST(items.to_json() == json::value("items"));
    BOOST_TEST(third.to_json() == json::value("items[2]"));
    BOOST_TEST(size.to_json() == json::value("items[2].size"));
}

BOOST_AUTO_TEST_CASE(a_parameter_without_name_is_its_number)
{
    const parameter_place second(params, 1);
    const parameter_place nested(second, "size");
    BOOST_TEST(second.to_json() == json::value(1));
    BOOST_TEST(nested.to_json() == json::value("[1].size"));
}

BOOST_AUTO_TEST_CASE(an_empty_name_is_a_name)
{
    BOOST_TEST(parameter_place(params, "").to_json() == json::value(""));
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
    reading collecting(unknown_members::refused, &problems);
    BOOST_TEST(!refuse_unknown_name(parameter_place(collecting), "c", "a, b"));
    const error_object error = problems.take();
    BOOST_TEST(error.code == -32602);
    BOOST_TEST(json::serialize(*error.data) == R"({"parameter":"c","expected":"one of a, b","got":"c"})");
}

BOOST_AUTO_TEST_SUITE_END()
