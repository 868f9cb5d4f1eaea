#pragma once

#include <partyline/run_stdio.hpp>

#include <cstddef>
#include <iosfwd>
#include <string>

namespace echo {

/// What the command line asks for.
struct options {
    enum class action { serve, demo, help, version };
    action what = action::serve;
    std::size_t threads = 2;
    std::string trace_file;
    bool wants_stats = false;
    partyline::stdio_options stdio;
};

/// Throws `std::exception` with a text for the user.
options parse_command_line(int argc, const char* const* argv);

void print_help(std::ostream& out);

} // namespace echo
