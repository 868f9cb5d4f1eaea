#pragma once

#include <partyline/session/lifecycle.hpp>
#include <partyline/session/message_event.hpp>
#include <partyline/session/peer_identity.hpp>
#include <partyline/session/trace_context.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

namespace partyline {

/// How far a request or a notification came.
enum class request_disposition : std::uint8_t {
    handled,   ///< its handler, or the protocol itself, has ended it as `served_event::outcome` says
    refused,   ///< a request that was answered with an error before a handler of it started
    dropped,   ///< not served, and nobody was told: a notification that is unknown, or that may not come now
    cancelled, ///< by the peer, by a deadline or since the session ends, before it had a result
    lost       ///< the session ended, or the sender was gone, before the answer could be given
};

/// A request or a notification that has come and has ended, as `session_options::on_served` sees it. The views, the
/// trace and the peer are valid during the call; whoever keeps any of them copies it.
struct served_event {
    /// The method as the peer called it; empty where a message is refused that has none (no JSON, too long). It is text
    /// of the peer, of any length up to that of a message.
    std::string_view method = {};
    /// What the params name, where several things share the method's name: the tool, the prompt, the resource's URI.
    /// Empty where they name none that there is.
    std::string_view key = {};
    /// The exact text of the request's id; empty for a notification, and where no usable one could be read.
    std::string_view id = {};
    /// How it has ended. The others say with which answer.
    request_disposition disposition = request_disposition::handled;
    /// What the peer was answered: `none` for a notification, and where no answer was written.
    answer_outcome outcome = answer_outcome::none;
    /// The code of an answer that is an error, and of the error that the handler of a notification has ended with; 0
    /// otherwise.
    int error_code = 0;
    /// The answer is a result of MCP that says `isError`: a tool has failed.
    bool is_tool_error = false;
    /// Part of a batch.
    bool is_element = false;
    /// When it was read.
    std::chrono::steady_clock::time_point arrived = {};
    /// When its answer had been written, or it was known that there is none. It may not have been sent yet.
    std::chrono::steady_clock::time_point ended = {};
    /// The revision of the protocol that the message was served by, where that has such (MCP) and it is known: see
    /// `lifecycle::protocol_version`.
    std::string_view protocol_version = {};
    /// What stands for the session's id, where it has one: see `session_options::session_digest`.
    std::string_view session_digest = {};
    /// Our part of the trace, see `request_context::trace`; null where the message could not be read.
    const trace_context* trace = nullptr;
    /// Who has sent it: see `request_context::peer`.
    const peer_identity& peer;
    /// Where it came in.
    outlet_number outlet = 0;
    /// The length of its message, or of its element, without the frame.
    std::size_t bytes_in = 0;
    /// The length of the answer, without the frame; 0 where there is none.
    std::size_t bytes_out = 0;
};

/// Is told of every request and notification once, when it has ended, whatever becomes of it: handled, refused,
/// dropped, cancelled or lost with its session; elements of batches as well, and cancels and progress that the session
/// takes for itself. Also of what is answered although it is no message. A handler that goes on after its request was
/// cancelled, or answered at its deadline, changes nothing of that. What is left of a batch when the session is
/// cancelled, or its sender gone, is lost, without key and trace. There is no event for replies to calls of ours, nor
/// for whole messages that had come and were not looked at before.
///
/// Called on the session's executor, in the middle of reading or writing: it may not send anything on that session. It
/// is not to wait, since the session's other requests do so meanwhile. What a session that is destroyed leaves behind
/// is told then, by whoever destroys it: what the hook refers to is to live as long.
///
///     options.on_served = [](const partyline::served_event& event) {
///         count(event.method, event.error_code, event.ended - event.arrived);
///     };
using served_hook = std::function<void(const served_event&)>;

} // namespace partyline
