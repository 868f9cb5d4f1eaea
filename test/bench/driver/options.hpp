#pragma once

#include "server_process.hpp"
#include "wire.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace bench {

/// What the command line asks for.
struct options {
    enum class action { measure, list, help, version };
    action what = action::measure;
    bool is_quick = false;
    std::size_t rounds = 5;
    std::uint64_t seed = 0;
    std::vector<std::string> workloads; // empty: all
    std::string json_file;              // empty: standard output
    std::string server;                 // the user's; empty: partyline's
    std::string method = "echo";
    framing how = framing::ndjson;
    transport over = transport::pipes;
    std::chrono::milliseconds timeout{10'000};
    bool is_pinned = true;
    std::string programs; // the folder of partyline's servers and the yardstick
    std::string peers_file;
};

/// Throws `std::exception` with a text for the user.
options parse_command_line(int argc, const char* const* argv);

void print_help(std::ostream& out);

} // namespace bench
