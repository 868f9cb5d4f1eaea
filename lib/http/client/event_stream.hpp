#pragma once

#include "http/client/exchange_protocol.hpp"

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

/// How a stream of events has come to its end.
struct events_end {
    int status = 0;          // the last one, when the server has no stream any more; 0: given up, or no longer wanted
    bool had_stream = false; // at any time
};

/// Asks for a stream of events from a place on, by GET, and hands its messages to the conversation; again, as
/// `reconnect_rules` say, when it ends, until the calls in `answered` have their replies, or, where there are none, for
/// as long as the session lives. What has broken off before, and has a place, is asked for as soon as is said there.
///
/// Cancellation: terminal, partial, total: operation_aborted.
boost::asio::awaitable<events_end> follow_events(client_driver& by, posted_message answered, event_place from);

} // namespace partyline::http
