#pragma once

#include "faulty_run.hpp"

namespace partyline::test {

/// Has a session serve an MCP server of its own, which offers all that the scripts use. What tools change is changed
/// while the session runs.
served serve_mcp(session_options& options, boost::asio::any_io_executor elsewhere);

} // namespace partyline::test
