// The other way: a host on standard input and output, a server over HTTP.

#include "support/child_process.hpp"
#include "support/descriptors.hpp"
#include "support/line_reader.hpp"
#include "support/server_process.hpp"
#include "support/text_search.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <csignal>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace asio = boost::asio;
namespace json = boost::json;
using asio::ip::tcp;
using partyline::test::child_process;
using partyline::test::child_stdio;
using partyline::test::contains;
using partyline::test::line_reader;
using partyline::test::server_process;

namespace {

// The fixture, over HTTP; started again at the same port where that is given.
struct running_fixture {
    explicit running_fixture(std::string port = "0")
    {
        auto [reading, writing] = partyline::test::make_pipe();
        process.emplace(PARTYLINE_MCP_FIXTURE, std::vector<std::string>{"--http", "127.0.0.1:" + port},
                        child_stdio{-1, -1, writing.get()});
        writing.reset();
        errors = line_reader(std::move(reading));
        const std::string told = errors.read_line().value_or("nothing");
        BOOST_TEST_REQUIRE(told.starts_with("listening on http://127.0.0.1:"), told);
        url = told.substr(13) + "/mcp";
    }

    std::string port() const { return url.substr(17, url.rfind('/') - 17); }

    std::optional<child_process> process;
    line_reader errors;
    std::string url;
};

// A server that says what it is told to say. It blocks, so each step of the host's has its step here.
class scripted_server {
public:
    std::string url() const { return "http://127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port()) + "/mcp"; }

    // The next request, and what is answered. Returns what came.
    std::string answer(std::string_view status, std::string_view body, std::string_view type = "application/json")
    {
        tcp::socket client = acceptor_.accept();
        std::string came = read_request(client);
        asio::write(client, asio::buffer("HTTP/1.1 " + std::string(status) + "\r\nContent-Type: " + std::string(type) +
                                         "\r\nConnection: close\r\nContent-Length: " + std::to_string(body.size()) +
                                         "\r\n\r\n" + std::string(body)));
        return came;
    }

    tcp::socket accept() { return acceptor_.accept(); }

    static std::string read_request(tcp::socket& from)
    {
        std::string came;
        while (came.find("\r\n\r\n") == came.npos)
            read_byte(from, came);
        const std::string field = "Content-Length: ";
        const std::size_t at = came.find(field);
        for (int left = at == came.npos ? 0 : std::stoi(came.substr(at + field.size())); left > 0; --left)
            read_byte(from, came);
        return came;
    }

private:
    static void read_byte(tcp::socket& from, std::string& came)
    {
        char one = 0;
        asio::read(from, asio::buffer(&one, 1));
        came.push_back(one);
    }

    asio::io_context context_{1};
    tcp::acceptor acceptor_{context_, tcp::endpoint(asio::ip::address_v4::loopback(), 0)};
};

const std::string initialize =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
    R"("capabilities":{"elicitation":{}},"clientInfo":{"name":"t","version":"1"}}})";
const std::string initialized = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";

std::string call(int id, std::string_view tool, std::string_view arguments = "{}", std::string_view meta = "{}")
{
    return "{\"jsonrpc\":\"2.0\",\"id\":" + std::to_string(id) + ",\"method\":\"tools/call\",\"params\":{\"name\":\"" +
           std::string(tool) + "\",\"arguments\":" + std::string(arguments) + ",\"_meta\":" + std::string(meta) + "}}";
}

} // namespace

BOOST_AUTO_TEST_SUITE(gateway_stdio, *boost::unit_test::timeout(200))

BOOST_AUTO_TEST_CASE(requests_behind_the_greeting_wait_for_it)
{
    running_fixture fixture;
    server_process host(PARTYLINE_GATEWAY, {"--stdio", fixture.url});
    host.send(initialize);
    host.send(initialized);
    host.send(call(1, "test_simple_text"));
    BOOST_TEST(contains(host.read_line(), "\"protocolVersion\":\"2025-11-25\""));
    BOOST_TEST(contains(host.read_line(), "simple text response"));
    host.close_input();
    host.expect_end(0);
}

BOOST_AUTO_TEST_CASE(progress_and_questions_come_before_the_reply)
{
    running_fixture fixture;
    server_process host(PARTYLINE_GATEWAY, {"--stdio", fixture.url});
    host.send(initialize);
    host.read_line();
    host.send(initialized);
    host.send(call(1, "test_tool_with_progress", "{}", R"({"progressToken":"p"})"));
    for (const char* progress : {"\"progress\":0", "\"progress\":50", "\"progress\":100"}) {
        const std::string line = host.read_line();
        BOOST_TEST(contains(line, progress), line);
        BOOST_TEST(contains(line, "\"progressToken\":\"p\""), line);
    }
    BOOST_TEST(contains(host.read_line(), "\"id\":1,"));
    host.send(call(2, "test_elicitation", R"({"message":"Who?"})"));
    const json::value asked = json::parse(host.read_line());
    BOOST_TEST((asked.at("method") == "elicitation/create"));
    host.send("{\"jsonrpc\":\"2.0\",\"id\":" + json::serialize(asked.at("id")) + R"(,"result":{"action":"decline"}})");
    const std::string said = host.read_line();
    BOOST_TEST(contains(said, "action=decline"), said);
    host.send(call(3, "test_elicitation", R"({"message":"Who?"})"));
    const json::value again = json::parse(host.read_line());
    host.send("{\"jsonrpc\":\"2.0\",\"id\":" + json::serialize(again.at("id")) +
              R"(,"error":{"code":-1,"message":"not now"}})");
    const std::string refused = host.read_line();
    BOOST_TEST(contains(refused, "\"id\":3"), refused);
    BOOST_TEST(contains(refused, "\"isError\":true"), refused);
    host.close_input();
    host.expect_end(0);
}

BOOST_AUTO_TEST_CASE(a_session_that_the_server_has_lost_is_begun_again)
{
    std::optional<running_fixture> fixture(std::in_place);
    const std::string port = fixture->port();
    server_process host(PARTYLINE_GATEWAY, {"--stdio", fixture->url});
    host.send(initialize);
    host.read_line();
    host.send(initialized);
    host.send(call(1, "test_simple_text"));
    BOOST_TEST(contains(host.read_line(), "simple text response"));
    fixture->process->signal(SIGKILL);
    fixture->process->wait_exit();
    fixture.emplace(port);
    host.send(call(2, "test_simple_text"));
    const std::string line = host.read_line();
    BOOST_TEST(contains(line, "simple text response"), line);
    BOOST_TEST(contains(line, "\"id\":2"), line);
    host.close_input();
    host.expect_end(0);
}

// Few connections are for what asks nothing, and one of them is the stream's: none may be kept by what waits for
// another.
BOOST_AUTO_TEST_CASE(a_lost_session_is_begun_again_beside_an_open_stream)
{
    const std::string begun = R"(,"result":{"protocolVersion":"2025-11-25","capabilities":{}}})";
    scripted_server server;
    server_process host(PARTYLINE_GATEWAY, {"--stdio", server.url()});
    host.send(initialize);
    server.answer("200 OK\r\nMcp-Session-Id: first", R"({"jsonrpc":"2.0","id":1)" + begun);
    BOOST_TEST(contains(host.read_line(), "\"protocolVersion\":\"2025-11-25\""));
    host.send(initialized);
    server.answer("202 Accepted", "");
    tcp::socket stream = server.accept();
    BOOST_TEST(contains(scripted_server::read_request(stream), "GET /mcp"));
    asio::write(stream, asio::buffer(std::string("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")));
    host.send(R"({"jsonrpc":"2.0","method":"notifications/roots/list_changed"})");
    BOOST_TEST(contains(server.answer("404 Not Found", ""), "roots/list_changed"));
    BOOST_TEST(contains(server.answer("200 OK\r\nMcp-Session-Id: second", R"({"jsonrpc":"2.0","id":1)" + begun),
                        "\"initialize\""));
    BOOST_TEST(contains(server.answer("202 Accepted", ""), "notifications/initialized"));
    BOOST_TEST(contains(server.answer("202 Accepted", ""), "roots/list_changed"));
    host.close_input();
    server.answer("200 OK", ""); // DELETE
    host.expect_end(0);
}

BOOST_AUTO_TEST_CASE(a_server_that_has_no_stream_and_says_so_by_404_has_lost_no_session)
{
    scripted_server server;
    server_process host(PARTYLINE_GATEWAY, {"--stdio", server.url()});
    host.send(initialize);
    server.answer("200 OK\r\nMcp-Session-Id: first",
                  R"({"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{}}})");
    BOOST_TEST(contains(host.read_line(), "\"protocolVersion\":\"2025-11-25\""));
    host.send(initialized);
    server.answer("202 Accepted", "");
    BOOST_TEST(contains(server.answer("404 Not Found", ""), "GET /mcp"));
    host.send(R"({"jsonrpc":"2.0","method":"notifications/roots/list_changed"})");
    const std::string next = server.answer("202 Accepted", "");
    BOOST_TEST(contains(next, "roots/list_changed"), next);
    BOOST_TEST(contains(next, "first"), next);
    host.close_input();
    BOOST_TEST(contains(server.answer("200 OK", ""), "DELETE /mcp"));
    host.expect_end(0);
}

