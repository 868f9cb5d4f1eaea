#pragma once

#include "access_files.hpp"
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

struct program_facts {
    std::string kind;             // as the results have it: "floor", "yardstick", "partyline", "peer" or "server"
    const char* file;             // null: it has a command of its own
    bool is_echo_on_port = false; // that gives back what it gets, and knows nothing of JSON-RPC
};
program_facts facts_of(program which);

/// A server in a workload, and what it is asked.
struct contender {
    std::string name;
    program which;
    job work;
    std::vector<target> targets = {};
    std::string options = {}; // of its command line: limits that have to be raised, the framing
    std::string command = {}; // of a peer's or the user's
    std::string origin = {};  // a peer's name and version in full
    framing how = framing::ndjson;
    std::string echo_method = "echo";
    protocol spoken = protocol::json_rpc;
    service served = service::streams;
    credentials shows = credentials::none;
};

/// Something to be measured, the same for all its contenders.
struct workload {
    std::string name;
    std::string title;
    std::string unit;                 // what is counted
    std::vector<std::string> shown;   // figures, the main one first
    std::vector<contender> reference; // the one that ratios refer to, run before and after each other; or none
    std::vector<contender> contenders;
    bool has_peers = false; // of those that speak what the first contender speaks, and are gateways if it is one
    bool is_pinned = true;
    std::size_t max_rounds = 1000; // for what takes long

    /// The figure of which there are ratios.
    std::string compared() const { return reference.empty() ? "" : shown.front(); }
};

/// The table of all workloads: a new one is an entry there.
std::vector<workload> all_workloads(bool is_quick);

/// Chooses the sizes of a run: `--quick` is over in seconds.
using sizes = std::size_t (*)(std::size_t full, std::size_t quick);

// Its parts.

/// Params come back as they are: what carrying messages costs, by how a handler is written and how long they are.
std::vector<workload> echo_workloads(sizes size);
/// What MCP costs beside plain JSON-RPC, by whether its client begins with a handshake.
std::vector<workload> mcp_workloads(sizes size);
/// What methods cost that do something, wait, are cancelled or notify; starts, and doing nothing.
std::vector<workload> method_workloads(sizes size);
/// What HTTP, WebSocket and TLS cost beside other servers that give back what they get; connections that are idle.
std::vector<workload> http_workloads(sizes size);
std::vector<workload> websocket_workloads(sizes size);
std::vector<workload> tls_workloads(sizes size);
/// What it costs that clients authenticate.
std::vector<workload> access_workloads(sizes size);
/// Those over HTTP that programs take part in which are built with MCP alone: its servers, and the gateway.
std::vector<workload> mcp_port_workloads(sizes size);

} // namespace bench
