#pragma once

#include "server/connection_service.hpp"
#include "transport/socket/socket_channel.hpp"

#include <partyline/protocol/framing.hpp>
#include <partyline/session/handler.hpp>
#include <partyline/session/session_options.hpp>

#include <functional>
#include <memory>

namespace partyline::http {

/// Runs a session over a connection whose client speaks by `frames`. `on_end` is told of its end.
std::unique_ptr<served_connection> serve_session(socket_channel channel, std::unique_ptr<framing> frames,
                                                 std::shared_ptr<const dispatcher> methods, session_options options,
                                                 std::function<void(error_code)> on_end);

} // namespace partyline::http
