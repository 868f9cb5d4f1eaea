#pragma once

#include <cstddef>

namespace partyline::fleet {

/// Counters of a bus, as of a moment ago.
struct bus_totals {
    bool is_connected = false;   ///< whether there is a connection now
    std::size_t connections = 0; ///< connections that were made: each after the first is a reconnection
    std::size_t dropped = 0;     ///< messages that were not sent, as too much was waiting
};

/// Counters of a front, as of a moment ago. Calls are counted by how they have ended: `queue_full` to `closing` are
/// those answered -31001, by their reason.
struct front_totals {
    std::size_t open_calls = 0;        ///< calls that are open now
    std::size_t published = 0;         ///< calls that were published
    std::size_t published_again = 0;   ///< further attempts to publish these
    std::size_t queue_full = 0;        ///< refused: the queue, or this front, has no room
    std::size_t too_many_calls = 0;    ///< refused: their client has too many open
    std::size_t too_many_sessions = 0; ///< refused: the workers, or their client, may have no more
    std::size_t no_worker = 0;         ///< refused: no worker has made the queue
    std::size_t bus_unreachable = 0;   ///< refused: the bus did not take them
    std::size_t closing = 0;           ///< refused: the front ends
    std::size_t lost = 0;              ///< answered -31004: they may have run
    std::size_t late = 0;              ///< ended by their deadlines
    std::size_t dropped = 0;           ///< messages of the bus that were not understood, or had no room
};

/// Counters of a worker, as of a moment ago.
struct worker_totals {
    std::size_t running = 0;     ///< calls that run now
    std::size_t unconfirmed = 0; ///< calls that have ended, and whose fronts have not confirmed that yet
    std::size_t begun = 0;       ///< calls that have begun to run
    std::size_t refused = 0;     ///< messages of the bus that are neither calls nor cancels
    std::size_t claims_lost = 0; ///< calls that another worker had claimed
    std::size_t pulls = 0;       ///< requests for calls
    std::size_t sessions = 0;    ///< sessions that are open now
    std::size_t dropped = 0;     ///< messages of the bus that were not understood, or had no room
};

} // namespace partyline::fleet
