#pragma once

#include "session/output/backlog.hpp"
#include "session/requests/slot.hpp"
#include "session/requests/start_queue.hpp"

#include <partyline/protocol/byte_buffer.hpp>

#include <vector>

namespace partyline {

/// A request whose handler has ended while the outbox was full. It is in flight until its reply has gone there; the worker
/// is free for others.
struct kept_reply : slot {
    kept_reply() noexcept
    {
        stage = state::finished;
        kept = &text;
    }

    start_rule rule;
    std::vector<said> unsaid; // goes first
    byte_buffer text;         // of the reply; empty for a notification
};

} // namespace partyline
