#pragma once

#include "bench/driver/contenders.hpp"
#include "bench/driver/workloads.hpp"

#include <vector>

namespace bench::http {

/// What WebSocket costs: messages one at a time and pipelined, and connections that are idle.
std::vector<workload> websocket_workloads(sizes size);

} // namespace bench::http
