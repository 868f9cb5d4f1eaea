#include "support/requests.hpp"
#include "support/sanitized.hpp"
#include "support/server_process.hpp"

#include <boost/test/unit_test.hpp>

namespace json = boost::json;
using namespace partyline::test;

namespace {

const std::string filler(400, 'x');

} // namespace

BOOST_AUTO_TEST_SUITE(limits, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(a_message_over_the_limit_is_refused_under_its_id_wherever_that_stands)
{
    echo_server s({"--max-message-bytes", "200"});
    const std::vector<std::pair<std::string, const char*>> rows{
        {R"({"jsonrpc":"2.0","id":1,"method":"echo","params":[")" + filler + "\"]}", "1"},
        {R"({"jsonrpc":"2.0","method":"echo","params":[")" + filler + R"("],"id":"last"})", "\"last\""},
        {R"({"params":{"id":5,"a":[{"id":6}],"x":")" + filler + R"("},"method":"echo","jsonrpc":"2.0","id":7})", "7"},
        {R"({"params":["\"id\":5,\\"],"x":"}{][\")" + filler + R"(","id":8,"method":"echo"})", "8"},
        {R"({"jsonrpc":"2.0","method":"echo","params":[")" + filler + "\"]}", "null"},
        {R"({"id":1,"jsonrpc":"2.0","id":2,"method":"echo","params":[")" + filler + "\"]}", "null"},
        {R"({"id":[1],"jsonrpc":"2.0","method":"echo","params":[")" + filler + "\"]}", "null"},
        {"[" + std::string(R"({"id":1,"jsonrpc":"2.0","method":"echo","params":[")") + filler + "\"]}]", "null"},
    };
    for (const auto& [text, id] : rows) {
        BOOST_TEST_CONTEXT(text)
        {
            s.send(text);
            check_limit(s.expect_error(id, -32600), 200, text.size());
            s.expect_silence();
        }
    }
    s.close_input();
    s.expect_end(0);
}

BOOST_AUTO_TEST_CASE(a_message_may_be_as_long_as_the_limit)
{
    const std::string head = R"({"jsonrpc":"2.0","id":1,"method":"echo","params":[")";
    const std::string longest = head + std::string(200 - head.size() - 3, 'x') + "\"]}";
    echo_server s({"--max-message-bytes", "200"});
    for (const char* end : {"\n", "\r\n"}) {
        s.send_bytes(longest + end);
        BOOST_TEST(s.read_message().contains("result"));
    }
    s.send(longest + " ");
    s.expect_error("1", -32600);
}

BOOST_AUTO_TEST_CASE(an_overlong_response_is_not_answered)
{
    echo_server s({"--max-message-bytes", "200"});
    s.send(R"({"jsonrpc":"2.0","id":1,"result":")" + filler + "\"}");
    s.send(R"({"jsonrpc":"2.0","error":{"data":")" + filler + R"("},"id":1})");
    s.expect_silence();
}

BOOST_AUTO_TEST_CASE(an_overlong_last_line_without_newline_is_refused)
{
    echo_server s({"--max-message-bytes", "200"});
    s.send_bytes(R"({"jsonrpc":"2.0","method":"echo","params":[")" + filler + R"("],"id":3})");
    s.close_input();
    s.expect_error("3", -32600);
    s.expect_end(0);
}

BOOST_AUTO_TEST_CASE(an_endless_line_takes_no_more_memory_than_the_limit)
{
    echo_server s({"--max-message-bytes", "1000000"});
    s.expect_silence();
    const std::size_t before = s.child().resident_bytes();
    s.send_bytes(R"({"jsonrpc":"2.0","method":"echo","params":[")");
    const std::string chunk(1 << 20, 'x');
    const std::size_t chunks = is_sanitized ? 8 : 64;
    for (std::size_t i = 0; i < chunks; ++i)
        s.send_bytes(chunk);
    const std::size_t after = s.child().resident_bytes();
    s.send(R"("],"id":"found"})");
    BOOST_TEST(s.expect_error("\"found\"", -32600).at("value").as_int64() > std::int64_t(chunks << 20));
    s.expect_silence();
    if (!is_sanitized)
        BOOST_TEST(after < before + 4'000'000);
}

BOOST_AUTO_TEST_CASE(messages_may_nest_128_deep)
{
    echo_server s;
    s.send(R"({"jsonrpc":"2.0","id":1,"method":"echo","params":)" + nested(127) + "}");
    s.expect(R"({"jsonrpc":"2.0","id":1,"result":)" + nested(127) + "}");
    const std::vector<std::pair<std::string, const char*>> rows{
        {R"({"jsonrpc":"2.0","id":1,"method":"echo","params":)" + nested(128) + "}", "1"},
        {R"({"jsonrpc":"2.0","method":"echo","params":)" + nested(128) + R"(,"id":"last"})", "\"last\""},
        {R"({"jsonrpc":"2.0","method":"echo","params":)" + nested(100'000) + R"(,"id":2})", "2"},
        {R"({"jsonrpc":"2.0","method":"echo","params":)" + nested(128) + "}", "null"},
        {nested(129), "null"},
    };
    for (const auto& [text, id] : rows) {
        BOOST_TEST_CONTEXT(text.substr(0, 60))
        {
            s.send(text);
            const json::value data = s.expect_error(id, -32600);
            BOOST_TEST(data.at("limit").as_int64() == 128);
            BOOST_TEST(data.at("value").as_int64() > 128);
            s.expect_silence();
        }
    }
    s.send(R"({"jsonrpc":"2.0","id":1,"result":)" + nested(128) + "}");
    s.expect_silence();
}

BOOST_AUTO_TEST_CASE(a_message_of_a_mebibyte_passes)
{
    echo_server s;
    const std::string payload(1 << 20, 'x');
    s.send(R"({"jsonrpc":"2.0","id":1,"method":"echo","params":[")" + payload + "\"]}");
    BOOST_TEST((s.read_line() == R"({"jsonrpc":"2.0","id":1,"result":[")" + payload + "\"]}"));
}

BOOST_AUTO_TEST_SUITE_END()
