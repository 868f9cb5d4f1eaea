#pragma once

#include "mcp_content.hpp"
#include "measure.hpp"
#include "results.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace bench {

/// Whose server it is: one of the baselines, one of partyline's, or somebody else's. Gateways have one of partyline's
/// behind them, whosever they are.
enum class program {
    cat,
    yardstick,
    beast,
    beast_websocket,
    beast_https,
    asio_tls,
    echo_server,
    bench_server,
    mcp_server,
    gateway,
    peer,
    peer_gateway,
    users
};

/// Whether it is a server of others that gives back what it gets, and knows nothing of JSON-RPC.
inline bool is_echo_on_port(program which)
{
    return which == program::beast || which == program::beast_websocket || which == program::beast_https ||
           which == program::asio_tls;
}

/// A server in a workload, and what it is asked.
struct contender {
    std::string name;
    program which;
    job work;
    std::string options = {}; // of its command line: limits that have to be raised, the framing
    std::vector<target> targets = {};
    std::string command = {}; // of a peer's or the user's
    std::string origin = {};  // a peer's name and version in full
    framing how = framing::ndjson;
    std::string echo_method = "echo";
    protocol spoken = protocol::json_rpc;
    service served = service::streams;
};

/// Something to be measured, the same for all its contenders.
struct workload {
    std::string name;
    std::string title;
    std::string unit; // what is counted
    std::vector<std::string> shown;
    std::string compared;             // the figure of which there are ratios
    std::vector<contender> reference; // the one they refer to, run before and after each other; or none
    std::vector<contender> contenders;
    bool has_peers = false; // of those that speak what the first contender speaks, and are gateways if it is one
    bool is_pinned = true;
    std::size_t max_rounds = 1000; // for what takes long
};

/// The table of all workloads: a new one is an entry here.
std::vector<workload> all_workloads(bool is_quick);

} // namespace bench
