#pragma once

#include "mcp/client/client_core.hpp"
#include "mcp/client/lasting_settings.hpp"
#include "supervisor/bounded_hook.hpp"

#include <partyline/mcp/client.hpp>
#include <partyline/mcp/client/supervised_client_options.hpp>
#include <partyline/session/task.hpp>

#include <memory>
#include <optional>

namespace partyline::mcp {

using supervised_options_ptr = std::shared_ptr<const supervised_client_options>;
using start_outcome = bounded_hook::outcome;

/// Starts a client: the handshake, `on_start`, and what the last one was told, if there was one. On the client's
/// executor. What is thrown is in the outcome, and so is that its conversation has ended meanwhile.
task<start_outcome> start_client(std::shared_ptr<client> made, supervised_options_ptr how,
                                 std::optional<lasting_settings::values> former);

} // namespace partyline::mcp
