#pragma once

#include <partyline/rpc/method_table.hpp>

namespace bench {

/// `open_sessions {"kind", "count"}`: makes so many sessions over memory, each of which answers one request and is idle
/// then. Of kind "plain": of a method table; "mcp_handshake" and "mcp_stateless": of an MCP server.
void add_sessions(partyline::method_table& methods);

} // namespace bench
