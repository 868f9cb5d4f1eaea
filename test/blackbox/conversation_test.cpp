// One conversation for each thing that the protocol has, through real pipes; what the rules are, unit tests say.

#include "support/server_process.hpp"
#include "support/text_search.hpp"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
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

std::string cancel(const std::string& id)
{
    return R"({"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":)" + id + "}}";
}

json::array read_batch(echo_server& s)
{
    return json::parse(s.read_line()).as_array();
}

// The reply to `id`; there is exactly one.
json::object reply_to(const json::array& batch, std::string_view id)
{
    json::object found;
    int count = 0;
    for (const json::value& reply : batch) {
        if (json::serialize(reply.at("id")) == id) {
            found = reply.as_object();
            ++count;
        }
    }
    BOOST_TEST(count == 1, count << " replies to " << id << " in " << json::serialize(batch));
    return found;
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

BOOST_AUTO_TEST_CASE(a_work_done_token_goes_before_the_id)
{
    echo_server s;
    s.send(R"({"jsonrpc":"2.0","id":7,"method":"count","params":{"to":1,"workDoneToken":"t"}})");
    s.expect(R"({"jsonrpc":"2.0","method":"$/progress","params":{"token":"t","value":1}})");
    s.expect(R"({"jsonrpc":"2.0","id":7,"result":{"counted":1}})");
}

// rule: mcp.cancel.race
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

BOOST_AUTO_TEST_CASE(a_request_that_runs_on_the_pool_is_cancelled_too)
{
    echo_server s;
    s.send(R"({"jsonrpc":"2.0","id":1,"method":"spin","params":{"ms":60000}})");
    s.expect_silence();
    s.send(cancel("1"));
    s.expect_error("1", -32800);
}

// rule: jsonrpc.notification.in_batch, jsonrpc.batch.each
BOOST_AUTO_TEST_CASE(every_kind_of_element_is_answered_in_one_array)
{
    echo_server s;
    s.send(R"([{"jsonrpc":"2.0","method":"sum","params":[1,2,4],"id":"1"},)"
           R"({"jsonrpc":"2.0","method":"log","params":{"message":"from a batch"}},)"
           R"({"jsonrpc":"2.0","method":"nothing"},)"
           R"({"jsonrpc":"2.0","method":"add","params":[42,-23],"id":"2"},)"
           R"({"foo":"boo"},)"
           R"({"jsonrpc":"2.0","method":"foo.get","params":{"name":"myself"},"id":"5"},)"
           R"({"jsonrpc":"2.0","result":1,"id":"6"},)"
           R"({"jsonrpc":"2.0","method":"add","params":[1],"id":"7"},)"
           R"({"jsonrpc":"2.0","method":"throw","params":{"what":"x"},"id":"8"},)"
           R"({"jsonrpc":"2.0","method":"delay","params":{"ms":30,"value":["hello",5]},"id":"9"},)"
           R"({"jsonrpc":"1.0","method":"echo","id":10}])");
    const json::array replies = read_batch(s);
    BOOST_TEST(replies.size() == 8u);
    BOOST_TEST(reply_to(replies, "\"1\"").at("result").as_int64() == 7);
    BOOST_TEST(reply_to(replies, "\"2\"").at("result").as_int64() == 19);
    check_error(reply_to(replies, "null"), "null", -32600);
    check_error(reply_to(replies, "\"5\""), "\"5\"", -32601);
    check_error(reply_to(replies, "\"7\""), "\"7\"", -32602);
    check_error(reply_to(replies, "\"8\""), "\"8\"", -32603);
    BOOST_TEST(json::serialize(reply_to(replies, "\"9\"").at("result")) == R"(["hello",5])");
    check_error(reply_to(replies, "10"), "10", -32600);
    s.close_input();
    s.expect_end(0);
    BOOST_TEST(contains(s.errors(), "from a batch"));
}

// rule: jsonrpc.notification.in_batch, jsonrpc.batch.nothing
BOOST_AUTO_TEST_CASE(a_batch_of_notifications_is_not_answered)
{
    echo_server s;
    s.send(R"([{"jsonrpc":"2.0","method":"notify_sum","params":[1,2,4]},)"
           R"({"jsonrpc":"2.0","method":"echo","params":[7]}])");
    s.expect_silence();
    s.send(R"([{"jsonrpc":"2.0","id":1,"result":1},{"jsonrpc":"2.0","method":"delay","params":{"ms":1}}])");
    s.expect_silence();
    s.close_input();
    s.expect_end(0);
}

BOOST_AUTO_TEST_CASE(a_batch_may_have_a_thousand_elements)
{
    std::string text;
    for (int i = 0; i < 1000; ++i)
        text += (i ? "," : "[") + std::string(R"({"jsonrpc":"2.0","method":"delay","params":{"ms":1},"id":)") +
                std::to_string(i) + "}";
    echo_server s;
    s.send(text + "]");
    s.close_input();
    const json::array replies = read_batch(s);
    BOOST_TEST(replies.size() == 1000u);
    std::vector<bool> seen(1000);
    for (const json::value& reply : replies)
        seen.at(static_cast<std::size_t>(reply.at("id").as_int64())) = true;
    BOOST_TEST(std::count(seen.begin(), seen.end(), true) == 1000);
    s.expect_end(0);
}

BOOST_AUTO_TEST_SUITE_END()
