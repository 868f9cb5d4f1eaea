#pragma once

#include "call/options.hpp"

namespace call {

/// The job of `--profile mcp`: comes to terms with the server, does what is wanted, and ends the conversation. Returns
/// the exit code. Throws `std::exception` with a text for the user, also where the program has been built without MCP.
int run_mcp_job(options wanted);

} // namespace call
