#pragma once

#include <partyline/protocol/json_text.hpp>
#include <partyline/session/served_methods.hpp>
#include <partyline/session/session_options.hpp>

#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>

namespace partyline::fleet {

/// The options of a worker.
struct worker_options {
    /// The options of each conversation; one serves one call, or one session. `peer` is set to the caller that the
    /// front names.
    session_options session = {};
    /// The methods that serve clients' sessions (`fleet_session_kind::session`). A function that makes methods is
    /// called on the worker's executor. Unset: the worker's methods serve them as well.
    std::optional<served_methods> session_maker = {};
    /// Most sessions that last longer than a call, of both kinds; more of them go to other workers, or are refused:
    /// -31001 "Server busy". Without room for one more, calls are asked for one by one. 0: none are opened here.
    std::size_t max_sessions = 1'024;
    /// Most calls that run at a time; the worker asks the queue for no more.
    std::size_t max_calls = 16;
    /// Longest request and longest reply. The limit of the NATS server (`max_payload`) holds as well.
    std::size_t max_message_bytes = std::size_t(4) << 20;
    /// Whether a call may run once more after a worker was lost. A call that may not is claimed first, so that it runs
    /// at most once, which takes one more message to the server. A front may decide this as well. Called on the
    /// worker's executor; must not throw. Empty: none may.
    std::function<bool(std::string_view method, json_view params)> is_idempotent = {};
    /// Returns whether calls can be served now. Where it returns false, no more calls are taken, calls that come all
    /// the same go back to the queue for other workers, and a second later the function is called again. Called on the
    /// worker's executor; must not throw. Empty: always.
    std::function<bool()> is_ready = {};
    /// The number of servers that keep the queue, where this worker makes it. 0: three in a cluster, else one.
    std::size_t replicas = 0;
};

} // namespace partyline::fleet
