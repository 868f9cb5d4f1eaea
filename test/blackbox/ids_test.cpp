#include "support/server_process.hpp"
#include "support/text_search.hpp"

#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

namespace json = boost::json;
using namespace partyline::test;

namespace {

std::string echo(const std::string& id)
{
    return R"({"jsonrpc":"2.0","method":"echo","id":)" + id + "}";
}

std::string endless(const std::string& id)
{
    return R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":"delay","params":{"ms":60000}})";
}

std::string cancel(const std::string& id)
{
    return R"({"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":)" + id + "}}";
}

std::string null_result(const std::string& id)
{
    return R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":null})";
}

const std::vector<std::string> eight_ids{"1", "\"1\"", "1.0", "0", "\"\"", "-1", "9007199254740993", "null"};

} // namespace

BOOST_AUTO_TEST_SUITE(ids, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(an_id_comes_back_with_its_exact_text)
{
    std::vector<std::string> texts = eight_ids;
    for (const char* text : {"1e0", "1E+2", "-0", "0.10", "123456789012345678901234567890", R"("\u0061")", R"("a\/b")",
                             "\"é😀\"", R"("{\"id\":1}")", "\"null\"", "-1.5e-10"})
        texts.push_back(text);
    echo_server s;
    for (const std::string& id : texts) {
        s.send(echo(id));
        s.expect(null_result(id));
    }
}

BOOST_AUTO_TEST_CASE(eight_ids_that_look_alike_run_side_by_side)
{
    echo_server s;
    for (const std::string& id : eight_ids)
        s.send(endless(id));
    s.expect_silence();
    for (const std::string& id : eight_ids) {
        s.send(cancel(id));
        const std::string line = s.read_line();
        BOOST_TEST(contains(line, R"("id":)" + id + R"(,"error":{"code":-32800)"), line);
    }
    s.expect_silence();
}

BOOST_AUTO_TEST_CASE(an_id_in_flight_is_refused_without_touching_the_first)
{
    echo_server s;
    for (const std::string& id : eight_ids) {
        BOOST_TEST_CONTEXT(id)
        {
            s.send(endless(id));
            s.send(echo(id));
            const std::string refusal = s.read_line();
            BOOST_TEST(contains(refusal, R"("id":null,"error":{"code":-32600)"), refusal);
            const std::string data = refusal.substr(refusal.find("\"data\":") + 7);
            BOOST_TEST((contains(data, "\"id\":" + id + "}") || contains(data, "\"id\":" + id + ",")), refusal);
            s.expect_silence();
            s.send(cancel(id));
            BOOST_TEST(s.read_message().at("error").at("code").as_int64() == -32800);
        }
    }
}

BOOST_AUTO_TEST_CASE(an_id_is_compared_decoded)
{
    echo_server s;
    s.send(endless(R"("a")"));
    s.send(echo(R"("\u0061")"));
    const json::value data = s.expect_error("null", -32600);
    BOOST_TEST(data.at("id").as_string() == "a");
    s.send(cancel(R"("\u0061")"));
    s.expect_error("\"a\"", -32800);

    s.send(endless(R"("\u0062")"));
    s.send(echo(R"("b")"));
    s.expect_error("null", -32600);
    s.send(cancel(R"("b")"));
    const std::string line = s.read_line();
    BOOST_TEST(contains(line, R"("id":"\u0062","error")"), line);
}

BOOST_AUTO_TEST_CASE(an_id_is_free_again_when_it_is_answered)
{
    echo_server s;
    for (int i = 0; i < 20; ++i) {
        s.send(endless("1"));
        s.send(cancel("1"));
        s.expect_error("1", -32800);
        s.send(echo("1"));
        s.expect(null_result("1"));
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

BOOST_AUTO_TEST_SUITE_END()
