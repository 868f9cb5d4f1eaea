#include "support/server_process.hpp"
#include "support/text_search.hpp"

#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

namespace json = boost::json;
using namespace partyline::test;

namespace {

const std::string endless = R"({"jsonrpc":"2.0","id":1,"method":"delay","params":{"ms":60000}})";

std::string cancel(const std::string& id)
{
    return R"({"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":)" + id + "}}";
}

} // namespace

BOOST_AUTO_TEST_SUITE(cancellation, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(a_running_request_is_answered_as_cancelled)
{
    echo_server s;
    s.send(endless);
    s.send(cancel("1"));
    const json::object reply = s.read_message();
    check_error(reply, "1", -32800);
    BOOST_TEST(reply.at("error").at("message").as_string() == "Request cancelled");
    s.expect_silence();
}

BOOST_AUTO_TEST_CASE(cancelling_twice_is_cancelling_once)
{
    echo_server s;
    s.send(endless);
    s.send(cancel("1") + "\n" + cancel("1"));
    s.expect_error("1", -32800);
    s.send(cancel("1"));
    s.expect_silence();
}

BOOST_AUTO_TEST_CASE(cancelling_what_is_unknown_or_finished_does_nothing)
{
    echo_server s;
    s.send(cancel("1"));
    s.expect_silence();
    s.send(R"({"jsonrpc":"2.0","id":1,"method":"delay","params":{"ms":1,"value":"done"}})");
    s.expect(R"({"jsonrpc":"2.0","id":1,"result":"done"})");
    s.send(cancel("1"));
    s.expect_silence();
    // The stale cancel does not wait for the next request of that id.
    s.send(R"({"jsonrpc":"2.0","id":1,"method":"delay","params":{"ms":20,"value":"again"}})");
    s.expect(R"({"jsonrpc":"2.0","id":1,"result":"again"})");
}

BOOST_AUTO_TEST_CASE(a_cancel_hits_the_request_that_has_the_id_now)
{
    echo_server s;
    s.send(endless);
    s.send(cancel("1"));
    s.expect_error("1", -32800);
    s.send(endless);
    s.expect_silence();
    s.send(cancel("1"));
    s.expect_error("1", -32800);
    s.expect_silence();
}

BOOST_AUTO_TEST_CASE(a_malformed_cancel_is_ignored)
{
    echo_server s;
    s.send(endless);
    for (const char* params :
         {"", "null", "[]", "[1]", "{}", R"({"id":true})", R"({"id":[1]})", R"({"id":{"id":1}})", R"({"ID":1})",
          R"({"requestId":1})", R"({"id":"1"})", R"({"id":1.0})", R"({"id":null})"}) {
        BOOST_TEST_CONTEXT(params)
        {
            const std::string member = *params ? R"(,"params":)" + std::string(params) : "";
            s.send(R"({"jsonrpc":"2.0","method":"$/cancelRequest")" + member + "}");
            s.expect_silence();
        }
    }
    s.send(cancel("1"));
    s.expect_error("1", -32800);
}

BOOST_AUTO_TEST_CASE(a_cancel_sent_as_a_request_does_not_exist_and_has_no_effect)
{
    echo_server s;
    s.send(endless);
    s.send(R"({"jsonrpc":"2.0","id":2,"method":"$/cancelRequest","params":{"id":1}})");
    s.expect_error("2", -32601);
    s.expect_silence();
    s.send(cancel("1"));
    s.expect_error("1", -32800);
}

BOOST_AUTO_TEST_CASE(a_string_id_is_cancelled_in_any_spelling)
{
    echo_server s;
    s.send(R"({"jsonrpc":"2.0","id":"a/b","method":"delay","params":{"ms":60000}})");
    s.send(cancel(R"("\u0061\/b")"));
    s.expect_error("\"a/b\"", -32800);
}

BOOST_AUTO_TEST_CASE(a_request_that_runs_on_the_pool_is_cancelled_too)
{
    echo_server s;
    s.send(R"({"jsonrpc":"2.0","id":1,"method":"spin","params":{"ms":60000}})");
    s.expect_silence();
    s.send(cancel("1"));
    s.expect_error("1", -32800);
}

BOOST_AUTO_TEST_CASE(cancelling_one_of_many_leaves_the_others_alone)
{
    echo_server s;
    for (int i = 0; i < 100; ++i)
        s.send(R"({"jsonrpc":"2.0","id":)" + std::to_string(i) + R"(,"method":"delay","params":{"ms":60000}})");
    for (int i = 99; i >= 0; i -= 2) {
        s.send(cancel(std::to_string(i)));
        s.expect_error(std::to_string(i), -32800);
    }
    s.expect_silence();
    for (int i = 0; i < 100; i += 2) {
        s.send(cancel(std::to_string(i)));
        s.expect_error(std::to_string(i), -32800);
    }
}

BOOST_AUTO_TEST_CASE(a_request_and_its_cancel_may_race_but_have_one_answer)
{
    echo_server s;
    std::string text;
    for (int i = 0; i < 500; ++i) {
        text += R"({"jsonrpc":"2.0","id":)" + std::to_string(i) + R"(,"method":"delay","params":{"ms":)" +
                std::to_string(i % 3) + "}}\n";
        text += cancel(std::to_string(i)) + "\n";
    }
    const std::string answers = exchange(std::move(s.input()), text, s.output());
    BOOST_TEST(s.wait_exit() == 0);
    BOOST_TEST(count_of(answers, "\n") == 500);
    for (int i = 0; i < 500; ++i)
        BOOST_TEST(count_of(answers, "\"id\":" + std::to_string(i) + ",") == 1);
}

BOOST_AUTO_TEST_SUITE_END()
