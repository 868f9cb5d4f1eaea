// In place of what is in mcp/, where the library of MCP is not built.

#include "call/mcp/mcp_job.hpp"

#include <stdexcept>

namespace call {

int run_mcp_job(options)
{
    throw std::runtime_error("--profile mcp is not there: this program was built without MCP (PARTYLINE_BUILD_MCP)");
}

} // namespace call
