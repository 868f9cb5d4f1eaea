#pragma once

#include "options.hpp"
#include "peers.hpp"
#include "workloads.hpp"

#include <string>
#include <vector>

namespace bench {

/// What is to be measured, and what is not although one might expect it.
struct selection {
    std::vector<workload> workloads;
    std::vector<std::string> remarks;
};

/// Picks the workloads that were asked for, puts the user's server in the place of partyline's, and adds the peers.
/// Throws `std::invalid_argument` when a workload does not exist or is not for the user's server.
selection select(std::vector<workload> all, const options& wanted, const std::vector<peer>& peers);

} // namespace bench
