#pragma once

#include "http/client/exchange_dialect.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <optional>
#include <string>

namespace partyline::http {

class client_driver;

/// Where a stream of events has broken off.
struct event_place {
    std::string last_id = {};                            // of the last event; empty: it can't be taken up again
    std::optional<std::chrono::milliseconds> retry = {}; // how soon to come back
};

/// Asks for a stream of events from a place on, by GET, and hands its messages to the conversation; again, after growing pauses, when
/// it ends, until the calls in `answered` have their replies, or, where there are none, for as long as the session lives.
///
/// Completes with the last status, when the server has none any more, or 0 when it is given up or no longer wanted.
/// Cancellation: terminal, partial, total: operation_aborted.
boost::asio::awaitable<int> follow_events(client_driver& by, posted_message answered, event_place from);

} // namespace partyline::http
