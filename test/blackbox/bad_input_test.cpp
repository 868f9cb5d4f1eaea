#include "support/server_process.hpp"
#include "support/text_search.hpp"

#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

namespace json = boost::json;
using namespace partyline::test;

namespace {

struct row {
    std::string text;
    const char* id;
};

void check_refusals(const std::vector<row>& rows, int code)
{
    echo_server s;
    s.send(R"({"jsonrpc":"2.0","id":"other","method":"delay","params":{"ms":60000}})");
    for (const auto& [text, id] : rows) {
        BOOST_TEST_CONTEXT(text)
        {
            s.send(text);
            s.expect_error(id, code);
            s.expect_silence();
        }
    }
    s.send(R"({"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"other"}})");
    s.expect_error("\"other\"", -32800);
    s.close_input();
    s.expect_end(0);
}

} // namespace

BOOST_AUTO_TEST_SUITE(bad_input, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(what_is_not_json_is_a_parse_error_without_id)
{
    std::vector<row> rows;
    for (const char* text :
         {"rubbish",
          "{",
          "}",
          "[",
          "\"",
          "{]",
          R"({"jsonrpc":"2.0","id":1,"method":"echo")",
          R"({"jsonrpc":"2.0","method":"foobar, "params":"bar","baz])",
          R"([{"jsonrpc":"2.0","method":"sum","params":[1,2,4],"id":"1"},{"jsonrpc":"2.0","method"])",
          R"({"jsonrpc":"2.0","id":1,"method":"echo"} {})",
          R"({"jsonrpc":"2.0","id":1,"method":"echo"}x)",
          R"({"jsonrpc":"2.0","id":1,"method":"echo",})",
          R"({'jsonrpc':'2.0','id':1,'method':'echo'})",
          R"({"jsonrpc":"2.0","id":01,"method":"echo"})",
          R"({"jsonrpc":"2.0","id":+1,"method":"echo"})",
          R"({"jsonrpc":"2.0","id":1.,"method":"echo"})",
          R"({"jsonrpc":"2.0","id":1,"method":"echo","params":[NaN]})",
          R"({"jsonrpc":"2.0","id":1,"method":"echo","params":[Infinity]})",
          R"({"jsonrpc":"2.0","id":1,"method":"echo","params":[1 2]})",
          R"({"jsonrpc":"2.0","id":1,"method":"echo","params":["\x"]})",
          R"({"jsonrpc":"2.0","id":1,"method":"echo","params":["\ud800"]})",
          R"({"jsonrpc":"2.0","id":1,"method":"echo","params":["\udc00\ud800"]})",
          R"({"jsonrpc":"2.0","id":1,"method":"echo","params":["\u12"]})",
          R"({"jsonrpc":"2.0","id":1,"method":"echo"} // comment)",
          "True",
          "nul",
          "Content-Length: 50",
          "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\",\"params\":[\"\xff\"]}",
          "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\",\"params\":[\"\xc0\xaf\"]}",
          "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\",\"params\":[\"\xed\xa0\x80\"]}",
          "{\"jsonrpc\":\"2.0\",\"id\":\"\xe2\x82\",\"method\":\"echo\"}",
          "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\",\"params\":[\"a\tb\"]}",
          "\x01"})
        rows.push_back({text, "null"});
    rows.push_back({std::string("{\"jsonrpc\":\"2.0\",\"id\":1,\0\"method\":\"echo\"}", 40), "null"});
    rows.push_back({std::string("\0", 1), "null"});
    check_refusals(rows, -32700);
}

BOOST_AUTO_TEST_CASE(a_parse_error_says_where)
{
    echo_server s;
    s.send(R"({"jsonrpc":"2.0",rubbish})");
    BOOST_TEST(s.expect_error("null", -32700).at("offset").as_int64() == 17);
}

BOOST_AUTO_TEST_CASE(a_bad_envelope_is_an_invalid_request_under_its_id)
{
    check_refusals({{R"({"id":5,"method":"echo"})", "5"},
                    {R"({"jsonrpc":"1.0","id":5,"method":"echo"})", "5"},
                    {R"({"jsonrpc":2.0,"id":5,"method":"echo"})", "5"},
                    {R"({"jsonrpc":null,"id":5,"method":"echo"})", "5"},
                    {R"({"JSONRPC":"2.0","id":5,"method":"echo"})", "5"},
                    {R"({"jsonrpc":"2.0","id":5})", "5"},
                    {R"({"jsonrpc":"2.0","id":"five"})", "\"five\""},
                    {R"({"jsonrpc":"2.0","id":null})", "null"},
                    {R"({"jsonrpc":"2.0","id":5,"Method":"echo"})", "5"},
                    {R"({"jsonrpc":"2.0","id":5,"method":1})", "5"},
                    {R"({"jsonrpc":"2.0","id":5,"method":null})", "5"},
                    {R"({"jsonrpc":"2.0","id":5,"method":["echo"]})", "5"},
                    {R"({"jsonrpc":"2.0","id":5,"method":"echo","params":1})", "5"},
                    {R"({"jsonrpc":"2.0","id":5,"method":"echo","params":"x"})", "5"},
                    {R"({"jsonrpc":"2.0","id":5,"method":"echo","params":true})", "5"},
                    {R"({"jsonrpc":"2.0","params":1,"method":"echo","id":5})", "5"},
                    {R"({"jsonrpc":"2.0","jsonrpc":"2.0","id":5,"method":"echo"})", "5"},
                    {R"({"jsonrpc":"2.0","id":5,"method":"echo","method":"echo"})", "5"},
                    {R"({"jsonrpc":"2.0","id":5,"method":"echo","m\u0065thod":"echo"})", "5"},
                    {R"({"jsonrpc":"2.0","id":5,"method":"echo","params":[],"params":[]})", "5"},
                    {R"({"jsonrpc":"2.0","id":5,"method":"echo","result":1})", "5"},
                    {R"({"jsonrpc":"2.0","id":5,"method":"echo","error":{}})", "5"}},
                   -32600);
}

BOOST_AUTO_TEST_CASE(an_envelope_without_a_usable_id_is_refused_under_null)
{
    check_refusals({{R"({"jsonrpc":"2.0","id":true,"method":"echo"})", "null"},
                    {R"({"jsonrpc":"2.0","id":[],"method":"echo"})", "null"},
                    {R"({"jsonrpc":"2.0","id":{"id":1},"method":"echo"})", "null"},
                    {R"({"jsonrpc":"2.0","id":5,"id":5,"method":"echo"})", "null"},
                    {R"({"jsonrpc":"2.0","id":5,"\u0069d":6,"method":"echo"})", "null"},
                    {R"({"jsonrpc":"2.0","method":1,"params":"bar"})", "null"},
                    {R"({"jsonrpc":"1.0","method":"echo"})", "null"},
                    {R"({"jsonrpc":"2.0","method":"echo","params":1})", "null"},
                    {R"({"jsonrpc":"2.0","Id":5})", "null"},
                    {R"({"jsonrpc":"2.0"})", "null"},
                    {R"({"foo":"boo"})", "null"},
                    {"{}", "null"},
                    {"1", "null"},
                    {"\"x\"", "null"},
                    {"null", "null"},
                    {"true", "null"},
                    {"-1.5e3", "null"},
                    {"[]", "null"},
                    {" [ ] ", "null"}},
                   -32600);
}

BOOST_AUTO_TEST_CASE(keys_are_compared_decoded_and_others_are_allowed)
{
    echo_server s;
    s.send(R"({"j\u0073onrpc":"2.0","\u0069d":5,"m\u0065thod":"e\u0063ho","p\u0061rams":[1],"extra":[{"id":6}]})");
    s.expect(R"({"jsonrpc":"2.0","id":5,"result":[1]})");
}

BOOST_AUTO_TEST_CASE(what_looks_like_a_response_is_never_answered)
{
    echo_server s;
    for (const char* text :
         {R"({"jsonrpc":"2.0","id":1,"result":1})",
          R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":""}})",
          R"({"jsonrpc":"2.0","id":"x","error":5})", R"({"jsonrpc":"2.0","id":1,"result":1,"error":{}})",
          R"({"result":null})", R"({"error":null})", R"({"jsonrpc":"1.0","id":true,"result":1})",
          R"({"jsonrpc":"2.0","id":1,"id":2,"result":1})", R"({"jsonrpc":"2.0","result":1,"params":5})",
          R"({"jsonrpc":"2.0","id":1,"r\u0065sult":1})", R"([{"jsonrpc":"2.0","id":1,"result":1}])",
          R"([{"result":1},{"error":1,"id":[]}])"}) {
        BOOST_TEST_CONTEXT(text)
        {
            s.send(text);
            s.expect_silence();
        }
    }
    s.close_input();
    s.expect_end(0);
}

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
