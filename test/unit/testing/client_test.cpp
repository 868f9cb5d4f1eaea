#include "unit/testing/methods.hpp"
#include "unit/testing/thrown.hpp"

#include <partyline/testing.hpp>

#include <boost/test/unit_test.hpp>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
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
    BOOST_TEST(c.call<int>("add", args(1, 2)) == 3);
    BOOST_TEST(c.call<std::vector<std::string>>("echo", json::array{"a"}).at(0) == "a");
    BOOST_TEST(c.call<json::value>("echo", args(1, "x", nullptr)) == (json::array{1, "x", nullptr}));
    BOOST_TEST(c.call<partyline::json_text>("echo", args(1)).text() == "[1]");
    BOOST_TEST(c.call<std::vector<int>>("echo", args(4, 5)).at(1) == 5);
    BOOST_TEST(c.call<point>("swap", point{1, 2}).x == 2);
    c.call<void>("nothing");
    c.call<void>("add", args(1, 2));
}

BOOST_AUTO_TEST_CASE(params_go_as_they_are_given)
{
    client c(methods());
    BOOST_TEST(c.call<int>("add", named("a", 1, "b", 2)) == 3);
    BOOST_TEST(c.call<int>("add", args(1, 2)) == 3);
    BOOST_TEST(c.call<json::value>("echo", named("a", 1)) == (json::object{{"a", 1}}));
    BOOST_TEST(c.call<json::value>("echo", args(point{1, 2})) == (json::array{json::object{{"x", 1}, {"y", 2}}}));
    BOOST_TEST(c.call<json::value>("echo", point{1, 2}) == (json::object{{"x", 1}, {"y", 2}}));
    BOOST_TEST(c.call("echo", partyline::json_text("[1]")).text() == "[1]");
    BOOST_TEST(c.call<json::value>("echo").is_null());
}

BOOST_AUTO_TEST_CASE(handlers_read_the_fields_of_http_that_are_given)
{
    partyline::method_table methods;
    methods.add("field", [](partyline::request_context& own, const std::string& name) {
        const auto found = own.http_field(name);
        return found ? std::string(*found) : "none";
    });
    partyline::test::client_options how;
    how.http_fields = {{"X-Tenant", "one"}, {"X-Other", ""}, {"x-tenant", "two"}};
    const auto shared = std::make_shared<const partyline::method_table>(std::move(methods));
    client c(shared, std::move(how));
    for (int i = 0; i != 2; ++i) {
        BOOST_TEST(c.call<std::string>("field", args("x-TENANT")) == "one, two");
        BOOST_TEST(c.call<std::string>("field", args("X-Other")) == "");
        BOOST_TEST(c.call<std::string>("field", args("X-Third")) == "none");
    }
    client plain(shared);
    BOOST_TEST(plain.call<std::string>("field", args("X-Tenant")) == "none");
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
    const partyline::error_object refused = c.error_of("add", args("x", 2));
    BOOST_TEST(refused.code == partyline::error_codes::invalid_params);
    BOOST_TEST(refused.data.value().at("parameter") == json::value("a"));
    const partyline::error_object failed = c.error_of("fail");
    BOOST_TEST(failed.code == partyline::error_codes::internal_error);
    BOOST_TEST(failed.data.value() == (json::object{{"exception", "std::runtime_error"}}));
}

BOOST_AUTO_TEST_CASE(a_result_where_an_error_is_expected_is_told)
{
    client c(methods());
    BOOST_TEST(thrown_by<partyline::test::unexpected_result>([&] { c.error_of("add", args(1, 2)); }) ==
               "\"add\" was answered with a result, not with an error: 3");
    std::string text = "[\"x"; // its 200th byte is the first one of a character
    for (int i = 0; i < 98; ++i)
        text += "ä";
    BOOST_TEST(thrown_by<partyline::test::unexpected_result>([&] {
                   c.error_of("echo", args(text.substr(2) + "ää"));
               }) == "\"echo\" was answered with a result, not with an error: " + text + "...");
}

BOOST_AUTO_TEST_CASE(a_result_of_another_type_is_told)
{
    client c(methods());
    const auto call = [&] { c.call<std::string>("add", args(1, 2)); };
    BOOST_TEST(code_thrown_by(call) == make_error_code(errc::not_convertible));
    BOOST_TEST(contains(thrown_by<system_error>(call), "\"add\": expected string, got integer"));
}

BOOST_AUTO_TEST_CASE(params_that_cannot_be_sent_are_told)
{
    client c(methods());
    const partyline::call_params scalar = json::value(1);
    BOOST_TEST(code_thrown_by([&] { c.call<int>("add", scalar); }) == make_error_code(errc::bad_params));
    BOOST_TEST(code_thrown_by([&] { c.notify("add", scalar); }) == make_error_code(errc::bad_params));
    BOOST_TEST(code_thrown_by([&] { c.call<int>("", args(1)); }) == make_error_code(errc::bad_params));
    BOOST_TEST(c.call<int>("add", args(1, 2)) == 3);
}

BOOST_AUTO_TEST_CASE(methods_can_be_shared_by_several_clients)
{
    const auto shared = std::make_shared<const partyline::method_table>(methods());
    client one(shared);
    client other(shared);
    auto pending = one.start<int>("count", args(2));
    BOOST_TEST(other.call<int>("add", args(1, 2)) == 3);
    BOOST_TEST(pending.get() == 2);
    BOOST_TEST(other.progress().empty());
}

BOOST_AUTO_TEST_CASE(methods_may_be_made_by_a_function)
{
    client c([](partyline::session_options& its) {
        its.user_data = std::string("guest");
        partyline::method_table made;
        made.add("user", [](partyline::request_context& own) { return *own.user_data<std::string>(); });
        return made;
    });
    BOOST_TEST(c.call<std::string>("user") == "guest");
    BOOST_CHECK_THROW(client(nullptr), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
