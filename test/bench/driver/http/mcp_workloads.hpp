#pragma once

#include "bench/driver/contenders.hpp"

#include <vector>

namespace bench::http {

/// Those that programs take part in which are built with MCP alone: its servers, and the gateway.
std::vector<workload> mcp_workloads(sizes size);

} // namespace bench::http
