#pragma once

#include "workloads.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace bench {

// What the entries of the table of workloads are put together from.

/// The sizes of one run: `--quick` is over in seconds.
class sizes {
public:
    explicit sizes(bool is_quick) : is_quick_(is_quick) {}
    std::size_t operator()(std::size_t full, std::size_t quick) const { return is_quick_ ? quick : full; }

private:
    bool is_quick_;
};

/// What most workloads show.
inline const std::vector<std::string> speed = {"cpu_us", "per_second"};

/// What a target is for programs that are built as by default, and for those built by a profile.
double by_build(double plain, double profiled);

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
