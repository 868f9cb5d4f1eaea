#pragma once

#include <partyline/protocol/json_text.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>

namespace partyline::fleet {

/// The bounds and the deadlines of a front.
struct front_options {
    /// Most calls that are open at a time; more of them are answered -31001 "Server busy", with the reason "queue
    /// full".
    std::size_t max_calls = 16'384;
    /// Most open calls of one client; more of them are answered -31001 as well, with the reason "too many calls". A
    /// client is a principal, or without one an address or a user of this machine. An IPv6 address counts by its
    /// network of 64 bits, and all addresses of this machine count as one. Behind a proxy, clients without a principal
    /// share its address. Unset: half of `max_calls`. Not 0.
    std::optional<std::size_t> max_calls_per_client = {};
    /// Most sessions of one client, open ones and those that are about to be opened; more of them are refused with the
    /// reason "too many sessions". Behind a proxy, clients without a principal share these, too. Each session takes a
    /// place at a worker for as long as it lasts: see `worker_options::max_sessions`. Not 0.
    std::size_t max_sessions_per_client = 100;
    /// Most bytes of calls that the queue has not taken yet.
    std::size_t max_bytes = std::size_t(64) << 20;
    /// Longest request and longest reply. The limit of the NATS server (`max_payload`, 1 MiB unless set there) holds as
    /// well.
    std::size_t max_message_bytes = std::size_t(4) << 20;
    /// Most bytes of notifications of one call that its client has not read; beyond that the call is cancelled.
    std::size_t max_unread_bytes = std::size_t(4) << 20;
    /// How long a call may take, unless the call has a deadline of its own: no longer than five minutes.
    std::chrono::milliseconds deadline = std::chrono::minutes(5);
    /// Whether a call may run once more after its worker was lost. A worker may decide this as well, see
    /// `worker_options::is_idempotent`. Called from any thread; must not throw. Empty: none may.
    std::function<bool(std::string_view method, const json_text& params)> is_idempotent = {};
};

} // namespace partyline::fleet
