#include "support/server_process.hpp"

#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

namespace json = boost::json;
using namespace partyline::test;

BOOST_AUTO_TEST_SUITE(progress, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(progress_goes_under_the_id_of_its_request)
{
    echo_server s;
    for (const std::string id : {"7", "\"seven\"", "7.0", "9007199254740993"}) {
        s.send(R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":"count","params":{"to":2}})");
        s.expect(R"({"jsonrpc":"2.0","method":"$/progress","params":{"token":)" + id + R"(,"value":1}})");
        s.expect(R"({"jsonrpc":"2.0","method":"$/progress","params":{"token":)" + id + R"(,"value":2}})");
        s.expect(R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":{"counted":2}})");
    }
}

BOOST_AUTO_TEST_CASE(a_work_done_token_goes_before_the_id)
{
    echo_server s;
    s.send(R"({"jsonrpc":"2.0","id":7,"method":"count","params":{"to":1,"workDoneToken":"t"}})");
    s.expect(R"({"jsonrpc":"2.0","method":"$/progress","params":{"token":"t","value":1}})");
    s.expect(R"({"jsonrpc":"2.0","id":7,"result":{"counted":1}})");
}

BOOST_AUTO_TEST_CASE(the_null_id_is_no_token)
{
    echo_server s;
    s.send(R"({"jsonrpc":"2.0","id":null,"method":"count","params":{"to":3}})");
    s.expect(R"({"jsonrpc":"2.0","id":null,"result":{"counted":3}})");
}

BOOST_AUTO_TEST_CASE(a_notification_makes_no_progress)
{
    echo_server s;
    s.send(R"({"jsonrpc":"2.0","method":"count","params":{"to":3}})");
    s.expect_silence();
}

BOOST_AUTO_TEST_CASE(progress_never_comes_after_the_reply)
{
    echo_server s;
    s.send(R"({"jsonrpc":"2.0","id":7,"method":"count","params":{"to":1000000,"ms":1}})");
    s.expect(R"({"jsonrpc":"2.0","method":"$/progress","params":{"token":7,"value":1}})");
    s.send(R"({"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":7}})");
    json::object message = s.read_message();
    while (message.contains("method"))
        message = s.read_message();
    check_error(message, "7", -32800);
    s.send(R"({"jsonrpc":"2.0","id":8,"method":"delay","params":{"ms":20}})");
    s.expect(R"({"jsonrpc":"2.0","id":8,"result":null})");
    s.close_input();
    s.expect_end(0);
}

BOOST_AUTO_TEST_CASE(requests_that_run_together_report_under_their_own_ids)
{
    echo_server s;
    s.send(R"({"jsonrpc":"2.0","id":1,"method":"count","params":{"to":20,"ms":2}})");
    s.send(R"({"jsonrpc":"2.0","id":2,"method":"count","params":{"to":20,"ms":3}})");
    s.close_input();
    std::int64_t last[] = {0, 0, 0};
    for (int i = 0; i < 42; ++i) {
        const json::object message = s.read_message();
        if (const json::value* params = message.if_contains("params"))
            BOOST_TEST(params->at("value").as_int64() == ++last[params->at("token").as_int64()]);
        else
            BOOST_TEST(last[message.at("id").as_int64()] == 20);
    }
    s.expect_end(0);
}

BOOST_AUTO_TEST_SUITE_END()
