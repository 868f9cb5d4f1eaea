#include "bench/driver/content.hpp"
#include "bench/driver/reply_check.hpp"
#include "bench/driver/request_set.hpp"
#include "bench/driver/wire.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

using namespace bench;
namespace json = boost::json;

namespace {

request_set make(const content& fill, likeness like)
{
    random_source random(1);
    return request_set({.method = "m", .fill = fill, .like = like}, random);
}

json::object params_of(const request_set& set)
{
    return json::parse(set.body(0)).at("params").as_object();
}

} // namespace

BOOST_AUTO_TEST_SUITE(mcp_contents)

BOOST_AUTO_TEST_CASE(a_call_names_the_tool_and_says_who_calls_where_there_was_no_handshake)
{
    for (const protocol spoken : {protocol::mcp_handshake, protocol::mcp_stateless}) {
        const request_set set = make(tool_call(spoken, 16), likeness::of_tool);
        const json::object params = params_of(set);
        BOOST_TEST(params.at("name") == "echo");
        BOOST_TEST(params.at("arguments").at("text").as_string().size() == 16u);
        BOOST_TEST(json::serialize(params.at("arguments")) == set.result(0));
        BOOST_TEST(params.contains("_meta") == (spoken == protocol::mcp_stateless));
    }
}

BOOST_AUTO_TEST_CASE(a_list_is_asked_for_by_no_more_than_who_asks)
{
    const request_set plain = make(tool_list(protocol::mcp_handshake, 200), likeness::tools_listed);
    BOOST_TEST(params_of(plain).empty());
    BOOST_TEST(plain.result(0) == "200");
    const request_set stateless = make(tool_list(protocol::mcp_stateless, 200), likeness::tools_listed);
    BOOST_TEST(params_of(stateless).at("_meta").at("io.modelcontextprotocol/protocolVersion") == "2026-07-28");
}

BOOST_AUTO_TEST_CASE(a_handshake_is_a_request_and_a_notification)
{
    BOOST_TEST(json::parse(handshake::request).at("method") == "initialize");
    BOOST_TEST(json::parse(handshake::notification).at("method") == "notifications/initialized");
}

BOOST_AUTO_TEST_CASE(a_greeting_is_the_reply_to_it)
{
    BOOST_TEST(is_greeting(R"({"jsonrpc":"2.0","id":"first","result":{"protocolVersion":"2025-11-25"}})"));
    for (const char* other :
         {R"({"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25"}})",
          R"({"jsonrpc":"2.0","id":"first","result":{}})", R"({"jsonrpc":"2.0","id":"first","result":1})",
          R"({"jsonrpc":"2.0","id":"first","error":{"code":-32601,"message":"no"}})", "{}"})
        BOOST_TEST(!is_greeting(other), other);
    BOOST_CHECK_THROW(is_greeting("Hello"), failure);
}

BOOST_AUTO_TEST_CASE(replies_are_compared_as_the_requests_want)
{
    const request_set set = make(tool_call(protocol::mcp_handshake, 16), likeness::of_tool);
    const auto reply = [&set](const std::string& text) {
        return R"({"jsonrpc":"2.0","id":)" + std::to_string(set.ids()[0]) +
               R"(,"result":{"content":[{"type":"text","text":)" + text + "}]}}";
    };
    const std::string text = json::serialize(json::parse(set.result(0)).at("text"));
    reply_check right(set);
    right.note(reply(text));
    BOOST_CHECK_NO_THROW(right.finish());
    reply_check wrong(set);
    BOOST_CHECK_THROW(wrong.note(reply("\"another\"")), failure);
    reply_check bare(set);
    BOOST_CHECK_THROW(bare.note(R"({"jsonrpc":"2.0","id":)" + std::to_string(set.ids()[0]) + R"(,"result":)" +
                                std::string(set.result(0)) + "}"),
                      failure);
}

BOOST_AUTO_TEST_SUITE_END()
