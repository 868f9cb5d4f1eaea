#include "support/server_process.hpp"
#include "support/text_search.hpp"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <set>

namespace json = boost::json;
using namespace partyline::test;

namespace {

struct row {
    const char* params;
    const char* result;
};

void check_results(std::string_view method, const std::vector<row>& rows)
{
    echo_server s;
    for (const auto& [params, result] : rows) {
        BOOST_TEST_CONTEXT(method << " " << params)
        {
            s.send_request(method, params);
            s.expect_result(result);
        }
    }
}

} // namespace

BOOST_AUTO_TEST_SUITE(methods, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(echo_returns_its_params)
{
    check_results("echo", {{"", "null"}, {"null", "null"}, {R"([ {"z":[[]],"a":-0.5} ])", R"([{"z":[[]],"a":-0.5}])"}});
}

BOOST_AUTO_TEST_CASE(delay_returns_its_value)
{
    check_results("delay", {
                               {R"({"ms":0})", "null"},
                               {R"({"ms":1,"value":null})", "null"},
                               {R"({"ms":1,"value":[1,{"a":2}]})", R"([1,{"a":2}])"},
                               {R"({"value":"x","ms":1})", "\"x\""},
                           });
}

// rule: jsonrpc.params.position
BOOST_AUTO_TEST_CASE(add_takes_its_numbers_by_position_or_by_name_and_keeps_integers)
{
    check_results("add", {
                             {"[1,2]", "3"},
                             {"[-5,5]", "0"},
                             {R"({"a":1,"b":2})", "3"},
                             {R"({"b":2,"a":40})", "42"},
                             {"[1.5,2]", "3.5"},
                             {"[0.25,0.25]", "0.5"},
                             {"[9007199254740992,1]", "9007199254740993"},
                             {"[9223372036854775806,1]", "9223372036854775807"},
                         });
}

BOOST_AUTO_TEST_CASE(sum_takes_any_number_of_numbers)
{
    check_results("sum", {{"[]", "0"}, {"[7]", "7"}, {"[1,2,4]", "7"}, {"[1,0.5]", "1.5"}});
}

BOOST_AUTO_TEST_CASE(count_reports_progress_and_then_its_result)
{
    check_results("count", {{R"({"to":0})", R"({"counted":0})"}});
}

BOOST_AUTO_TEST_CASE(others_go_on_while_one_spins)
{
    echo_server s;
    s.send(R"({"jsonrpc":"2.0","id":1,"method":"spin","params":{"ms":300}})");
    s.send(R"({"jsonrpc":"2.0","id":2,"method":"echo"})");
    s.expect(R"({"jsonrpc":"2.0","id":2,"result":null})");
    BOOST_TEST(s.read_message().at("id").as_int64() == 1);
}

BOOST_AUTO_TEST_CASE(fail_answers_with_the_error_it_is_given)
{
    echo_server s;
    s.send_request("fail", R"({"code":7,"message":"no luck","data":{"why":[1]}})");
    s.expect(R"({"jsonrpc":"2.0","id":1,"error":{"code":7,"message":"no luck","data":{"why":[1]}}})");
    s.send_request("fail", R"({"code":-1,"message":""})");
    s.expect(R"({"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":""}})");
}

// rule: security.text.escaped
BOOST_AUTO_TEST_CASE(what_an_exception_says_commands_no_terminal)
{
    echo_server s;
    s.send_request("throw", R"({"what":"a\n\u001b[2J\u009b\u202e"})");
    s.expect_error("1", -32603);
    s.close_input();
    s.expect_end(0);
    BOOST_TEST(s.errors() == "partyline: the handler of \"throw\" threw std::runtime_error: "
                             "a\\u000a\\u001b[2J\\u009b\\u202e\n");
}

BOOST_AUTO_TEST_CASE(an_exception_tells_its_text_when_asked_to)
{
    echo_server s({"--expose-errors"});
    s.send_request("throw", R"({"what":"in the open"})");
    const json::value data = s.expect_error("1", -32603);
    BOOST_TEST(data.at("exception").as_string() == "std::runtime_error");
    BOOST_TEST(data.at("what").as_string() == "in the open");
}

BOOST_AUTO_TEST_CASE(methods_are_listed)
{
    echo_server s;
    s.send_request("methods");
    const json::value result = s.read_message().at("result");
    std::set<std::string> names;
    for (const json::value& name : result.as_array())
        names.emplace(name.as_string());
    BOOST_TEST(names.size() == result.as_array().size());
    for (const char* name : {"echo", "delay", "count", "add", "sum", "spin", "fail", "throw", "methods"})
        BOOST_TEST(names.count(name) == 1u, name);
}

BOOST_AUTO_TEST_SUITE_END()
