#pragma once

#include "bench/driver/contenders.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace bench::http {

// What the entries of the table of workloads over HTTP are put together from.

/// Of clients, unless there is a reason for others.
inline constexpr std::size_t connections = 64;

/// Echoes over so many connections, each of which has `at_once` under way.
job posts(std::size_t at_once, std::size_t requests);

/// One that is reached by POSTs at /rpc.
contender server_of(std::string name, program which, job work, std::vector<target> targets = {});

/// The same reached in another way.
contender reached_by(service served, contender server);

/// The same for as many connections as are measured, all of which come from loopback.
contender for_many(contender server);

} // namespace bench::http
