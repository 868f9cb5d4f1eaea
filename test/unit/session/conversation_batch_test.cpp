#include "support/dialogue.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

namespace asio = boost::asio;
namespace json = boost::json;
using namespace partyline::test;

namespace {

std::string error(std::string_view id, int code, std::string_view message, std::string_view data)
{
    return R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"error":{"code":)" + std::to_string(code) +
           R"(,"message":")" + std::string(message) + R"(","data":)" + std::string(data) + "}}";
}

struct fixture : dialogue {
    gate held{context};
    int notified = 0;

    fixture()
    {
        methods.add("echo", [](json::value v) { return v; });
        methods.add("note", [this] { ++notified; });
        methods.add("wait", [this]() -> asio::awaitable<int> {
            co_await held.wait();
            co_return 1;
        });
    }
};

const std::string expected_object = error("null", -32600, "Invalid Request", R"({"reason":"expected an object"})");

} // namespace

BOOST_FIXTURE_TEST_SUITE(conversation_batch, fixture, *boost::unit_test::timeout(60))

// rule: jsonrpc.batch.array
BOOST_AUTO_TEST_CASE(one_array_comes_back_when_the_last_element_has_ended)
{
    send('[' + request("1", "wait") + ',' + request("2", "echo", "[2]") + ']');
    send(request("3", "echo", "[3]"));
    expect(result("3", "[3]"));
    expect_silence();
    held.open();
    expect('[' + result("2", "[2]") + ',' + result("1", "1") + ']');
}

BOOST_AUTO_TEST_CASE(a_result_finds_room_up_to_the_length_that_a_message_may_have)
{
    methods.add("text", [](int bytes) { return std::string(static_cast<std::size_t>(bytes), 'x'); });
    options.bounds.message_bytes = 300;
    std::size_t longest = 0;
    for (int bytes = 150; bytes != 250; ++bytes) {
        send('[' + request("1", "text", '[' + std::to_string(bytes) + ']') + ',' + request("2", "echo") + ']');
        const std::string reply = receive();
        if (reply.find("error") == reply.npos)
            longest = std::max(longest, reply.size());
    }
    BOOST_TEST(longest == 300u);
}

// rule: jsonrpc.batch.each, jsonrpc.batch.rubbish, security.messages.one_answer
BOOST_AUTO_TEST_CASE(every_kind_of_element_is_treated_as_it_would_be_alone)
{
    send('[' + request("1", "echo", "[1]") + ',' + notification("note") + R"(,1,[],{"foo":"boo"},)" +
         request("2", "missing") + R"(,{"jsonrpc":"2.0","id":9,"result":1},)" + request("1", "echo", "[4]") + ',' +
         request("3", "wait") + ',' + cancel("3") + ',' + request("4", "wait") + ',' + request("4", "wait") + ']');
    expect_silence();
    held.open();
    const std::string reply = receive();
    const json::value batch = json::parse(reply);
    BOOST_TEST(batch.as_array().size() == 9u);
    for (
        const std::string& part :
        {result("1", "[1]"), expected_object, result("1", "[4]"), result("4", "1"),
         std::string(
             R"({"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"Method not found","data":{"method":"missing"}}})"),
         cancelled("3"), std::string(R"("reason":"a request with this id is in flight","id":4)")})
        BOOST_TEST(reply.find(part) != std::string::npos, part);
    BOOST_TEST(notified == 1);
}

// rule: jsonrpc.batch.nothing
BOOST_AUTO_TEST_CASE(nothing_is_said_when_there_is_nothing_to_say)
{
    send('[' + notification("note") + ',' + notification("note") + ']');
    send(R"([{"jsonrpc":"2.0","id":1,"result":1}])");
    expect_silence();
    BOOST_TEST(notified == 2);
}

// rule: jsonrpc.response.unknown_id, jsonrpc.batch.not_json, jsonrpc.batch.empty, jsonrpc.batch.rubbish
BOOST_AUTO_TEST_CASE(what_is_no_batch_gets_one_error)
{
    send("[]");
    expect(error("null", -32600, "Invalid Request", R"({"reason":"empty batch"})"));
    send('[' + request("1", "note") + R"(,{"jsonrpc":"2.0","method"])");
    BOOST_TEST(receive().find("-32700") != std::string::npos);
    BOOST_TEST(notified == 0);
    send("[1,2]");
    expect('[' + expected_object + ',' + expected_object + ']');
}

// rule: security.messages.one_answer
BOOST_AUTO_TEST_CASE(a_batch_over_the_limit_runs_nothing_and_each_request_is_refused_by_its_id)
{
    options.bounds.batch_elements = 2;
    const std::string too_many = R"({"reason":"too many elements","limit":2,"value":5})";
    send('[' + request("1", "note") + ',' + notification("note") + R"(,2,{"id":"x"},)" + request("1.0", "note") + ']');
    expect('[' + error("1", -32600, "Invalid Request", too_many) + ',' +
           error("\"x\"", -32600, "Invalid Request", R"({"reason":"\"jsonrpc\" is missing"})") + ',' +
           error("1.0", -32600, "Invalid Request", too_many) + ',' +
           error("null", -32600, "Invalid Request", too_many) + ']');
    BOOST_TEST(notified == 0);
    // Many more are refused by one error, and replies by none.
    send('[' + request("1", "note") + std::string(16, ',').replace(0, 16, ",1,2,3,4,5,6,7,8") + ']');
    expect(error("null", -32600, "Invalid Request", R"({"reason":"too many elements","limit":2,"value":9})"));
    send('[' + result("1", "1") + ',' + result("2", "1") + ',' + result("3", "1") + ']');
    std::string replies = result("1", "1");
    for (int i = 2; i != 10; ++i)
        replies += ',' + result(std::to_string(i), "1");
    send('[' + replies + ']');
    expect_silence();
    send('[' + request("1", "note") + ',' + request("2", "note") + ']');
    expect('[' + result("1", "null") + ',' + result("2", "null") + ']');
}

BOOST_AUTO_TEST_CASE(the_refusal_of_a_batch_over_the_limit_is_no_longer_than_a_message)
{
    options.bounds.batch_elements = 10;
    options.bounds.message_bytes = 2000;
    std::string all = request("1", "m");
    for (int i = 2; i != 40; ++i)
        all += ',' + request(std::to_string(i), "m");
    send('[' + all + ']');
    const std::string refusal = receive();
    BOOST_TEST(refusal.size() < 2000u);
    BOOST_TEST(refusal.find(R"("id":10,)") != std::string::npos);
    BOOST_TEST(refusal.find(R"({"jsonrpc":"2.0","id":null,"error":{"code":-32600)") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_result_that_would_push_the_array_over_the_limit_becomes_an_error)
{
    options.bounds.message_bytes = 250;
    methods.add("long", [] { return std::string(150, 'x'); });
    send('[' + request("1", "long") + ',' + request("2", "long") + ']');
    const std::string reply = receive();
    BOOST_TEST(reply.find(result("1", '"' + std::string(150, 'x') + '"')) != std::string::npos);
    BOOST_TEST(reply.find(R"({"jsonrpc":"2.0","id":2,"error":{"code":-32603)") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(two_batches_at_once_stay_apart)
{
    send('[' + request("1", "wait") + ',' + request("2", "echo", "[2]") + ']');
    send('[' + request("3", "wait") + ',' + request("4", "echo", "[4]") + ']');
    expect_silence();
    held.open();
    expect('[' + result("2", "[2]") + ',' + result("1", "1") + ']');
    expect('[' + result("4", "[4]") + ',' + result("3", "1") + ']');
}

BOOST_AUTO_TEST_SUITE_END()
