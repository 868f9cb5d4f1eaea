#include "http_run.hpp"
#include "support/fake_access.hpp"
#include "support/websocket_frames.hpp"

#include <partyline/mcp/mcp.hpp>
#include <partyline/rpc/method_table.hpp>
#include <partyline/session/task.hpp>

#include <boost/asio/deferred.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <functional>
#include <utility>

namespace asio = boost::asio;
namespace json = boost::json;

namespace partyline::test {
namespace {

using namespace std::chrono_literals;

constexpr const char* words = R"(["these are many words, so that whoever keeps them needs memory"])";

std::string post(const std::string& path, const std::string& body, const std::string& fields = {})
{
    return "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" + fields +
           "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

std::string request(int id, const std::string& method, const std::string& params)
{
    return "{\"jsonrpc\":\"2.0\",\"id\":" + std::to_string(id) + ",\"method\":\"" + method + "\",\"params\":" + params +
           '}';
}

std::string rpc(int id, const std::string& method, const std::string& params = words)
{
    return post("/rpc", request(id, method, params));
}

task<json::value> hop(request_context& own, json::value params)
{
    asio::steady_timer timer(own.get_executor(), 1ms);
    co_await timer.async_wait(asio::deferred);
    co_return params;
}

task<int> report(request_context& own)
{
    for (int i = 1; i <= 3; ++i)
        co_await own.progress(i);
    co_return 3;
}

std::shared_ptr<void> serve_plain(http::server& by, std::shared_ptr<int> token)
{
    const auto methods = std::make_shared<method_table>();
    methods->add("echo", [token = std::move(token)](json::value params) { return params; });
    methods->add("hop", [](request_context& own, json::value params) { return hop(own, std::move(params)); });
    methods->add("report", [](request_context& own) { return report(own); });
    by.add_rpc("/rpc", methods);
    by.add_websocket("/ws", methods);
    return nullptr;
}

http_script plain()
{
    const std::string batch = '[' + request(4, "echo", words) + ',' + request(5, "hop", words) + ']';
    return {"requests one by one",
            {{0, rpc(1, "echo")},
             {0, rpc(2, "hop")},
             {0, rpc(3, "nobody")},
             {0, post("/rpc", batch)},
             {0, post("/rpc", R"({"jsonrpc":"2.0","method":"echo","params":[1]})")},
             {0, post("/nowhere", "{}")},
             {0, "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"}},
            {7},
            serve_plain};
}

http_script pipelined()
{
    return {
        "pipelined requests, in pieces",
        {{0, rpc(1, "hop") + rpc(2, "echo") + rpc(3, "report", "[]") + "POST /rpc HTTP/1.1\r\nHo"},
         {0, "st: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n10\r\n{\"jsonrpc\""},
         {0, ":\"2.0\r\n1d\r\n\",\"id\":4,\"method\":\"echo\"}   \r\n0\r\n\r\n" + rpc(5, "echo")}},
        {5},
        serve_plain};
}

http_script large()
{
    const std::string text = "[\"" + std::string(300'000, 'x') + "\"]";
    return {"long bodies", {{0, rpc(1, "echo", text)}, {0, rpc(2, "hop", text)}}, {2}, serve_plain};
}

http_script expecting()
{
    const std::string body = request(1, "echo", words);
    return {"a client that asks before it sends",
            {{0, "POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n"
                 "Content-Length: " +
                     std::to_string(body.size()) + "\r\n\r\n"},
             {0, body},
             {0, "rubbish\r\n\r\n"}},
            {2},
            serve_plain};
}

http_script by_websocket()
{
    namespace frames = websocket_frames;
    const std::string upgrade = "GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                                "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    const std::string text = "[\"" + std::string(100'000, 'x') + "\"]";
    return {"a conversation by WebSocket",
            {{0, rpc(1, "echo")},
             {0, upgrade + frames::text(request(1, "echo", words))},
             {0, frames::part(1, request(2, "echo", words).substr(0, 20), false) + frames::ping("a question")},
             {0, frames::part(0, request(2, "echo", words).substr(20), true)},
             {0, frames::text(request(3, "report", "[]"))},
             {0, frames::text(request(4, "echo", text))},
             {0, frames::text(request(5, "nobody", words))},
             {0, frames::closing(1000)}},
            {2},
            serve_plain};
}

// The tokens are "alice" and "bob", who may not call "hop".
http_script asked_for()
{
    namespace frames = websocket_frames;
    const auto access = std::make_shared<fake_access>();
    access->admit("alice", "alice", {}, std::make_shared<request_quota>(quota_limits{.at_once = 10}));
    access->admit("bob", "bob", allow_others({{"hop", access_answer::hidden}}));
    const auto by = [](const std::string& token, int id, const std::string& method) {
        return post("/rpc", request(id, method, words), bearer(token));
    };
    const std::string upgrade = "GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                                "Authorization: Bearer bob\r\nSec-WebSocket-Version: 13\r\n"
                                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    http_script played{"peers that are asked for",
                       {{0, by("alice", 1, "hop")},
                        {0, by("bob", 2, "echo") + by("bob", 3, "hop")},
                        {0, by("mallory", 4, "echo")},
                        {0, rpc(5, "echo")},
                        {0, by("alice", 6, "report")},
                        {1, upgrade + frames::text(request(7, "echo", words)), 6},
                        {1, frames::text(request(8, "hop", words))},
                        {1, frames::closing(1000)}},
                       {6, 1},
                       serve_plain};
    played.access = access;
    return played;
}

std::shared_ptr<void> serve_mcp(http::server& by, std::shared_ptr<int> token)
{
    const auto server = std::make_shared<mcp::server>("faulty", "1.0.0");
    server->add_tool("echo", "Says it again.", [token = std::move(token)](std::string text) { return text; },
                     {{"text", "What to say"}});
    server->add_tool("report", "Tells, and waits.", [](mcp::context& own) -> task<std::string> {
        co_await own.progress(1);
        asio::steady_timer timer(own.get_executor(), 1ms);
        co_await timer.async_wait(asio::deferred);
        co_return words;
    });
    server->add_tool("chat", "Says four things.", [](mcp::context& own) -> task<std::string> {
        for (const char* text : {"first", "second", "third"})
            static_cast<void>(own.log(mcp::log_level::error, text));
        co_return "fourth";
    });
    const std::weak_ptr<mcp::server> there = server;
    server->add_tool("change", "Changes what there is.", [there] {
        there.lock()->add_tool("added", words, [] { return std::string(words); });
        return std::string("done");
    });
    by.add_mcp("/mcp", *server);
    return server;
}

std::string tool(int id, const std::string& name, const std::string& arguments, const std::string& meta)
{
    return request(id, "tools/call",
                   "{\"name\":\"" + name + "\",\"arguments\":" + arguments + ",\"_meta\":{" + meta + "}}");
}

http_script in_session()
{
    const std::string fields = "Accept: application/json, text/event-stream\r\nMcp-Session-Id: SESSION\r\n"
                               "MCP-Protocol-Version: 2025-11-25\r\n";
    const std::string get = "GET /mcp HTTP/1.1\r\nHost: localhost\r\n" + fields + "\r\n";
    const std::string greeting =
        request(1, "initialize",
                R"({"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"a client","version":"1"}})");
    return {"a session of MCP",
            {{0, post("/mcp", greeting, "Accept: application/json, text/event-stream\r\n")},
             {0, post("/mcp", R"({"jsonrpc":"2.0","method":"notifications/initialized"})", fields), 1},
             {1, get, 2},
             {0, post("/mcp", tool(2, "report", "{}", R"("progressToken":"the token of this request")"), fields), 3},
             {0, post("/mcp", tool(3, "change", "{}", ""), fields)},
             {0, "DELETE /mcp HTTP/1.1\r\nHost: localhost\r\n" + fields + "\r\n", 5}},
            {5, 1},
            serve_mcp,
            1};
}

// Of the four events of the response memory has two.
http_script with_store()
{
    const std::string fields = "Accept: application/json, text/event-stream\r\nMcp-Session-Id: SESSION\r\n"
                               "MCP-Protocol-Version: 2025-11-25\r\n";
    const std::string greeting =
        request(1, "initialize",
                R"({"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"a client","version":"1"}})");
    const std::string get = "GET /mcp HTTP/1.1\r\nHost: localhost\r\n" + fields + "Last-Event-ID: 1-0\r\n\r\n";
    http_script played{"a session whose stream is resumed by an event store",
                       {{0, post("/mcp", greeting, "Accept: application/json, text/event-stream\r\n")},
                        {0, post("/mcp", R"({"jsonrpc":"2.0","method":"notifications/initialized"})", fields), 1},
                        {0, post("/mcp", tool(2, "chat", "{}", ""), fields), 2},
                        {0, get, 3},
                        {0, "DELETE /mcp HTTP/1.1\r\nHost: localhost\r\n" + fields + "\r\n", 4}},
                       {5},
                       serve_mcp};
    played.has_store = true;
    return played;
}

// The tokens "alice" and "renewed" are of one peer, which owns the session.
http_script in_owned_session()
{
    const auto access = std::make_shared<fake_access>();
    for (const auto& [token, principal] : {std::pair("alice", "alice"), {"renewed", "alice"}, {"bob", "bob"}})
        access->admit(token, principal);
    access->publish({"https://rpc.example.org/mcp", {"https://as.example.org"}, {"files:read"}});
    const auto by = [](const std::string& token) { return bearer(token) + "Mcp-Session-Id: SESSION\r\n"; };
    const std::string greeting =
        request(1, "initialize",
                R"({"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"a client","version":"1"}})");
    const std::string echo = tool(2, "echo", R"({"text":"so"})", "");
    const std::string host = " HTTP/1.1\r\nHost: localhost\r\n";
    http_script played{"a session and another peer",
                       {{0, post("/mcp", greeting, bearer("alice"))},
                        {0, post("/mcp", R"({"jsonrpc":"2.0","method":"notifications/initialized"})", by("alice")), 1},
                        {0, post("/mcp", echo, by("bob")), 2},
                        {0, post("/mcp", echo, by("renewed")), 3},
                        {0, post("/mcp", echo, by("nobody")), 4},
                        {0, "GET /.well-known/oauth-protected-resource/mcp" + host + "\r\n", 5},
                        {0, "DELETE /mcp" + host + by("bob") + "\r\n", 6},
                        {0, "DELETE /mcp" + host + by("renewed") + "\r\n", 7}},
                       {8},
                       serve_mcp};
    played.access = access;
    return played;
}

http_script without_session()
{
    const std::string meta = R"("progressToken":"the token of this request",)"
                             R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                             R"("io.modelcontextprotocol/clientCapabilities":{})";
    const std::string fields = "Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\n"
                               "Mcp-Method: tools/call\r\nMcp-Name: ";
    return {"MCP without one",
            {{0, post("/mcp", tool(1, "echo", R"({"text":"so"})", meta), fields + "echo\r\n")},
             {0, post("/mcp", tool(2, "report", "{}", meta), fields + "report\r\n")},
             {0, post("/mcp", tool(3, "echo", "{}", meta), fields + "report\r\n")}},
            {3},
            serve_mcp};
}

} // namespace

const std::vector<http_script>& http_scripts()
{
    static const std::vector<http_script> all{
        plain(),     pipelined(),  large(),      expecting(),        by_websocket(),
        asked_for(), in_session(), with_store(), in_owned_session(), without_session()};
    return all;
}

} // namespace partyline::test
