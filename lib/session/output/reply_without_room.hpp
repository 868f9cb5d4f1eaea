#pragma once

#include "session/output/unsent_notifications.hpp"
#include "session/requests/incoming_request.hpp"
#include "session/requests/start_queue.hpp"

#include <vector>

namespace partyline {

/// A request whose handler has ended while the outbox was full. It is in flight until its reply has gone there; the
/// worker is free for others.
struct reply_without_room : incoming_request {
    reply_without_room() noexcept
    {
        stage = state::finished;
        kept = &reply;
    }

    start_rule rule;
    std::vector<notification_text> unsent; // goes first
    kept_reply reply;
};

} // namespace partyline
