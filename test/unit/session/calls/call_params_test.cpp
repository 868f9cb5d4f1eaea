#include <partyline/session/call_params.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/test/unit_test.hpp>

#include <string>

namespace json = boost::json;
using partyline::call_params;

namespace {

std::string text(const call_params& params)
{
    std::string all;
    BOOST_TEST(!params.append_to(all, 64));
    return all;
}

} // namespace

BOOST_AUTO_TEST_SUITE(call_params_of_lists)

BOOST_AUTO_TEST_CASE(a_list_of_one_is_an_array)
{
    BOOST_TEST(text({1}) == "[1]");
    BOOST_TEST(text({"a"}) == R"(["a"])");
    BOOST_TEST(text({std::string(40, 'a')}) == "[\"" + std::string(40, 'a') + "\"]");
    BOOST_TEST(text({json::array{"a", 1}}) == R"([["a",1]])");
    const json::array pair{"a", 1};
    BOOST_TEST(text({pair}) == R"([["a",1]])");
    BOOST_TEST(text({json::object{{"a", 1}}}) == R"([{"a":1}])");
    BOOST_TEST(text({nullptr}) == "[null]");
}

BOOST_AUTO_TEST_CASE(a_list_of_one_pair_is_an_object)
{
    BOOST_TEST(text({{"a", 1}}) == R"({"a":1})");
    BOOST_TEST(text({{"a", std::string(40, 'b')}}) == R"({"a":")" + std::string(40, 'b') + R"("})");
    BOOST_TEST(text({{"a", {{"b", 1}}}}) == R"({"a":{"b":1}})");
    BOOST_TEST(text({{1, 2}}) == "[[1,2]]");
}

BOOST_AUTO_TEST_CASE(longer_ones_are_either)
{
    BOOST_TEST(text({1, 2}) == "[1,2]");
    BOOST_TEST(text({{"a", 1}, {"b", 2}}) == R"({"a":1,"b":2})");
    BOOST_TEST(text({}) == "");
}

BOOST_AUTO_TEST_SUITE_END()
