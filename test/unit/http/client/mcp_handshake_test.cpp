// http::mcp_client and the end of the handshake, step by step.

#include "client/client_fixture.hpp"
#include "client/fickle_server.hpp"

#include <partyline/http.hpp>
#include <partyline/mcp/client.hpp>

#include <boost/test/unit_test.hpp>

#include <optional>
#include <string>

using namespace partyline;
namespace asio = boost::asio;

BOOST_AUTO_TEST_SUITE(http_mcp_handshake, *boost::unit_test::timeout(60))

// By another connection it could overtake that.
BOOST_AUTO_TEST_CASE(has_been_answered_to_its_end_before_the_first_call_is_sent)
{
    asio::io_context context{1};
    test::scripted_server server(context);
    mcp::client_options how;
    how.era = mcp::wanted_era::legacy;
    how.session.executor_is_serial = true;
    mcp::client client(
        http::mcp_client(context.get_executor(), "http://127.0.0.1:" + std::to_string(server.port()) + "/mcp"), how);
    std::optional<error_code> started;
    client.start()([&](error_code failed, auto) { started = failed; });
    test::scripted_end first = server.accept();
    test::asked_request hello;
    hello.body = first.read_request("}}}");
    first.say(test::result_answer(
        hello,
        R"({"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}})",
        "Mcp-Session-Id: s\r\n"));
    first.read_request(R"("method":"notifications/initialized"})");
    test::run_until(context, [&] { return started.has_value(); });
    BOOST_TEST(!*started);
    std::optional<error_code> called;
    client.call_tool("any")([&](error_code failed, auto) { called = failed; });
    BOOST_TEST(!server.is_asked());
    first.say(test::bare_answer(202));
    BOOST_TEST(first.read_request().starts_with("GET ")); // for what the server says unasked
    BOOST_TEST(server.accept().read_request("}}").starts_with("POST "));
    BOOST_TEST(!called);
}

BOOST_AUTO_TEST_SUITE_END()
