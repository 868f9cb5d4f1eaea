#pragma once

#include "command_line/http_options.hpp"

#include <partyline/mcp/server.hpp>
#include <partyline/rpc/method_table.hpp>

namespace bench {

/// The tool `echo`, and as many more to list as `tool_count` says.
partyline::mcp::server make_mcp_server();
/// Serves the methods at /rpc and the tools at /mcp, until a signal ends it.
int serve_http(partyline::method_table methods, const command_line::http_options& options);

/// `open_sessions {"kind", "count"}`: makes so many sessions over memory, each of which answers one request and is idle
/// then. Of kind "plain": of a method table; "mcp_handshake" and "mcp_stateless": of an MCP server.
void add_sessions(partyline::method_table& methods);

} // namespace bench
