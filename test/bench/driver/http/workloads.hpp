#pragma once

#include "bench/driver/contenders.hpp"
#include "bench/driver/workloads.hpp"

#include <vector>

namespace bench::http {

/// What HTTP costs: a POST beside other servers of HTTP, event streams beside lines, connections that are idle, and the
/// gateway; then WebSocket and TLS.
std::vector<workload> all_workloads(sizes size);

} // namespace bench::http
