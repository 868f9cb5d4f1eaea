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

/// The end of a request or a notification.
enum class request_disposition : std::uint8_t {
    handled,   ///< its handler, or the protocol itself, has ended it as `served_event::outcome` says
    refused,   ///< a request that was answered with an error before a handler of it started
    dropped,   ///< not served and not answered: a notification that is unknown, or that may not come now
    cancelled, ///< by the peer, by a deadline or since the session ends, before it had a result
    lost       ///< the session ended, or the sender was gone, before the answer could be given
};

/// A request or a notification that has come and has ended, as `session_options::on_served` sees it. The views, the
/// trace and the peer are valid during the call; to keep any of them, copy it.
struct served_event {
    /// The method as the peer called it; empty where a message is refused that has none (no JSON, too long). The method
    /// is text of the peer, of any length up to that of a message.
    std::string_view method = {};
    /// The name in the params, where several features share the method: the tool, the prompt, the resource's URI. Empty
    /// where they name no existing feature.
    std::string_view key = {};
    /// The exact text of the request's id; empty for a notification, and where no usable one could be read.
    std::string_view id = {};
    /// The end; the members below have the answer.
    request_disposition disposition = request_disposition::handled;
    /// The kind of the answer: `none` for a notification, and where no answer was written.
    answer_outcome outcome = answer_outcome::none;
    /// The code of an answer that is an error, and of the error that the handler of a notification has ended with; 0
    /// otherwise.
    int error_code = 0;
    /// Whether the answer is a result of MCP with `isError`: a tool has failed.
    bool is_tool_error = false;
    /// Whether it is an element of a batch.
    bool is_element = false;
    /// The time when it was read.
    std::chrono::steady_clock::time_point arrived = {};
    /// The time when its answer had been written, or it was known that there is none. The answer may not have been sent
    /// yet.
    std::chrono::steady_clock::time_point ended = {};
    /// The revision of the protocol that the message was served by, where that has such (MCP) and it is known: see
    /// `lifecycle::protocol_version`.
    std::string_view protocol_version = {};
    /// A digest of the session's id, where it has one: see `session_options::session_digest`.
    std::string_view session_digest = {};
    /// Our part of the trace, see `request_context::trace`; null where the message could not be read.
    const trace_context* trace = nullptr;
    /// The sender: see `request_context::peer`.
    const peer_identity& peer;
    /// The channel by which it was received.
    outlet_number outlet = 0;
    /// The length of its message, or of its element, without the frame.
    std::size_t bytes_in = 0;
    /// The length of the answer, without the frame; 0 where there is none.
    std::size_t bytes_out = 0;
};

/// Called once for every request and notification, when it has ended in any way: handled, refused, dropped, cancelled
/// or lost with its session; for elements of batches as well, and for cancels and progress that the session handles by
/// itself. Also called for a text that is answered although it is no message. A handler that goes on after its request
/// was cancelled, or answered at its deadline, does not change the event. Elements of a batch that are left when the
/// session is cancelled, or its sender gone, are lost, without key and trace. There is no event for replies to calls of
/// ours, nor for whole messages that had come and were not looked at before.
///
/// Called on the session's executor, in the middle of reading or writing: it may not send anything on that session. The
/// function must not wait, since the session's other requests wait meanwhile. For the requests of a session that is
/// destroyed, the function is called on the thread that destroys it: objects that the hook refers to must live until
/// then.
///
///     options.on_served = [](const partyline::served_event& event) {
///         count(event.method, event.error_code, event.ended - event.arrived);
///     };
using served_hook = std::function<void(const served_event&)>;

} // namespace partyline
