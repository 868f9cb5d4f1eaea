#pragma once

#include "server/connection_service.hpp"
#include "session/sender_facts.hpp"
#include "transport/socket/socket_channel.hpp"

#include <partyline/protocol/framing.hpp>
#include <partyline/session/access_control.hpp>
#include <partyline/session/handler.hpp>
#include <partyline/session/session_options.hpp>

#include <functional>
#include <memory>

namespace partyline::http {

class http_service;

/// A session as it begins.
struct begun_session {
    std::unique_ptr<framing> frames; // that its client speaks by
    std::shared_ptr<const dispatcher> methods;
    session_options options;
    std::shared_ptr<const access_grant> grant; // of its peer, renewed from now on; null: nobody was asked
    sender_facts sender = {};                  // what its handshake has told
};

/// Runs a session over a connection. `on_end` is told of its end.
std::unique_ptr<served_connection> serve_session(const std::shared_ptr<http_service>& core, socket_channel channel,
                                                 begun_session begun, std::function<void(error_code)> on_end);

} // namespace partyline::http
