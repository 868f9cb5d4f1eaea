#include "support/server_process.hpp"
#include "support/text_search.hpp"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>

namespace json = boost::json;
using namespace partyline::test;

namespace {

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

BOOST_AUTO_TEST_SUITE(batch, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(what_is_no_batch_has_a_single_error)
{
    echo_server s;
    s.send("[]");
    s.expect_error("null", -32600);
    s.send(R"([{"jsonrpc":"2.0","method":"sum","params":[1,2,4],"id":"1"},{"jsonrpc":"2.0","method"])");
    s.expect_error("null", -32700);
    s.expect_silence();
}

BOOST_AUTO_TEST_CASE(each_bad_element_has_an_error)
{
    echo_server s;
    for (const auto& [text, size] : {std::pair("[1]", 1u), {"[1,2,3]", 3u}, {R"([[],{},"x",null,[{}]])", 5u}}) {
        BOOST_TEST_CONTEXT(text)
        {
            s.send(text);
            const json::array replies = read_batch(s);
            BOOST_TEST(replies.size() == size);
            for (const json::value& reply : replies)
                check_error(reply.as_object(), "null", -32600);
        }
    }
}

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

BOOST_AUTO_TEST_CASE(others_are_answered_while_a_batch_runs)
{
    echo_server s;
    s.send(R"([{"jsonrpc":"2.0","id":1,"method":"delay","params":{"ms":60000}},)"
           R"({"jsonrpc":"2.0","id":2,"method":"echo"}])");
    s.expect_silence();
    s.send(R"({"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}})");
    const json::array replies = read_batch(s);
    BOOST_TEST(replies.size() == 2u);
    check_error(reply_to(replies, "1"), "1", -32800);
    BOOST_TEST(reply_to(replies, "2").at("result").is_null());
}

BOOST_AUTO_TEST_CASE(elements_are_cancelled_one_by_one)
{
    echo_server s;
    s.send(R"([{"jsonrpc":"2.0","id":1,"method":"delay","params":{"ms":60000}},)"
           R"({"jsonrpc":"2.0","id":2,"method":"delay","params":{"ms":100,"value":"kept"}},)"
           R"({"jsonrpc":"2.0","id":3,"method":"delay","params":{"ms":60000}}])");
    s.send(R"({"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":3}})");
    s.send(R"([{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}])");
    const json::array replies = read_batch(s);
    BOOST_TEST(replies.size() == 3u);
    check_error(reply_to(replies, "1"), "1", -32800);
    BOOST_TEST(reply_to(replies, "2").at("result").as_string() == "kept");
    check_error(reply_to(replies, "3"), "3", -32800);
    s.expect_silence();
}

BOOST_AUTO_TEST_CASE(an_id_used_twice_in_a_batch_is_refused_once)
{
    echo_server s;
    s.send(R"([{"jsonrpc":"2.0","id":1,"method":"delay","params":{"ms":20,"value":"first"}},)"
           R"({"jsonrpc":"2.0","id":1,"method":"echo"}])");
    const json::array replies = read_batch(s);
    BOOST_TEST(replies.size() == 2u);
    BOOST_TEST(reply_to(replies, "1").at("result").as_string() == "first");
    BOOST_TEST(check_error(reply_to(replies, "null"), "null", -32600).at("id").as_int64() == 1);
}

BOOST_AUTO_TEST_CASE(progress_of_an_element_does_not_wait_for_the_batch)
{
    echo_server s;
    s.send(R"([{"jsonrpc":"2.0","id":1,"method":"count","params":{"to":2}}])");
    s.expect(R"({"jsonrpc":"2.0","method":"$/progress","params":{"token":1,"value":1}})");
    s.expect(R"({"jsonrpc":"2.0","method":"$/progress","params":{"token":1,"value":2}})");
    s.expect(R"([{"jsonrpc":"2.0","id":1,"result":{"counted":2}}])");
}

BOOST_AUTO_TEST_CASE(a_batch_over_the_limit_is_refused_whole)
{
    const std::string element = R"({"jsonrpc":"2.0","method":"log","params":{"message":"must not run"}})";
    std::string text = "[" + element;
    for (int i = 0; i < 1000; ++i)
        text += "," + element;
    echo_server s;
    s.send(text + "]");
    const json::value data = s.expect_error("null", -32600);
    BOOST_TEST(data.at("limit").as_int64() == 1000);
    BOOST_TEST(data.at("value").as_int64() == 1001);
    s.close_input();
    s.expect_end(0);
    BOOST_TEST(!contains(s.errors(), "must not run"));
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
