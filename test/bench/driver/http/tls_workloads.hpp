#pragma once

#include "bench/driver/contenders.hpp"
#include "bench/driver/workloads.hpp"

#include <vector>

namespace bench::http {

/// What TLS costs: sessions and POSTs over it, and connections that are idle.
std::vector<workload> tls_workloads(sizes size);

} // namespace bench::http
