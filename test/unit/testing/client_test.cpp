#include "unit/testing/methods.hpp"
#include "unit/testing/thrown.hpp"

#include <partyline/testing.hpp>

#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <string>
#include <vector>

namespace json = boost::json;
using namespace kit;
using boost::system::system_error;
using partyline::args;
using partyline::errc;
using partyline::named;
using partyline::rpc_error;
using partyline::test::client;

BOOST_AUTO_TEST_SUITE(test_client_calls, *boost::unit_test::timeout(30))

BOOST_AUTO_TEST_CASE(results_of_all_kinds_come_back)
{
    client c(methods());
    BOOST_TEST(c.call<int>("add", 1, 2) == 3);
    BOOST_TEST(c.call<std::vector<std::string>>("echo", partyline::call_params(json::array{"a"})).at(0) == "a");
    BOOST_TEST(c.call<json::value>("echo", 1, "x", nullptr) == (json::array{1, "x", nullptr}));
    BOOST_TEST(c.call<partyline::json_text>("echo", 1).text() == "[1]");
    BOOST_TEST(c.call<std::vector<int>>("echo", 4, 5).at(1) == 5);
    BOOST_TEST(c.call<point>("swap", partyline::call_params(point{1, 2})).x == 2);
    c.call<void>("nothing");
    c.call<void>("add", 1, 2);
}

BOOST_AUTO_TEST_CASE(params_go_as_they_are_given)
{
    client c(methods());
    BOOST_TEST(c.call<int>("add", named("a", 1, "b", 2)) == 3);
    BOOST_TEST(c.call<int>("add", args(1, 2)) == 3);
    BOOST_TEST(c.call<json::value>("echo", named("a", 1)) == (json::object{{"a", 1}}));
    BOOST_TEST(c.call<json::value>("echo", point{1, 2}) == (json::array{json::object{{"x", 1}, {"y", 2}}}));
    BOOST_TEST(c.call<json::value>("echo").is_null());
}

BOOST_AUTO_TEST_CASE(the_servers_error_is_thrown)
{
    client c(methods());
    try {
        c.call<int>("refuse");
        BOOST_ERROR("it has a result");
    } catch (const rpc_error& error) {
        BOOST_TEST(error.error().code == 7);
        BOOST_TEST(error.error().message == "No");
        BOOST_TEST(error.error().data.value() == json::value("why"));
    }
    BOOST_CHECK_THROW(c.call<int>("fail"), rpc_error);
    BOOST_CHECK_THROW(c.call<int>("unknown"), rpc_error);
}

BOOST_AUTO_TEST_CASE(an_expected_error_is_a_value)
{
    client c(methods());
    BOOST_TEST(c.error_of("refuse").code == 7);
    BOOST_TEST(c.error_of("unknown").code == partyline::error_codes::method_not_found);
    const partyline::error_object refused = c.error_of("add", "x", 2);
    BOOST_TEST(refused.code == partyline::error_codes::invalid_params);
    BOOST_TEST(refused.data.value().at("parameter") == json::value("a"));
    const partyline::error_object failed = c.error_of("fail");
    BOOST_TEST(failed.code == partyline::error_codes::internal_error);
    BOOST_TEST(failed.data.value() == (json::object{{"exception", "std::runtime_error"}}));
}

BOOST_AUTO_TEST_CASE(a_result_where_an_error_is_expected_is_told)
{
    client c(methods());
    BOOST_TEST(thrown_by<partyline::test::unexpected_result>([&] { c.error_of("add", 1, 2); }) ==
               "\"add\" was answered with a result, not with an error: 3");
    std::string text = "[\"x"; // its 200th byte is the first one of a character
    for (int i = 0; i < 98; ++i)
        text += "ä";
    BOOST_TEST(thrown_by<partyline::test::unexpected_result>([&] { c.error_of("echo", text.substr(2) + "ää"); }) ==
               "\"echo\" was answered with a result, not with an error: " + text + "...");
}

BOOST_AUTO_TEST_CASE(a_result_of_another_type_is_told)
{
    client c(methods());
    const auto call = [&] { c.call<std::string>("add", 1, 2); };
    BOOST_TEST(code_thrown_by(call) == make_error_code(errc::not_convertible));
    BOOST_TEST(contains(thrown_by<system_error>(call), "\"add\": expected string, got integer"));
}

BOOST_AUTO_TEST_CASE(params_that_cannot_be_sent_are_told)
{
    client c(methods());
    const partyline::call_params scalar = json::value(1);
    BOOST_TEST(code_thrown_by([&] { c.call<int>("add", scalar); }) == make_error_code(errc::bad_params));
    BOOST_TEST(code_thrown_by([&] { c.notify("add", scalar); }) == make_error_code(errc::bad_params));
    BOOST_TEST(code_thrown_by([&] { c.call<int>("", 1); }) == make_error_code(errc::bad_params));
    BOOST_TEST(c.call<int>("add", 1, 2) == 3);
}

BOOST_AUTO_TEST_CASE(methods_can_be_shared_by_several_clients)
{
    const auto shared = std::make_shared<const partyline::method_table>(methods());
    client one(shared);
    client other(shared);
    auto pending = one.start<int>("count", 2);
    BOOST_TEST(other.call<int>("add", 1, 2) == 3);
    BOOST_TEST(pending.get() == 2);
    BOOST_TEST(other.progress().empty());
}

BOOST_AUTO_TEST_SUITE_END()
