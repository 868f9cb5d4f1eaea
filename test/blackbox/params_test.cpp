#include "support/server_process.hpp"
#include "support/text_search.hpp"

#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

namespace json = boost::json;
using namespace partyline::test;

namespace {

struct refusal {
    const char* params;
    const char* parameter; // "" when there is none to name
};

void check_refusals(std::string_view method, const std::vector<refusal>& rows)
{
    echo_server s;
    for (const auto& [params, parameter] : rows) {
        BOOST_TEST_CONTEXT(method << " " << params)
        {
            s.send_request(method, params);
            const json::value data = s.expect_error("1", -32602);
            BOOST_TEST(data.is_object());
            if (*parameter)
                BOOST_TEST(json::serialize(data.at("parameter")) == parameter);
        }
    }
    s.expect_silence();
}

} // namespace

BOOST_AUTO_TEST_SUITE(params, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(a_sum_that_overflows_becomes_a_double)
{
    const std::vector<std::pair<const char*, double>> rows{
        {"[9223372036854775807,9223372036854775807]", 18446744073709551614.0},
        {"[-9223372036854775808,-1]", -9223372036854775809.0},
        {"[18446744073709551615,1]", 18446744073709551616.0},
    };
    echo_server s;
    for (const auto& [params, sum] : rows) {
        BOOST_TEST_CONTEXT(params)
        {
            s.send_request("add", params);
            const json::value result = s.read_message().at("result");
            BOOST_REQUIRE(result.is_double());
            BOOST_TEST(result.as_double() == sum);
        }
    }
}

BOOST_AUTO_TEST_CASE(wrong_params_are_refused_and_named)
{
    check_refusals("add", {
                              {"", ""},
                              {"[]", ""},
                              {"[1]", ""},
                              {"[1,2,3]", ""},
                              {"{}", ""},
                              {R"({"a":1})", "\"b\""},
                              {R"({"b":1})", "\"a\""},
                              {R"({"a":1,"b":2,"c":3})", "\"c\""},
                              {R"({"A":1,"b":2})", ""},
                              {R"({"a":"1","b":2})", "\"a\""},
                              {R"({"a":1,"b":null})", "\"b\""},
                              {R"({"a":1,"b":[2]})", "\"b\""},
                              {R"(["1",2])", "\"a\""},
                              {"[1,true]", "\"b\""},
                              {"[1,1e400]", ""},
                          });
    check_refusals("delay", {
                                {"", ""},
                                {"{}", "\"ms\""},
                                {R"({"ms":"soon"})", "\"ms\""},
                                {R"({"ms":null})", "\"ms\""},
                                {R"({"ms":1,"valeu":2})", "\"valeu\""},
                            });
    check_refusals("sum", {{"", ""}, {R"([1,"2"])", ""}, {R"({"a":1})", ""}});
    check_refusals("count", {{"{}", "\"to\""}, {R"({"to":"3"})", "\"to\""}});
}

BOOST_AUTO_TEST_CASE(a_wrong_type_is_described)
{
    echo_server s;
    s.send_request("add", R"({"a":1,"b":"two"})");
    const json::value data = s.expect_error("1", -32602);
    BOOST_TEST(data.at("parameter").as_string() == "b");
    BOOST_TEST(contains(data.at("expected").as_string(), "number"));
    BOOST_TEST(contains(data.at("got").as_string(), "string"));
}

BOOST_AUTO_TEST_SUITE_END()
