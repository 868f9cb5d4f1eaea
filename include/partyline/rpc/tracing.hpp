#pragma once

/// W3C Trace Context in JSON-RPC: `traceparent` and `tracestate` stand in the params' metadata (`_meta`, or as the
/// profile has it), as MCP of 2026-07-28 says (SEP-414).

#include <partyline/config.hpp>
#include <partyline/protocol/json_text.hpp>
#include <partyline/session/trace_context.hpp>

namespace partyline {

class peer_call;
class request_context;

/// Reads the trace of the peer's piece of work, and makes the request a part of it, for `request_context::trace`.
/// Fields that violate the specification are ignored: the request begins a new trace. This middleware goes first:
/// middleware in front of it that asks for the trace would get another one. A session with `session_options::on_served`
/// reads traces by itself, also those of HTTP's fields; there this middleware does nothing.
///
///     methods.around_requests(partyline::trace_requests);
PARTYLINE_EXPORT void trace_requests(request_context& context, json_view params);

/// The piece of work of a call itself: `trace_calls` sends the peer this one, in place of the request's. Attached to
/// the call (`peer_call::attached`) by middleware before `trace_calls`, such as `telemetry::add_call_spans`.
struct call_trace {
    /// A child of the request's, or the first piece of a trace.
    trace_context own;
};

/// Sends the peer the trace of a call or a notification (but for progress): its parent is the `call_trace` that is
/// attached to it, else the request whose handler makes it; without one it is the first piece of a new trace. Params
/// that are an array have no place for it, and are sent as they are.
///
///     options.around_calls.add(partyline::trace_calls);
PARTYLINE_EXPORT void trace_calls(peer_call& call);

} // namespace partyline
