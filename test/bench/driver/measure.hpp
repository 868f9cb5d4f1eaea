#pragma once

#include "content.hpp"
#include "tool_reply.hpp"
#include "trial.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace bench {

namespace http {
class trial;
}

/// What a measurement came to, by the name of the figure: what each is, `HEADINGS` in test/bench/page/table.py says.
using figures = std::map<std::string, double>;

struct job;
/// A way of asking a server for work: it takes a trial that has begun, and ends it. No figures: the machine was too
/// slow for its delays, and it has to be tried again, with others and another process.
using style = figures (*)(trial&, const job&);
/// The same of a server that listens on a port.
using port_style = figures (*)(http::trial&, const job&);

/// What is asked of a server.
struct job {
    style how = nullptr;
    port_style over_port = nullptr;
    std::string method;
    content fill = {};
    std::size_t requests = 1;
    /// Requests of one batch or burst, notifications for one request, milliseconds: as `how` takes it.
    std::size_t at_once = 0;
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

/// All requests as fast as they are taken, in batches of `at_once` if that is not 0.
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

} // namespace bench