BOOST_AUTO_TEST_CASE(a_server_that_is_not_there_is_an_error)
{
    std::optional<running_fixture> fixture(std::in_place);
    const std::string url = fixture->url;
    fixture->process->signal(SIGKILL);
    fixture->process->wait_exit();
    server_process host(PARTYLINE_GATEWAY, {"--stdio", url});
    host.send(initialize);
    const json::value reply = json::parse(host.read_line());
    BOOST_TEST((reply.at("error").at("code") == -32603));
    BOOST_TEST(!reply.at("error").at("data").at("reason").as_string().empty());
    host.close_input();
    host.expect_end(0);
}

BOOST_AUTO_TEST_CASE(modern_requests_have_their_fields)
{
    running_fixture fixture;
    server_process host(PARTYLINE_GATEWAY, {"--stdio", fixture.url});
    const std::string meta =
        R"({"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}})";
    host.send(call(1, "test_simple_text", "{}", meta));
    BOOST_TEST(contains(host.read_line(), "\"resultType\":\"complete\""));
    host.send(call(2, "no such tool \xc3\xa4", "{}", meta)); // which no field can say as it is
    BOOST_TEST(contains(host.read_line(), "\"code\":-32602"));
    host.close_input();
    host.expect_end(0);
}

BOOST_AUTO_TEST_CASE(a_lost_session_is_begun_again_once_for_all_that_find_it_out)
{
    std::optional<running_fixture> fixture(std::in_place);
    const std::string port = fixture->port();
    server_process host(PARTYLINE_GATEWAY, {"--stdio", fixture->url});
    host.send(initialize);
    host.read_line();
    host.send(initialized);
    host.send(call(1, "test_simple_text"));
    host.read_line();
    fixture->process->signal(SIGKILL);
    fixture->process->wait_exit();
    fixture.emplace(port);
    constexpr int count = 20;
    for (int i = 0; i < count; ++i)
        host.send(call(10 + i, "test_simple_text"));
    for (int i = 0; i < count; ++i) {
        const std::string line = host.read_line();
        BOOST_TEST(contains(line, "simple text response"), line);
    }
    host.close_input();
    host.expect_end(0);
}

