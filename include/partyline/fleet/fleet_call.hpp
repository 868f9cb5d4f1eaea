#pragma once

#include <partyline/protocol/json_text.hpp>
#include <partyline/session/peer_identity.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace partyline::fleet {

/// A request, or a notification, on its way to a worker.
struct fleet_call {
    /// The method.
    std::string method;
    /// An array, an object, or empty for none; it has been checked, as the params of a handler have.
    json_text params = {};
    /// The exact text of the request's id, as it stands in the message that the worker gets, so that progress with this
    /// id can be passed on. Empty: a notification, which completes with null when a worker has served it.
    std::string id = "1";
    /// The caller, as the worker gets it. Null, or without a principal: the worker gets no caller.
    std::shared_ptr<const peer_identity> peer = {};
    /// The client whose calls are counted together: see `front_options::max_calls_per_client`. Empty: those of the
    /// peer.
    std::string client = {};
    /// The trace (W3C) that the call belongs to. Empty: none.
    std::string traceparent = {};
    /// How long the call may take; unset: `front_options::deadline`.
    std::optional<std::chrono::milliseconds> deadline = {};
    /// Whether the call may run once more. Unset: as `front_options::is_idempotent` says.
    std::optional<bool> is_idempotent = {};
    /// SIGNER.JTI of a proof that is good for one call on all fronts. Empty: none.
    std::string proof_id = {};
    /// Called with each notification of the worker, its progress included, in order and before the call completes, on
    /// the front's executor. Must not throw. Empty: they are dropped.
    std::function<void(std::string method, json_text params)> on_notification = {};
};

} // namespace partyline::fleet
