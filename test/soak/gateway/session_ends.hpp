#pragma once

#include "gateway/running_gateway.hpp"

#include <random>

namespace partyline::test {

/// A session of MCP through a gateway, and the connection that its client uses.
struct live_session {
    explicit live_session(running_gateway& gateway);

    /// Calls a tool until it is no error that the server has died meanwhile.
    void call_until_answered();
    /// Begins a call that takes a while, and reads until the server is at it.
    void begin_slow_call();
    /// Reads the answer of that, if it has been begun, and closes the connection.
    void finish();
    void end_by_delete();

    http_client client;
    std::string field; // that names it
    bool is_calling = false;
};

/// Begins a session and brings about its end in one of the ways that there are; the end itself may come later. Throws
/// where an answer is wrong.
void end_any_way(running_gateway& gateway, std::mt19937_64& random);

} // namespace partyline::test
