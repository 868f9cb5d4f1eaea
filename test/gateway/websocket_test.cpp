// WebSocket through the gateway: in front of a server on standard input and output, and for a host on them.

#include "running_gateway.hpp"
#include "support/server_process.hpp"
#include "support/websocket_client.hpp"
#include "support/websocket_frames.hpp"

#include <partyline/protocol/limits.hpp>

#include <boost/test/unit_test.hpp>

#include <csignal>
#include <string>

using partyline::test::running_gateway;
using partyline::test::server_process;
using partyline::test::websocket_client;

namespace {

std::string message_for(int id, const std::string& method, const std::string& params)
{
    return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":")" + method + R"(","params":)" + params +
           '}';
}

const std::string sum = R"({"jsonrpc":"2.0","id":1,"result":42})";

} // namespace

BOOST_AUTO_TEST_SUITE(gateway_websocket, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(each_client_has_a_server_of_its_own_and_hears_it)
{
    running_gateway gateway({"--", PARTYLINE_ECHO});
    websocket_client client(gateway.context, gateway.port());
    client.open("/ws", "Sec-WebSocket-Protocol: jsonrpc\r\n");
    client.say(message_for(1, "add", "[2,40]"));
    BOOST_TEST(client.next_text() == sum);
    client.say(message_for(2, "ask", R"(["who?"])")); // it tells the client a question, and waits for its answer
    const std::string question = client.next_text();
    BOOST_TEST(question.find(R"("method":"question")") != question.npos);
    const std::size_t id = question.find(R"("id":)") + 5;
    client.say(R"({"jsonrpc":"2.0","method":"answer","params":{"id":)" +
               question.substr(id, question.find(',', id) - id) + R"(,"value":"me"}})");
    BOOST_TEST(client.next_text() == R"({"jsonrpc":"2.0","id":2,"result":"me"})");
    websocket_client other(gateway.context, gateway.port());
    other.open("/ws");
    other.say(message_for(1, "add", "[2,40]"));
    BOOST_TEST(other.next_text() == sum);
    gateway.wait_for_servers(2);
    client.send(websocket_frames::closing(1000));
    gateway.wait_for_servers(1);
}

BOOST_AUTO_TEST_CASE(no_more_servers_run_for_connections_than_sessions_may_be_open)
{
    running_gateway gateway({"--max-sessions", "2", "--", PARTYLINE_ECHO});
    websocket_client first(gateway.context, gateway.port());
    first.open("/ws");
    partyline::test::http_client lines = gateway.connect();
    lines.send("{");
    gateway.wait_for_servers(2);
    const auto status = [&gateway] {
        partyline::test::http_client one = gateway.connect();
        one.send("GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                 "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
        return one.response().status;
    };
    BOOST_TEST(status() == 503);
    partyline::test::http_client fourth = gateway.connect();
    fourth.send("{");
    BOOST_TEST(fourth.is_closed());
    BOOST_TEST(gateway.servers().size() == 2u);
    first.send(websocket_frames::closing(1000));
    int last = 503;
    while (last == 503) // until the gateway, too, knows that its server has gone
        last = status();
    BOOST_TEST(last == 101);
}

BOOST_AUTO_TEST_CASE(its_port_speaks_without_http_too)
{
    running_gateway gateway({"--", PARTYLINE_ECHO});
    partyline::test::http_client lines = gateway.connect();
    lines.send(message_for(1, "add", "[2,40]") + '\n');
    BOOST_TEST(lines.read_bytes(sum.size()) == sum);
}

BOOST_AUTO_TEST_CASE(a_host_reaches_a_server_by_it_in_both_directions)
{
    running_gateway far({"--", PARTYLINE_ECHO});
    server_process host(PARTYLINE_GATEWAY, {"--stdio", "ws://127.0.0.1:" + std::to_string(far.port()) + "/ws"});
    host.send(message_for(1, "add", "[2,40]"));
    BOOST_TEST(host.read_line() == sum);
    host.send(message_for(2, "ask", R"(["who?"])"));
    const std::string question = host.read_line();
    const std::size_t id = question.find(R"("id":)") + 5;
    host.send(R"({"jsonrpc":"2.0","method":"answer","params":{"id":)" +
              question.substr(id, question.find(',', id) - id) + R"(,"value":"me"}})");
    BOOST_TEST(host.read_line() == R"({"jsonrpc":"2.0","id":2,"result":"me"})");
    host.send(message_for(3, "delay", "[200,7]")); // answered, although input ends meanwhile
    host.close_input();
    BOOST_TEST(host.read_line() == R"({"jsonrpc":"2.0","id":3,"result":7})");
    BOOST_TEST(host.wait_exit() == 0);
    far.wait_for_servers(0);
}

BOOST_AUTO_TEST_CASE(a_host_is_told_what_no_server_could_take)
{
    running_gateway far({"--", PARTYLINE_ECHO});
    server_process host(PARTYLINE_GATEWAY, {"--stdio", "ws://127.0.0.1:" + std::to_string(far.port()) + "/ws"});
    host.send("{\"\xff\":1}");
    BOOST_TEST(host.read_line() ==
               R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error","data":{"offset":2}}})");
    host.send(message_for(7, "echo", '"' + std::string(partyline::limits().message_bytes, 'x') + '"'));
    BOOST_TEST(host.read_line().starts_with(R"({"jsonrpc":"2.0","id":7,"error":{"code":-32600)"));
    host.send(message_for(1, "add", "[2,40]"));
    BOOST_TEST(host.read_line() == sum);
}

BOOST_AUTO_TEST_CASE(a_host_is_told_where_there_is_no_server)
{
    server_process host(PARTYLINE_GATEWAY, {"--stdio", "ws://127.0.0.1:1/ws"});
    BOOST_TEST(host.wait_exit() == 3);
}

BOOST_AUTO_TEST_SUITE_END()
