#pragma once

#include "command_line/http_options.hpp"
#include "command_line/telemetry_options.hpp"
#include "tool_limits.hpp"

#include <cstddef>
#include <iosfwd>
#include <string>
#include <vector>

namespace tools {

/// What the command line asks for.
struct options {
    enum class action { serve, help, version };
    action what = action::serve;
    /// Folders, as they were given: at least one, where it is to serve.
    std::vector<std::string> roots;
    /// Names of programs.
    std::vector<std::string> commands;
    tool_limits limits;
    /// Of lists; 0: all is on one page.
    std::size_t page_size = 0;
    /// The file of the keys of requestState and cursors; empty: random ones.
    std::string state_keys;
    /// Where it serves HTTP instead of standard input and output.
    command_line::http_options http;
    command_line::telemetry_options telemetry;
};

/// Throws `std::exception` with a text for the user.
options parse_command_line(int argc, const char* const* argv);

void print_help(std::ostream& out);

} // namespace tools
