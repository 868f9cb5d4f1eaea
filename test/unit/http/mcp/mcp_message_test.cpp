#include "http/mcp/mcp_message.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

using partyline::message_type;
using partyline::http::mcp_message;
using partyline::http::read_mcp_message;

namespace {

mcp_message read(const std::string& text)
{
    partyline::message_reader reader{partyline::limits()};
    return read_mcp_message(reader, text);
}

mcp_message read_request(const std::string& method, const std::string& params)
{
    return read(R"({"jsonrpc":"2.0","id":1.0,"method":")" + method + R"(","params":)" + params + '}');
}

} // namespace

BOOST_AUTO_TEST_SUITE(http_mcp_message)

BOOST_AUTO_TEST_CASE(a_request_for_something_has_its_name)
{
    const std::string params = R"({"name":"n","uri":"u","taskId":"t"})";
    for (const auto& [method, name] : {std::pair<std::string, std::string>{"tools/call", "n"},
                                       {"prompts/get", "n"},
                                       {"resources/read", "u"},
                                       {"tasks/get", "t"},
                                       {"tasks/update", "t"},
                                       {"tasks/cancel", "t"}}) {
        const mcp_message m = read_request(method, params);
        BOOST_TEST(m.has_name, method);
        BOOST_TEST(m.name == name, method);
        BOOST_TEST(!read_request(method, "{}").has_name, method);
        BOOST_TEST(!read_request(method, R"({"name":1,"uri":1,"taskId":1})").has_name, method);
    }
    for (const std::string method : {"tools/list", "prompts/list", "resources/subscribe", "ping", "prompts/get2"})
        BOOST_TEST(!read_request(method, params).has_name, method);
}

BOOST_AUTO_TEST_CASE(a_message_says_of_which_era_it_is)
{
    const mcp_message modern = read_request("initialize", R"({"_meta":{"io.modelcontextprotocol/protocolVersion":"v",)"
                                                          R"("io.modelcontextprotocol/clientCapabilities":{}}})");
    BOOST_TEST(modern.id == "1.0");
    BOOST_TEST(modern.is_modern);
    BOOST_TEST(modern.version == "v");
    BOOST_TEST(modern.has_envelope);
    BOOST_TEST(!modern.begins_session);
    const mcp_message half = read_request("x", R"({"_meta":{"io.modelcontextprotocol/protocolVersion":"v"}})");
    BOOST_TEST(half.is_modern);
    BOOST_TEST(!half.has_envelope);
    const mcp_message legacy = read_request("initialize", "{}");
    BOOST_TEST(!legacy.is_modern);
    BOOST_TEST(legacy.begins_session);
    BOOST_TEST(!read(R"({"jsonrpc":"2.0","method":"initialize"})").begins_session);
    BOOST_TEST((read("{").type == message_type::bad));
}

BOOST_AUTO_TEST_SUITE_END()
