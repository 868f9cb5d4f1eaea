#include <partyline/rpc/detail/parameter_list.hpp>

#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <string>

using namespace partyline::detail;
using namespace partyline;

namespace {

std::string complaint(std::size_t count, const parameter_names& names)
{
    try {
        parameter_list(count, count, names);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "none";
}

} // namespace

BOOST_AUTO_TEST_SUITE(parameter_list_)

BOOST_AUTO_TEST_CASE(says_how_many_are_expected)
{
    BOOST_TEST(parameter_list(0, 0).expected_count() == "no parameters");
    BOOST_TEST(parameter_list(1, 1).expected_count() == "1 parameter");
    BOOST_TEST(parameter_list(2, 2).expected_count() == "2 parameters");
    BOOST_TEST(parameter_list(3, 1).expected_count() == "1 to 3 parameters");
    BOOST_TEST(parameter_list(1, 0).expected_count() == "at most 1 parameter");
}

BOOST_AUTO_TEST_CASE(finds_parameters_by_name)
{
    const parameter_list list(2, 2, {"a", "b"});
    BOOST_TEST(list.find("b") == 1u);
    BOOST_TEST(list.find("c") == 2u);
    BOOST_TEST(list.joined_names() == "a, b");
    BOOST_TEST(list.has_names());
    BOOST_TEST(!parameter_list(2, 2).has_names());
}

BOOST_AUTO_TEST_CASE(refuses_names_that_do_not_fit)
{
    BOOST_TEST(complaint(2, {"a", "b"}) == "none");
    BOOST_TEST(complaint(2, {"a"}) == "1 name for 2 parameters");
    BOOST_TEST(complaint(1, {"a", "b", "c"}) == "3 names for 1 parameter");
    BOOST_TEST(complaint(3, {"a", "b", "a"}) == "two parameters are called \"a\"");
}

BOOST_AUTO_TEST_SUITE_END()
