#pragma once

#include <partyline/protocol/json_text.hpp>
#include <partyline/session/session_options.hpp>
#include <partyline/session/trace_context.hpp>

namespace gateway {

/// The params with this trace in their `_meta`, in place of another one; all else stays as it is, to the byte. The same
/// params where they have no place for it: arrays, and objects whose `_meta` is no object.
partyline::json_text with_trace(partyline::json_text params, const partyline::trace_context& trace);

/// Has a session read the traces of its requests, which it does where it has an `on_served`.
void read_traces(partyline::session_options& session);

} // namespace gateway