BOOST_AUTO_TEST_CASE(what_a_server_refuses_has_its_status_or_its_error)
{
    scripted_server server;
    server_process host(PARTYLINE_GATEWAY, {"--stdio", server.url()});
    host.send(call(1, "x"));
    server.answer("503 Service Unavailable", "<html>busy</html>");
    BOOST_TEST(contains(host.read_line(), "HTTP status 503"));
    host.send(call(2, "x"));
    server.answer("401 Unauthorized\r\nWWW-Authenticate: Bearer", R"({"jsonrpc":"2.0","id":2,"result":{}})");
    BOOST_TEST(
        host.read_line() ==
        R"({"jsonrpc":"2.0","id":2,"error":{"code":-32603,"message":"The server did not answer","data":{"reason":)"
        R"("HTTP status 401, WWW-Authenticate: Bearer: {\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}"}}})");
    host.send(call(7, "x"));
    tcp::socket never_said = server.accept();
    scripted_server::read_request(never_said);
    asio::write(never_said, asio::buffer(std::string("HTTP/1.1 401 X\r\nContent-Type: application/json\r\n"
                                                     "Content-Length: 9\r\n\r\n{")));
    BOOST_TEST(contains(host.read_line(), R"("reason":"HTTP status 401"})"));
    host.send(call(3, "x"));
    server.answer("400 Bad Request", R"({"jsonrpc":"2.0","id":null,"error":{"code":-32020,"message":"no"}})");
    BOOST_TEST(host.read_line() == R"({"jsonrpc":"2.0","id":3,"error":{"code":-32020,"message":"no"}})");
    host.send(call(4, "x"));
    server.answer("200 OK", R"({"jsonrpc":"2.0","id":99,"result":{}})");
    BOOST_TEST(contains(host.read_line(), "it replied to another request"));
    host.send(call(6, "x"));
    server.answer("200 OK", R"({"jsonrpc":"2.0","id":6,"result":{"a":1.0}})");
    BOOST_TEST(host.read_line() == R"({"jsonrpc":"2.0","id":6,"result":{"a":1.0}})");
    host.close_input();
    host.expect_end(0);
}

