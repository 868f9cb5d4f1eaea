#pragma once

#include <partyline/rpc/method_table.hpp>
#include <partyline/run_stdio.hpp>

namespace echo {

/// Runs the server and a client of it over an in-memory pair, and prints what passes: "-> " to the server, "<- " from
/// it, and between them what the client makes of it. Of the options those count that are not about the process. Returns
/// the exit code.
int run_demo(partyline::method_table methods, partyline::stdio_options options);

} // namespace echo
