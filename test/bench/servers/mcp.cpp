#include "mcp.hpp"

#include "command_line/serve_http.hpp"
#include "echoed.hpp"
#include "work.hpp"

#include <partyline/mcp/server.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/describe/class.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace mcp = partyline::mcp;
using partyline::note;

namespace bench {
namespace {

/// What the tools take that are there to be listed.
struct query {
    std::string pattern;
    std::optional<std::string> folder;
    std::int32_t limit = 50;

    static constexpr auto notes()
    {
        return partyline::notes(
            note(&query::pattern, "Text to look for"), note(&query::folder, "Only beneath this folder"),
            note(&query::limit, "At most so many matches", partyline::defaulted, partyline::range(1, 1000)));
    }
};
BOOST_DESCRIBE_STRUCT(query, (), (pattern, folder, limit))

std::string find_nothing(query)
{
    return "no matches";
}

} // namespace

mcp::server make_mcp_server()
{
    mcp::server server("partyline-bench-server", "1.0");
    server.add_tool("echo", "Returns the text that it is given.", echo_typed);
    for (std::size_t i = 1; i < tool_count; ++i) {
        const std::string number = std::to_string(i);
        server.add_tool("find_" + number, "Finds files of index " + number + " that contain a text.", find_nothing,
                        {.read_only = true});
    }
    return server;
}

int serve_http(partyline::method_table methods, const command_line::http_options& options)
{
    boost::asio::io_context context(1);
    const mcp::server tools = make_mcp_server();
    const command_line::http_service service{[&](partyline::http::server& server) {
        server.add_rpc("/rpc", std::move(methods));
        server.add_mcp("/mcp", tools);
    }};
    return command_line::serve_http(context, options, "partyline-bench-mcp-server", service);
}

} // namespace bench
