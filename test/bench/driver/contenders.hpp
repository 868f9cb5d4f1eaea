#pragma once

#include "workloads.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace bench {

// What the entries of the table of workloads are put together from.

/// What most workloads show.
inline const std::vector<std::string> speed = {"cpu_us", "per_second"};
inline const std::vector<std::string> speed_and_peak = {"cpu_us", "per_second", "peak_mib"};

/// What a target is for programs that are built as by default, and for those built by a profile.
inline double by_build(double plain, double profiled)
{
    return PARTYLINE_HAS_PROFILE ? profiled : plain;
}

/// Pipelined requests with a text of so many bytes.
job echoing(std::string method, std::size_t bytes, std::size_t requests);
/// Echoes over 64 connections, each of which has `at_once` under way.
job posts(std::size_t at_once, std::size_t requests);
/// Calls of a tool.
job tool_calls(protocol spoken, job work);

contender cat(job work);
contender yardstick(job work);
contender echo_server(std::string name, job work, std::vector<target> targets = {});
contender bench_server(std::string name, job work, std::vector<target> targets = {});

// The same, but: with options on its command line; one of partyline's with messages behind headers that tell their
// length; reached in another way; for as many connections as are measured, all of which come from loopback.
contender with_options(contender server, std::string options);
contender by_length(contender server);
contender reached_by(service served, contender server);
contender for_many(contender server);

/// Others take part, too.
workload with_peers(workload measured);
/// It takes long.
workload in_rounds(std::size_t most, workload measured);

} // namespace bench
