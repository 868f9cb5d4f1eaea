#pragma once

#include "options.hpp"

#include <partyline/rpc/method_table.hpp>

namespace echo {

/// Listens on sockets and serves whoever connects, until a signal ends it. Returns the exit code.
int run_listening(partyline::method_table methods, options options);

} // namespace echo