BOOST_AUTO_TEST_CASE(what_was_cancelled_does_not_hold_up_the_end)
{
    scripted_server server;
    server_process host(PARTYLINE_GATEWAY, {"--stdio", server.url()});
    host.send(call(1, "x"));
    tcp::socket silent = server.accept();
    server.read_request(silent);
    host.send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
    host.close_input();
    host.expect_end(0);
}

BOOST_AUTO_TEST_CASE(calls_one_after_the_other_need_one_connection)
{
    scripted_server server;
    server_process host(PARTYLINE_GATEWAY, {"--stdio", server.url()});
    std::optional<tcp::socket> client;
    for (int id = 1; id != 20; ++id) {
        host.send(call(id, "x"));
        if (!client)
            client = server.accept();
        server.read_request(*client);
        const std::string reply = "{\"jsonrpc\":\"2.0\",\"id\":" + std::to_string(id) + ",\"result\":{}}";
        asio::write(*client, asio::buffer("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " +
                                          std::to_string(reply.size()) + "\r\n\r\n" + reply));
        BOOST_TEST(host.read_line() == reply);
    }
    host.close_input();
    host.expect_end(0);
}

BOOST_AUTO_TEST_CASE(methods_are_sent_as_they_are_named)
{
    scripted_server server;
    server_process host(PARTYLINE_GATEWAY, {"--stdio", server.url()});
    host.send(R"({"jsonrpc":"2.0","id":1,"method":"a\"\n\u0001"})");
    const std::string came = server.answer("200 OK", R"({"jsonrpc":"2.0","id":1,"result":{}})");
    BOOST_TEST(contains(came, R"("method":"a\"\n\u0001")"), came);
    host.read_line();
    host.close_input();
    host.expect_end(0);
}

BOOST_AUTO_TEST_CASE(a_server_that_asks_on_and_on_waits_for_answers)
{
    scripted_server server;
    server_process host(PARTYLINE_GATEWAY, {"--stdio", server.url()});
    constexpr int questions = 150;
    std::string events;
    for (int i = 0; i < questions; ++i)
        events += "data: {\"jsonrpc\":\"2.0\",\"id\":" + std::to_string(i) + ",\"method\":\"roots/list\"}\n\n";
    events += "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n";
    host.send(call(1, "x"));
    server.answer("200 OK", events, "text/event-stream");
    const auto answer_all = [&](int count, const auto& then) {
        std::vector<json::value> asked;
        for (int i = 0; i < count; ++i)
            asked.push_back(json::parse(host.read_line()));
        then();
        for (const json::value& question : asked) {
            BOOST_TEST_REQUIRE((question.at("method") == "roots/list"));
            host.send("{\"jsonrpc\":\"2.0\",\"id\":" + json::serialize(question.at("id")) +
                      R"(,"result":{"roots":[]}})");
            BOOST_TEST(contains(server.answer("202 Accepted", ""), R"("roots":[])"));
        }
    };
    constexpr int at_once = 101; // with the one that is waited for
    answer_all(at_once, [&] {    // no further question: what comes next is the reply to something else
        host.send(call(2, "x"));
        server.answer("200 OK", R"({"jsonrpc":"2.0","id":2,"result":{}})");
        BOOST_TEST(host.read_line() == R"({"jsonrpc":"2.0","id":2,"result":{}})");
    });
    answer_all(questions - at_once, [&] { BOOST_TEST(host.read_line() == R"({"jsonrpc":"2.0","id":1,"result":{}})"); });
    host.close_input();
    host.expect_end(0);
}

// A server of the handshake's era that has begun its session, with a host that has said so.
struct begun_session {
    begun_session() : host(PARTYLINE_GATEWAY, {"--stdio", server.url()})
    {
        host.send(initialize);
        server.answer("200 OK\r\nMcp-Session-Id: first",
                      R"({"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{}}})");
        host.read_line();
        host.send(initialized);
        server.answer("202 Accepted", "");
        server.answer("405 Method Not Allowed", ""); // there is no stream of what it says unasked
    }
    void end()
    {
        host.close_input();
        BOOST_TEST(contains(server.answer("200 OK", ""), "DELETE /mcp"));
        host.expect_end(0);
    }

    scripted_server server;
    server_process host;
};

