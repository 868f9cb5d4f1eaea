#pragma once

#include "command_line/http_options.hpp"
#include "command_line/telemetry_options.hpp"
#include "gateway/access_commands.hpp"
#include "gateway/bus_options.hpp"
#include "gateway/network_server.hpp"

#include <chrono>
#include <cstddef>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace gateway {

/// What the command line asks for.
struct options {
    enum class action { serve, serve_host, new_token, new_key, explain, check_access, help, version };
    action what = action::serve;
    command_line::http_options http;
    command_line::telemetry_options telemetry;
    /// The server, and its arguments.
    std::vector<std::string> command;
    /// The server of a host on standard input and output.
    std::optional<network_address> remote;
    /// The bus that calls go to, from clients, or come from, for the server.
    std::optional<bus_settings> bus;
    /// How many calls of a bus the server is given at once.
    std::size_t max_calls = 16;
    /// How long calls of a bus that have begun have at the end.
    std::chrono::milliseconds drain{60000};
    /// One server for all clients, also for those that have sessions.
    bool is_shared = false;
    /// Servers are told who has sent each request.
    bool tells_peers = false;
    /// Servers are told the trace of each request.
    bool tells_traces = false;
    /// The pause after which a shared server that was given up is started again. Zero: the gateway ends then.
    std::chrono::seconds retry_after{30};
    /// Of `new_token` and `new_key` the caller, of `explain` all, of `check_access` the file.
    explained_call asked = {};
};

/// Throws `std::exception` with a text for the user.
options parse_command_line(int argc, const char* const* argv);

void print_help(std::ostream& out);

} // namespace gateway
