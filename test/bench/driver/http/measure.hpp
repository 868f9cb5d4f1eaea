#pragma once

#include "bench/driver/measure.hpp"

namespace bench::http {

// The styles of asking a server that listens on a port.

/// All requests, over so many connections, each of which has `at_once` under way and sends as many again when these are
/// answered.
figures posting(trial& run, const job& job);
/// One request at a time, each of which makes the server send `at_once` notifications first.
figures notified(trial& run, const job& job);
/// A thousand requests a second beside idle connections, and beside one for a hundred of these that sends a head byte
/// by byte.
figures beside_idle(trial& run, const job& job);
/// Connections that have asked once, and are idle then.
figures holding_connections(trial& run, const job& job);
/// Sessions that each have an event stream, and are idle.
figures holding_streams(trial& run, const job& job);

} // namespace bench::http
