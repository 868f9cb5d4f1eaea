#pragma once

#include "contenders.hpp"
#include "workloads.hpp"

#include <vector>

namespace bench {

/// What MCP costs beside plain JSON-RPC, by whether its client begins with a handshake.
std::vector<workload> mcp_workloads(sizes size);

} // namespace bench
