#pragma once

#include "http/client/exchange_protocol.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <optional>
#include <string>

namespace partyline::http {

class client_driver;

/// The place at which a stream of events has ended.
struct event_place {
    std::string last_id = {};                            // of the last event; empty: it can't be resumed
    std::optional<std::chrono::milliseconds> retry = {}; // the delay that the server has asked for
};

/// The end of following a stream of events.
struct events_end {
    int status = 0;          // of the answer that there is no stream any more; 0: given up, or no longer wanted
    bool had_stream = false; // there was a stream at some time
};

/// Requests a stream of events by GET, from a place on, and passes its messages to the conversation. Repeats that after
/// each end, with the delays of `reconnect_rules`, until the calls in `answered` have their replies; where `answered`
/// has no calls, for as long as the session lives. A place with an id is that of a stream which has ended just now.
///
/// Cancellation: terminal, partial, total: operation_aborted.
boost::asio::awaitable<events_end> follow_events(client_driver& by, posted_message answered, event_place from);

} // namespace partyline::http
