#pragma once

#include "contenders.hpp"
#include "workloads.hpp"

#include <vector>

namespace bench {

/// Params come back as they are: what carrying messages costs, by how a handler is written and how long they are.
std::vector<workload> echo_workloads(sizes size);

} // namespace bench
