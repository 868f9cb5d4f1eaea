#include "support/server_process.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <random>
#include <sstream>

namespace json = boost::json;
using namespace partyline::test;

namespace {

std::vector<std::string> lines_of(const std::string& text)
{
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    return lines;
}

// Where `text` stands among `lines`; exactly once.
std::ptrdiff_t position_of(const std::vector<std::string>& lines, std::string_view text)
{
    BOOST_TEST_CONTEXT(text)
    {
        BOOST_TEST(std::count(lines.begin(), lines.end(), text) == 1);
    }
    return std::find(lines.begin(), lines.end(), text) - lines.begin();
}

std::string progress(int value)
{
    return R"({"jsonrpc":"2.0","method":"$/progress","params":{"token":3,"value":)" + std::to_string(value) + "}}";
}

void count_errors(const std::vector<std::string>& lines, std::string_view id, int code, int expected)
{
    const auto is_it = [&](const std::string& line) {
        const json::object message = json::parse(line).as_object();
        const json::value* error = message.if_contains("error");
        return error && error->at("code").as_int64() == code && json::serialize(message.at("id")) == id;
    };
    BOOST_TEST(std::count_if(lines.begin(), lines.end(), is_it) == expected, "error " << code << " for " << id);
}

} // namespace

BOOST_AUTO_TEST_SUITE(conversation, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(six_messages_in_one_pipe_are_served_side_by_side)
{
    const auto start = std::chrono::steady_clock::now();
    echo_server s;
    s.send(R"({"jsonrpc":"2.0","id":1,"method":"delay","params":{"ms":300,"value":"slow"}})");
    s.send(R"({"jsonrpc":"2.0","id":"1","method":"echo","params":["fast"]})");
    s.send(R"({"jsonrpc":"2.0","id":2,"method":"delay","params":{"ms":60000}})");
    s.send(R"({"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":2}})");
    s.send("rubbish");
    s.send(R"({"jsonrpc":"2.0","id":3,"method":"count","params":{"to":3,"ms":10}})");
    s.close_input();
    const std::vector<std::string> lines = lines_of(s.output().read_rest());
    BOOST_TEST(s.wait_exit() == 0);
    BOOST_TEST((std::chrono::steady_clock::now() - start < std::chrono::seconds(5)));

    BOOST_TEST(lines.size() == 8u);
    position_of(lines, R"({"jsonrpc":"2.0","id":"1","result":["fast"]})");
    count_errors(lines, "2", -32800, 1);
    count_errors(lines, "null", -32700, 1);
    const auto counted = position_of(lines, R"({"jsonrpc":"2.0","id":3,"result":{"counted":3}})");
    BOOST_TEST(position_of(lines, progress(1)) < position_of(lines, progress(2)));
    BOOST_TEST(position_of(lines, progress(2)) < position_of(lines, progress(3)));
    BOOST_TEST(position_of(lines, progress(3)) < counted);
    BOOST_TEST(position_of(lines, R"({"jsonrpc":"2.0","id":1,"result":"slow"})") == 7);
}

BOOST_AUTO_TEST_CASE(fifty_delays_sent_shuffled_return_in_due_order)
{
    std::vector<int> numbers;
    for (int i = 1; i <= 50; ++i)
        numbers.push_back(i);
    std::shuffle(numbers.begin(), numbers.end(), std::mt19937(7));
    std::string requests;
    for (int i : numbers)
        requests += R"({"jsonrpc":"2.0","id":)" + std::to_string(i) + R"(,"method":"delay","params":{"ms":)" +
                    std::to_string(20 * i) + "}}\n";
    echo_server s;
    s.send_bytes(requests);
    s.close_input();
    for (int i = 1; i <= 50; ++i)
        s.expect(R"({"jsonrpc":"2.0","id":)" + std::to_string(i) + R"(,"result":null})");
    s.expect_end(0);
}

BOOST_AUTO_TEST_CASE(plain_methods_are_answered_in_the_order_of_the_requests)
{
    echo_server s;
    std::string requests;
    std::string replies;
    for (int i = 0; i < 1000; ++i) {
        const std::string id = std::to_string(i);
        requests += R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":"echo","params":[)" + id + "]}\n";
        replies += R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":[)" + id + "]}\n";
    }
    BOOST_TEST(exchange(std::move(s.input()), requests, s.output()) == replies);
    BOOST_TEST(s.wait_exit() == 0);
}

BOOST_AUTO_TEST_CASE(a_message_may_come_byte_by_byte)
{
    echo_server s;
    for (char c : std::string(R"({"jsonrpc":"2.0","id":1,"method":"echo","params":["é\n"]})") + "\r\n")
        s.send_bytes({&c, 1});
    s.expect(R"({"jsonrpc":"2.0","id":1,"result":["é\n"]})");
}

BOOST_AUTO_TEST_CASE(carriage_returns_blank_lines_and_a_leading_byte_order_mark_are_no_matter)
{
    echo_server s;
    s.send_bytes("\xEF\xBB\xBF{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\"}\r\n\r\n\n  \t\n");
    s.expect(R"({"jsonrpc":"2.0","id":1,"result":null})");
    s.send_bytes("  { \"jsonrpc\" : \"2.0\" ,\t\"method\":\"echo\", \"id\": 2 }  \r\n");
    s.expect(R"({"jsonrpc":"2.0","id":2,"result":null})");
    s.close_input();
    s.expect_end(0);
}

BOOST_AUTO_TEST_CASE(a_byte_order_mark_later_on_is_not_json)
{
    echo_server s;
    s.expect_silence();
    s.send("\xEF\xBB\xBF{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\"}");
    s.expect_error("null", -32700);
    s.expect_silence();
}

BOOST_AUTO_TEST_SUITE_END()
