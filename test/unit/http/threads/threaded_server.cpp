#include "threaded_server.hpp"

#include <partyline/rpc/method_table.hpp>

#include <boost/asio/deferred.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/json/parse.hpp>
#include <boost/system/system_error.hpp>

#include <sstream>
#include <stdexcept>
#include <thread>
#include <utility>

namespace asio = boost::asio;
namespace json = boost::json;

namespace partyline::test {
namespace {

std::string this_thread()
{
    std::ostringstream text;
    text << std::this_thread::get_id();
    return text.str();
}

task<int> wait_on(asio::any_io_executor on, std::atomic<int>& waiting)
{
    ++waiting;
    asio::steady_timer never(on, asio::steady_timer::time_point::max());
    try {
        co_await never.async_wait(asio::deferred);
    } catch (const boost::system::system_error&) { // cancelled
    }
    --waiting;
    co_return 7;
}

} // namespace

threaded_server::threaded_server(http::server_options options, std::size_t threads,
                                 const std::function<void(http::server&)>& add)
    : crew_(std::in_place, 1)
{
    options.threads = threads;
    options.session.log = [](std::string_view) {};
    options.times.first_bytes = options.times.head = options.times.body = patience; // however busy the machine is
    server_.emplace(crew_->context.get_executor(), std::move(options));
    method_table methods;
    methods.add("thread", this_thread);
    methods.add("echo", [](std::string text) { return text; }, {"text"});
    methods.add("wait", [this](request_context& own) { return wait_on(own.get_executor(), waiting); });
    server_->add_rpc("/rpc", std::move(methods));
    mcp::server tools("test", "1");
    tools.add_tool("thread", "Says where it runs.", this_thread);
    tools.add_tool("wait", "Waits.", [this](mcp::context& own) { return wait_on(own.get_executor(), waiting); });
    server_->add_mcp("/mcp", tools);
    if (add)
        add(*server_);
    port_ = server_->listen_tcp("127.0.0.1", 0).port();
    server_->async_run([this](error_code why) { ended_.put(why); });
}

threaded_server::~threaded_server()
{
    if (server_)
        server_->stop();
    server_.reset();
    crew_.reset(); // waits for what runs
}

std::string threaded_client::thread()
{
    const http_response got = client_.ask("/rpc", R"({"jsonrpc":"2.0","id":1,"method":"thread"})");
    return std::string(json::parse(got.body).at("result").as_string());
}

std::string threaded_client::begin_session()
{
    const http_response got =
        client_.ask("/mcp", R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
                            R"("capabilities":{},"clientInfo":{"name":"t","version":"1"}}})");
    if (got.status != 200)
        throw std::runtime_error("no session was begun: " + got.body);
    std::string field = "Mcp-Session-Id: " + got.field("mcp-session-id") + "\r\n";
    client_.ask("/mcp", R"({"jsonrpc":"2.0","method":"notifications/initialized"})", field);
    return field;
}

std::string threaded_client::thread_of(const std::string& session)
{
    const http_response got = client_.ask("/mcp", tool_call("thread"), session);
    if (got.status == 404)
        return {};
    return std::string(json::parse(got.body).at("result").at("content").at(0).at("text").as_string());
}

std::string tool_call(std::string_view tool)
{
    return R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")" + std::string(tool) +
           R"(","arguments":{}}})";
}

} // namespace partyline::test
