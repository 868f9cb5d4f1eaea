#pragma once

#include "call/output/status_output.hpp"

#include <partyline/protocol/limits.hpp>
#include <partyline/session/message_event.hpp>

#include <string>

namespace call {

/// What of the conversation the user is told beside the replies.
struct watch_options {
    /// Every message is written to this file; empty: to none.
    std::string trace_file;
    /// The server's notifications are shown, but for progress and what an MCP server logs, which have their own ways.
    bool shows_notifications = false;
};

/// A hook that tells it, and what comes from the server and is no message, or an error that names no call: the first
/// ten, and that there are more. Refuses nothing. Throws `std::system_error` when the file can't be opened.
partyline::message_hook watch_messages(const watch_options& wanted, const partyline::limits& bounds,
                                       status_output& told);

} // namespace call
