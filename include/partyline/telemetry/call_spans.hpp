#pragma once

#include <partyline/config.hpp>
#include <partyline/protocol/json_text.hpp>
#include <partyline/session/call_result.hpp>
#include <partyline/session/session_options.hpp>
#include <partyline/session/trace_context.hpp>
#include <partyline/telemetry/span_writer.hpp>

#include <memory>
#include <string_view>

namespace partyline::telemetry {

/// The span (OpenTelemetry) of a call to a peer, of kind CLIENT: from the construction of this object until it gets the
/// outcome of the call. `add_call_spans` makes a span of each call of a session; this class is for programs that pass
/// on calls of others.
///
/// A span has the name and the attributes that `span_writer` lists, as far as they are known of a call:
/// `rpc.system.name`, `rpc.method`, `mcp.method.name`, `gen_ai.tool.name`, `gen_ai.prompt.name`,
/// `mcp.protocol.version`, `rpc.response.status_code` (of an error that the peer has answered), and `error.type`: that
/// code, "tool_error", or where the peer has not answered "timeout", "cancelled", "refused" (the call was not made:
/// middleware, limits or missing authorization), "bad_reply", "http_status", else "lost".
///
/// Thread safety: none; `span_writer` may be used by others meanwhile.
class PARTYLINE_EXPORT call_span {
public:
    /// Begins the span, in the trace of `parent`, or where that is null in a new one. `to` is not null.
    call_span(std::shared_ptr<span_writer> to, const trace_context* parent, std::string_view method, json_view params);
    /// Ends the span; a call that has not ended counts as lost.
    ~call_span();
    call_span(const call_span&) = delete;
    call_span& operator=(const call_span&) = delete;

    /// The trace context of the span, which the peer is told.
    const trace_context& trace() const noexcept { return trace_; }

    /// Sets the revision of the protocol, where the params do not have it: `mcp.protocol.version`.
    void set_protocol_version(std::string_view revision) noexcept;

    /// Ends the span with the outcome of the call: `reply`, unless `failed` says that there is none. Only the first end
    /// counts.
    void end(error_code failed, const response& reply) noexcept;
    /// Ends the span of a call that was not made.
    void refuse() noexcept;
    /// Discards the span, as there has been no call: nothing is exported.
    void discard() noexcept;

private:
    struct record;

    void finish() noexcept;

    trace_context trace_;
    std::unique_ptr<record> record_; // null: it has ended, is not sampled, or there was no memory
};

/// Makes a span of each call of a session, as a child of that of the request whose handler makes it, and sends the peer
/// its trace by `trace_calls`, so that the peer's own spans are its children. Notifications, and the elements of
/// batches, have no span of their own: for these the peer gets the span of the request.
///
/// Each call is held while it is under way, as by any coroutine of `session_options::around_calls`. Middleware that is
/// added before stands around the span; one that tries again makes a span for each try.
///
///     const auto spans = std::make_shared<telemetry::span_writer>();
///     options.on_served = [spans](const served_event& event) { spans->note(event); };
///     telemetry::add_call_spans(options, spans);
PARTYLINE_EXPORT void add_call_spans(session_options& options, std::shared_ptr<span_writer> to);

} // namespace partyline::telemetry
