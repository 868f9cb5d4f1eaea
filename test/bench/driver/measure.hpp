#pragma once

#include "trial.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace bench {

/// What a measurement came to, by the name of the figure: what each is, `HEADINGS` in test/bench/page/table.py says.
using figures = std::map<std::string, double>;

struct job;
/// A way of asking a server for work: it takes a trial that has begun, and ends it. No figures: the machine was too
/// slow for its delays, and it has to be tried again, with others and another process.
using style = figures (*)(trial&, const job&);

/// What is asked of a server.
struct job {
    style how = nullptr;
    std::string method;
    content fill = {};
    std::size_t requests = 1;
    /// Requests of a client under way or of one burst, notifications for one request, milliseconds: as `how` takes it.
    std::size_t at_once = 0;
    std::size_t batch = 0; // requests in one array; 0: each by itself
    std::uint64_t seed = 0;
    bool echoes = false;            // the server gives the params back whatever the method is
    std::optional<int> error = {};  // in place of the result, where a cancel has to show as one
    likeness like = likeness::same; // of the result to that of `fill`
    int slowness = 1;               // delays are so many times as long
    std::size_t connections = 1;    // of clients that ask
    std::size_t idle = 0;           // of clients that do not
};

/// Runs a server once. Throws `failure`.
figures measure(const server_spec& server, const surroundings& around, job job);

// The styles.

/// All requests, over so many connections, each of which has `at_once` under way and sends as many again when these are
/// answered; 0: as many as are taken.
figures pipelined(trial& run, const job& job);
/// One request at a time.
figures ping_pong(trial& run, const job& job);
/// Bursts of `at_once` requests, all of which are under way before the first is answered.
figures in_flight(trial& run, const job& job);
/// All requests are under way, and then cancelled.
figures cancelled(trial& run, const job& job);
/// One request at a time, each of which makes the server send `at_once` notifications first.
figures notifying(trial& run, const job& job);
/// One request that makes the server have `at_once` sessions more, all of which are idle then.
figures holding_sessions(trial& run, const job& job);
/// From the start of the process to its first reply.
figures starting(trial& run, const job& job);
/// Nothing at all, for `at_once` milliseconds.
figures idle(trial& run, const job& job);
/// A thousand requests a second beside idle connections, and beside one for a hundred of these that sends a head byte
/// by byte.
figures beside_idle(trial& run, const job& job);
/// Connections that have asked once, and are idle then.
figures holding_connections(trial& run, const job& job);
/// Sessions that each have an event stream, and are idle.
figures holding_streams(trial& run, const job& job);

// What they have in common.

using microseconds = std::chrono::duration<double, std::micro>;

request_set make_requests(const job& job, random_source& random);
/// Ends the trial. The server's CPU time for each of so many.
double cpu_us_each(trial& run, std::size_t count);
/// Opens connections that ask once and are idle then, for so long that a server has put away what it has for those that
/// go on.
void open_idle(trial& run, const job& job);

} // namespace bench
