#pragma once

#include "mcp/client/lasting_settings.hpp"
#include "mcp/client/requests.hpp"
#include "mcp/client/supervised/start_client.hpp"

#include <partyline/session/task.hpp>

namespace partyline::mcp {

/// Tells a new server what the last one was told and this one was not yet, and the handlers that what they know may
/// have changed. On the client's executor. What the server refuses, or does not take within `start_timeout`, is logged
/// and left out. Throws what else a request fails with: the next server is told all of it again. Tells no handler where
/// the conversation has ended meanwhile.
task<void> restore_settings(client_core_ptr of, supervised_options_ptr how, lasting_settings::values former);

} // namespace partyline::mcp
