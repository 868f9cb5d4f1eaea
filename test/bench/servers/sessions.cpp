#include "echoed.hpp"
#include "mcp.hpp"

#include <partyline/mcp/server.hpp>
#include <partyline/protocol/error.hpp>
#include <partyline/session.hpp>
#include <partyline/transport/memory_stream.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace asio = boost::asio;
using partyline::memory_stream;
using partyline::session;

namespace bench {
namespace {

using make_session = std::function<session(memory_stream)>;

/// A session, and who talks to it.
struct conversation {
    session server;
    memory_stream client;
};

struct kind_of_session {
    make_session make;
    std::string opening; // which has one answer
};

kind_of_session plain()
{
    auto methods = std::make_shared<partyline::method_table>();
    methods->add("echo_typed", echo_typed);
    return {[methods](memory_stream over) { return session(std::move(over), methods); },
            R"({"jsonrpc":"2.0","id":1,"method":"echo_typed","params":{"text":""}})"
            "\n"};
}

kind_of_session of_tools(std::string opening)
{
    const auto server = std::make_shared<partyline::mcp::server>(make_mcp_server());
    return {[server](memory_stream over) { return server->serve(std::move(over)); }, std::move(opening)};
}

kind_of_session kind_called(const std::string& name)
{
    if (name == "plain")
        return plain();
    if (name == "mcp_handshake")
        return of_tools(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
                        R"("capabilities":{},"clientInfo":{"name":"partyline-bench","version":"1.0"}}})"
                        "\n"
                        R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
                        "\n");
    if (name == "mcp_stateless")
        return of_tools(R"({"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{)"
                        R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                        R"("io.modelcontextprotocol/clientInfo":{"name":"partyline-bench","version":"1.0"},)"
                        R"("io.modelcontextprotocol/clientCapabilities":{}}}})"
                        "\n");
    throw partyline::rpc_error(partyline::error_codes::invalid_params, "no such kind of session");
}

partyline::task<conversation> open(const kind_of_session& of, asio::any_io_executor where)
{
    auto [own, peer] = memory_stream::make_pair(where);
    conversation begun{of.make(std::move(own)), std::move(peer)};
    begun.server.async_run(asio::detached);
    co_await asio::async_write(begun.client, asio::buffer(of.opening), asio::deferred);
    std::string answer;
    co_await asio::async_read_until(begun.client, asio::dynamic_buffer(answer), '\n', asio::deferred);
    co_return begun;
}

// To the end of the io_context.
partyline::task<void> keep(std::vector<conversation> all, asio::any_io_executor where)
{
    asio::steady_timer timer(where, asio::steady_timer::time_point::max());
    co_await timer.async_wait(asio::deferred);
    all.clear();
}

partyline::task<std::uint32_t> open_sessions(partyline::request_context& context, std::string kind, std::uint32_t count)
{
    const kind_of_session made = kind_called(kind);
    std::vector<conversation> all;
    all.reserve(count);
    for (std::uint32_t i = 0; i != count; ++i)
        all.push_back(co_await open(made, context.get_executor()));
    co_spawn(context.get_executor(), keep(std::move(all), context.get_executor()), asio::detached);
    co_return count;
}

} // namespace

void add_sessions(partyline::method_table& methods)
{
    methods.add("open_sessions", open_sessions, {"kind", "count"});
}

} // namespace bench
