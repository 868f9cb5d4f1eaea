#pragma once

#include "fuzz/session_ledger.hpp"

#include <string_view>

namespace partyline::test {

/// What an MCP session has answered. Ends the program when `lines` are not whole lines of JSON-RPC as MCP has it.
answered read_mcp_answers(std::string_view lines);

} // namespace partyline::test
