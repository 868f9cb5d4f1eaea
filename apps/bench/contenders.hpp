#pragma once

#include "workloads.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace bench {

// What the entries of the table of workloads are put together from.

/// Pipelined requests with a text of so many bytes.
job echoing(std::string method, std::size_t bytes, std::size_t requests);

contender cat(job work);
contender yardstick(job work);
contender echo_server(std::string name, job work, std::vector<target> targets = {});
contender bench_server(std::string name, job work, std::vector<target> targets = {});

/// The same with options on its command line.
contender with_options(contender server, std::string options);

/// One of partyline's, with messages behind headers that tell their length.
contender by_length(contender server);

} // namespace bench
