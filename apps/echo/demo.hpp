#pragma once

#include <partyline/rpc/method_table.hpp>
#include <partyline/run_stdio.hpp>

namespace echo {

/// Runs the server over an in-memory pair, sends it raw lines from the other end, and prints what passes: "-> " to the
/// server, "<- " from it. Of the options those count that are not about the process. Returns the exit code.
int run_demo(partyline::method_table methods, partyline::stdio_options options);

} // namespace echo
