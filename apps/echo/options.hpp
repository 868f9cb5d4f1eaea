#pragma once

#include "command_line/http_options.hpp"
#include "command_line/telemetry_options.hpp"

#include <partyline/run_stdio.hpp>
#include <partyline/transport/tcp_address.hpp>

#include <cstddef>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace echo {

/// What the command line asks for.
struct options {
    enum class action { serve, listen, serve_http, demo, help, version };
    action what = action::serve;
    std::size_t pool_threads = 2;
    std::string trace_file;
    bool wants_stats = false;
    bool is_language_server = false;
    partyline::stdio_options stdio;
    /// Where to listen instead of serving standard input and output.
    std::vector<std::string> unix_paths;
    std::vector<partyline::tcp_address> tcp_addresses;
    command_line::http_options http;
    command_line::telemetry_options telemetry;
    std::size_t max_connections = 0;
    std::optional<std::size_t> max_connections_per_address;
    std::optional<std::size_t> memory_bytes;
};

/// Throws `std::exception` with a text for the user.
options parse_command_line(int argc, const char* const* argv);

void print_help(std::ostream& out);

} // namespace echo
