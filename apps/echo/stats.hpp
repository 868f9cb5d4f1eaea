#pragma once

#include <partyline/session/session_counters.hpp>

namespace echo {

/// Prints each counter to standard error, as a line "name: value".
void print_stats(const partyline::session_counters& counters);

} // namespace echo
