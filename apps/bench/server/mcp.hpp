#pragma once

#include <partyline/mcp/server.hpp>
#include <partyline/run_stdio.hpp>

namespace bench {

/// The tool `echo`, and as many more to list as `tool_count` says.
partyline::mcp::server make_mcp_server();
/// Serves MCP over standard input and output until input ends.
int run_mcp(partyline::stdio_options options);

} // namespace bench
