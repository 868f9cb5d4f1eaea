#pragma once

#include "command_line/observer.hpp"
#include "options.hpp"

#include <partyline/http/server.hpp>
#include <partyline/rpc/method_table.hpp>

namespace echo {

/// Listens on sockets and serves whoever connects, until a signal ends it. Returns the exit code.
int run_listening(partyline::method_table methods, options options, const command_line::observer& by);

/// Serves the methods in every way that a server of HTTP has: by POST at /rpc, by WebSocket at /ws, and by sessions.
void add_to(partyline::http::server& server, partyline::method_table methods);

} // namespace echo
