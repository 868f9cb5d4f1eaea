#pragma once

#include <partyline/protocol/error.hpp>
#include <partyline/session/peer_identity.hpp>
#include <partyline/session/session_options.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace partyline::fleet {

/// The methods of a worker that serve a session which lasts longer than a call.
enum class fleet_session_kind : std::uint8_t {
    session,  ///< `worker_options::session_maker`: a client's session
    requests, ///< the worker's own methods: for requests of a connection without a session
};

/// How `front::open_session` makes a session with one worker.
struct fleet_session_options {
    /// The options of the front's side of the session.
    session_options session = {};
    /// The peer, as the worker gets it once, when it opens the session: there it is `session_options::peer`. Null, or
    /// without a principal: the worker gets no peer.
    std::shared_ptr<const peer_identity> peer = {};
    /// The client whose sessions this one is counted with, from its opening to its end: see
    /// `front_options::max_sessions_per_client`. Empty: those of the peer.
    std::string client = {};
    /// The trace (W3C) that the opening belongs to. Empty: none.
    std::string traceparent = {};
    /// The methods of the worker that serve the session.
    fleet_session_kind kind = fleet_session_kind::session;
    /// Called once, on the front's executor, when a worker has opened the session (with null), or when none is going
    /// to: with the error to be answered to the client that asked for the session. Not after `session::stop()`. Must
    /// not throw. Empty: not called.
    std::function<void(const error_object* refused)> on_opened = {};
};

} // namespace partyline::fleet
