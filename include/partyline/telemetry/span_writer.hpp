#pragma once

#include <partyline/config.hpp>
#include <partyline/session/served_event.hpp>
#include <partyline/transport/document_sender.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace partyline::telemetry {

struct span;

/// Describes the program to a collector.
struct span_options {
    /// Attributes of the resource (OpenTelemetry), such as `service.name`, which is "partyline" unless given here.
    std::vector<std::pair<std::string, std::string>> resource = {};
    /// The methods that have the attributes of MCP: `mcp::method_names()`.
    std::vector<std::string> mcp_methods = {};
};

/// Makes a span (OpenTelemetry) of each request and notification that has a trace, and whose trace is sampled, and
/// keeps it until it is exported: see `export_spans`. Serving a request never waits for the export: a span without room
/// is dropped and counted.
///
/// A span has the name of its method, of a tool's call "tools/call NAME", is of kind SERVER, and has those attributes
/// of OpenTelemetry's conventions for RPC and MCP that are known: `rpc.system.name`, `rpc.method`,
/// `jsonrpc.request.id`, `rpc.response.status_code`, `mcp.method.name`, `gen_ai.tool.name`, `gen_ai.prompt.name`,
/// `mcp.protocol.version`, `mcp.session.id` (a digest, see `session_options::session_digest`), `network.transport`,
/// `network.peer.address`, `network.peer.port`, `error.type` (the code, "tool_error", or how it has ended without an
/// answer), `enduser.id` (the principal).
///
/// Calls have spans, too, by `add_call_spans`.
///
/// Thread safety: all of it, from any thread.
class PARTYLINE_EXPORT span_writer {
public:
    /// Most spans that wait to be exported.
    static constexpr std::size_t most_spans = 2048;
    /// Most spans of one payload.
    static constexpr std::size_t most_at_once = 512;

    /// Begins without spans.
    explicit span_writer(const span_options& options = {});
    span_writer(const span_writer&) = delete;
    span_writer& operator=(const span_writer&) = delete;
    ~span_writer();

    /// Adds the span of one request or notification: for `session_options::on_served`.
    void note(const served_event& event) noexcept;
    /// The number of spans that were dropped.
    std::uint64_t dropped() const noexcept;
    /// Ends `export_spans`, after one more attempt to export the spans that wait. Spans that come later are dropped.
    void close() noexcept;

    /// Spans as one payload of OTLP/HTTP in JSON.
    struct payload {
        std::string text;      ///< the body of a request
        std::size_t spans = 0; ///< how many it has; 0: there are none
    };
    /// For exporters: takes spans that wait. Throws `std::bad_alloc`: then these spans are dropped.
    payload take();
    /// For exporters: counts taken spans that could not be exported.
    void drop(std::size_t spans) noexcept;
    /// For exporters: drops the spans that wait, which will not be exported.
    void drop_waiting() noexcept;
    /// For exporters: `wake` is called, from any thread, when there is a whole payload, and by `close()`.
    void on_ready(std::function<void()> wake);
    /// For exporters: whether it was closed.
    bool is_closed() const noexcept;

private:
    friend class call_span;
    struct core;

    void add(span&& one) noexcept;

    const std::unique_ptr<core> core_;
};

/// The options of an export of spans.
struct export_options {
    /// The address that payloads are posted to: "http://127.0.0.1:4318/v1/traces".
    std::string url = {};
    /// Further fields of each request, such as Authorization.
    std::vector<std::pair<std::string, std::string>> fields = {};
    /// How long a span waits for others to make a whole payload.
    std::chrono::milliseconds interval = std::chrono::seconds(5);
    /// The delay before a payload is sent again that was not taken; the next one is twice as long. Retry-After of the
    /// collector counts, up to 30 s.
    std::chrono::milliseconds retry = std::chrono::seconds(1);
    /// How long one attempt may take.
    std::chrono::milliseconds timeout = std::chrono::seconds(10);
    /// Called with the reason why spans were dropped: one line, once until a payload is taken again. Must not throw.
    /// Empty: not called.
    std::function<void(std::string_view)> log = {};
};

/// Exports spans by OTLP/HTTP in JSON, until the writer is closed: every `interval`, or as soon as there is a whole
/// payload. A payload is tried three times where the collector cannot be reached, or says that it is busy (429, 502,
/// 503, 504); then its spans are dropped and counted, and so are those that it refuses.
///
/// `send` is `http::make_document_sender(…)`. `done` is called once, on the executor, when it has ended: after
/// `span_writer::close()` within `timeout` for each payload that is left.
///
///     const auto spans = std::make_shared<telemetry::span_writer>();
///     options.on_served = [spans](const served_event& event) { spans->note(event); };
///     telemetry::export_options to;
///     to.url = "http://127.0.0.1:4318/v1/traces";
///     telemetry::export_spans(executor, spans, http::make_document_sender(executor, {}), to, [] {});
///
/// When memory runs out, the export ends as after `close()`.
///
/// Lifetime: the `io_context` outlives it; while it is at work `run()` does not end.
/// Thread safety: it works on `executor`, which is serial: that of one thread, or a strand.
PARTYLINE_EXPORT void export_spans(boost::asio::any_io_executor executor, std::shared_ptr<span_writer> from,
                                   document_sender send, export_options to, std::function<void()> done);

} // namespace partyline::telemetry
