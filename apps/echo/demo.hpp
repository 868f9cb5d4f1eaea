#pragma once

#include <partyline/rpc/method_table.hpp>
#include <partyline/session/session_options.hpp>

namespace echo {

/// Runs the server over an in-memory pair, sends it raw lines from the other end, and prints what passes: "-> " to the
/// server, "<- " from it. Returns the exit code.
int run_demo(partyline::method_table methods, partyline::session_options options);

} // namespace echo
