#pragma once

#include <partyline/config.hpp>

#include <boost/system/error_code.hpp>

#include <type_traits>

namespace partyline {

using boost::system::error_code;

/// Local failures. An error that a peer answers is never one of these: see `error_object`.
enum class errc {
    /// `async_run` was called on a session that runs already or has run.
    already_started = 1,
    /// The session has ended, or was ended by `stop()`.
    session_closed,
    /// The reader of our output is gone, the peer has closed the connection as a whole, or the process that an LSP
    /// client has named as its own has ended.
    peer_gone,
    /// Input had ended, or `close()` was called, and handlers were cancelled because `drain_timeout` was over; or a
    /// peer had not read the rest by then.
    drain_timeout,
    /// The limits left no room for a notification of the peer; to drop it could have left our state wrong.
    overloaded,
    /// The header of a message does not tell where the next message begins, or input ended within a message.
    /// (Content-Length only.)
    bad_header,
    /// The peer has broken the rules of WebSocket; the close code that it was sent names the violation.
    bad_frame,
    /// The peer sent `exit` without having asked for `shutdown` (LSP only).
    exit_without_shutdown,
    /// The peer has read less than `session_options::write_stall_bytes` of our output in `write_stall`.
    write_stalled,
    /// No whole message has come within `session_options::first_message_timeout`.
    no_message,
    /// The session had nothing to do for as long as `session_options::idle_timeout`.
    idle,
    /// The connection began with an HTTP request line, or as TLS does. Nothing of the request was looked at.
    http_request,
    /// The connection has ended without TLS's own end of data: the last data may have been cut off.
    stream_truncated,
    /// The session itself could not go on: memory ran out, or a hook or a profile threw. The log has the reason.
    session_failed,

    // Reasons why a call of ours has no reply. (For a call that was cancelled here: `asio::error::operation_aborted`.
    // For a call to a child process that has ended: its code, see `child_exit`.)

    /// The call's time was over: `call_options::timeout` or `idle_timeout`. The peer was told to cancel the request.
    timeout,
    /// The peer has ended the conversation before it replied.
    peer_closed,
    /// The reply has both a result and an error, neither, or a malformed error (JSON-RPC 2.0 §5); or it is no JSON, or
    /// no value can be made of its result where one is asked for (see `json_view::to_value`).
    bad_reply,
    /// The reply came, and its result is not of the type that was asked for.
    not_convertible,
    /// The call, or its reply, is longer or nested deeper than `limits` allow.
    message_too_large,
    /// The server has answered over HTTP without a reply; the details have the status, and the type of the body or its
    /// text.
    http_status,
    /// Misuse: the method's name is empty, or the params are neither array, object nor null, or have no JSON text; or
    /// the params are an array, or the call is a batch, where the profile has none.
    bad_params,
    /// As many calls are open as `limits` allow, or as many handlers wait for the peer.
    too_many_calls,
    /// `session_options::on_message` has refused a notification or a batch of notifications, or middleware around a
    /// call or a notification has thrown.
    refused,

    // Errors of a supervisor, and of a supervised client of MCP. Calls that fail with the first two were not sent.

    /// No child or client is ready, and callers do not wait for one (`supervisor_options::calls_while_down`,
    /// `mcp::supervised_client_options::ready_while_down`).
    not_running,
    /// The child or the client has ended, and no other one is started any more (`restart_policy`).
    gave_up,
    /// `on_start`, or the function that makes a client, has thrown an exception without a code; the details have its
    /// text.
    start_failed,

    // Reasons why a session over TLS has ended.

    /// The peer has sent 32 KiB of TLS's own records in a row, such as key updates and session tickets, and no data.
    no_data,

    // Reasons why a session has ended whose peer is authenticated.

    /// The peer's credentials have expired, or were taken away: see `access_control::renew`.
    access_ended,
};

/// The category of the codes of `errc`.
PARTYLINE_EXPORT const boost::system::error_category& partyline_category() noexcept;

/// Makes an `error_code`; an `errc` converts to one implicitly.
inline error_code make_error_code(errc e) noexcept
{
    return {static_cast<int>(e), partyline_category()};
}

} // namespace partyline

template <>
struct boost::system::is_error_code_enum<partyline::errc> : std::true_type {};
