// What messages may look like, and what is said of those that may not.

#include "support/requests.hpp"
#include "support/server_process.hpp"
#include "support/text_search.hpp"

#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <tuple>

namespace json = boost::json;
using namespace partyline::test;

namespace {

std::string echo(const std::string& id)
{
    return R"({"jsonrpc":"2.0","method":"echo","id":)" + id + "}";
}

std::string null_result(const std::string& id)
{
    return R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":null})";
}

} // namespace

BOOST_AUTO_TEST_SUITE(messages, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(keys_are_compared_decoded_and_others_are_allowed)
{
    echo_server s;
    s.send(R"({"j\u0073onrpc":"2.0","\u0069d":5,"m\u0065thod":"e\u0063ho","p\u0061rams":[1],"extra":[{"id":6}]})");
    s.expect(R"({"jsonrpc":"2.0","id":5,"result":[1]})");
}

// rule: jsonrpc.response.id
BOOST_AUTO_TEST_CASE(an_id_comes_back_with_its_exact_text)
{
    echo_server s;
    for (const char* id : {"1", "\"1\"", "1.0", "0", "\"\"", "-1", "9007199254740993", "null", "1e0", "1E+2", "-0",
                           "0.10", "123456789012345678901234567890", R"("\u0061")", R"("a\/b")", "\"é😀\"",
                           R"("{\"id\":1}")", "\"null\"", "-1.5e-10"}) {
        s.send(echo(id));
        s.expect(null_result(id));
    }
}

BOOST_AUTO_TEST_CASE(an_id_may_take_1024_bytes_and_no_more)
{
    echo_server s;
    const std::string longest = '"' + std::string(1022, 'x') + '"';
    s.send(echo(longest));
    s.expect(null_result(longest));
    for (const std::string& id : {'"' + std::string(1023, 'x') + '"', std::string(1025, '7')}) {
        s.send(echo(id));
        const json::value data = s.expect_error("null", -32600);
        BOOST_TEST(data.at("limit").as_int64() == 1024);
        BOOST_TEST(data.at("value").as_int64() == 1025);
    }
    s.expect_silence();
}

BOOST_AUTO_TEST_CASE(messages_may_nest_128_deep)
{
    echo_server s;
    s.send(R"({"jsonrpc":"2.0","id":1,"method":"echo","params":)" + nested(127) + "}");
    s.expect(R"({"jsonrpc":"2.0","id":1,"result":)" + nested(127) + "}");
    s.send(R"({"jsonrpc":"2.0","id":1,"method":"echo","params":)" + nested(128) + "}");
    s.expect_error("1", -32600);
}

BOOST_AUTO_TEST_CASE(wrong_params_are_refused_and_named)
{
    const std::vector<std::tuple<const char*, const char*, const char*>> rows{
        {"add", R"({"a":1,"b":2,"c":3})", "\"c\""},
        {"delay", R"({"ms":"soon"})", "\"ms\""},
        {"sum", R"([1,"2"])", "1"},
        {"count", "{}", "\"to\""},
    };
    echo_server s;
    for (const auto& [method, params, parameter] : rows) {
        BOOST_TEST_CONTEXT(method << " " << params)
        {
            s.send_request(method, params);
            BOOST_TEST(json::serialize(s.expect_error("1", -32602).at("parameter")) == parameter);
        }
    }
}

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

// rule: security.harm.answer, security.messages.one_answer
BOOST_AUTO_TEST_CASE(a_storm_of_rubbish_costs_nobody_an_answer)
{
    echo_server s;
    std::string text;
    for (int i = 0; i < 500; ++i) {
        text += "rubbish\n{}\n\n";
        text += R"({"jsonrpc":"2.0","id":)" + std::to_string(i) + ",\"method\":\"echo\"}\n";
    }
    const std::string answers = exchange(std::move(s.input()), text, s.output());
    BOOST_TEST(s.wait_exit() == 0);
    BOOST_TEST(count_of(answers, "\n") == 1500);
    for (int i = 0; i < 500; ++i)
        BOOST_TEST(count_of(answers, "\"id\":" + std::to_string(i) + ",\"result\":null}\n") == 1);
}

BOOST_AUTO_TEST_SUITE_END()