BOOST_FIXTURE_TEST_CASE(a_stream_that_breaks_off_is_taken_up_again, begun_session)
{
    host.send(call(1, "x"));
    tcp::socket broken = server.accept();
    scripted_server::read_request(broken);
    asio::write(broken, asio::buffer(std::string(
                            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 1000\r\n\r\n"
                            "id: here\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}\n\n")));
    BOOST_TEST(contains(host.read_line(), "notifications/x"));
    broken.close();
    const std::string again = server.answer(
        "200 OK", "id: there\ndata: {\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}\n\n", "text/event-stream");
    BOOST_TEST(contains(again, "GET /mcp"), again);
    BOOST_TEST(contains(again, "Last-Event-ID: here"), again);
    BOOST_TEST(host.read_line() == R"({"jsonrpc":"2.0","id":1,"result":{}})");
    end();
}

// SEP-1699: it says when it wants to be asked again, and what it has asked before keeps no connection.
BOOST_FIXTURE_TEST_CASE(a_server_that_ends_its_streams_on_purpose_is_asked_again, begun_session)
{
    host.send(call(1, "x"));
    server.answer("200 OK", "id: 0\nretry: 100\ndata:\n\n", "text/event-stream");
    for (int i = 0; i != 7; ++i) { // more often than one that just breaks off
        const std::string again =
            server.answer("200 OK", "id: " + std::to_string(i + 1) + "\nretry: 100\ndata:\n\n", "text/event-stream");
        BOOST_TEST(contains(again, "Last-Event-ID: " + std::to_string(i) + "\r"), again);
    }
    server.answer("200 OK", "data: {\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}\n\n", "text/event-stream");
    BOOST_TEST(host.read_line() == R"({"jsonrpc":"2.0","id":1,"result":{}})");
    end();
}

BOOST_FIXTURE_TEST_CASE(a_server_that_is_busy_is_asked_again_when_it_says, begun_session)
{
    host.send(call(1, "x"));
    server.answer("503 Service Unavailable\r\nRetry-After: 1", "");
    BOOST_TEST(contains(server.answer("200 OK", R"({"jsonrpc":"2.0","id":2,"result":{}})"), "tools/call"));
    BOOST_TEST(host.read_line() == R"({"jsonrpc":"2.0","id":1,"result":{}})");
    end();
}

BOOST_AUTO_TEST_CASE(arguments_that_a_tool_wants_in_fields_are_put_there)
{
    const std::string meta =
        R"({"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}})";
    scripted_server server;
    server_process host(PARTYLINE_GATEWAY, {"--stdio", server.url()});
    host.send(R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":)" + meta + "}}");
    server.answer("200 OK", R"({"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"x","inputSchema":{)"
                            R"("type":"object","properties":{"to":{"type":"string","x-mcp-header":"Target"}}}}]}})");
    BOOST_TEST(contains(host.read_line(), "x-mcp-header"));
    host.send(call(2, "x", R"({"to":"here"})", meta));
    const std::string came = server.answer("200 OK", R"({"jsonrpc":"2.0","id":2,"result":{}})");
    BOOST_TEST(contains(came, "Mcp-Param-Target: here"), came);
    BOOST_TEST(host.read_line() == R"({"jsonrpc":"2.0","id":2,"result":{}})");
    host.close_input();
    host.expect_end(0);
}

BOOST_FIXTURE_TEST_CASE(more_messages_than_a_session_keeps_reach_a_host_in_order, begun_session)
{
    constexpr int count = 90000;
    std::string events;
    for (int i = 0; i != count; ++i)
        events += "data: {\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":{\"i\":" + std::to_string(i) + "}}\n\n";
    events += "data: {\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}\n\n";
    host.send(call(1, "x"));
    std::jthread saying([&] { server.answer("200 OK", events, "text/event-stream"); });
    int heard = 0;
    while (heard != count && host.read_line().ends_with(":" + std::to_string(heard) + "}}"))
        ++heard;
    BOOST_TEST(heard == count);
    BOOST_TEST(host.read_line() == R"({"jsonrpc":"2.0","id":1,"result":{}})");
    saying.join();
    end();
}

BOOST_AUTO_TEST_SUITE_END()
