#pragma once

#include <partyline/config.hpp>
#include <partyline/session/access_control.hpp>
#include <partyline/session/served_event.hpp>
#include <partyline/session/session_totals.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::telemetry {

/// A number of another object, which metrics read when they are asked for.
enum class read_number : std::uint8_t {
    connections,  ///< now: `partyline_connections`
    spans_dropped ///< from the beginning: `partyline_spans_dropped_total`
};

/// A number of another object, with its name and description as a metric.
struct named_number {
    /// The name of the metric, which begins with "partyline_". Where it ends with "_total", the number is a counter,
    /// which never decreases but by a restart.
    std::string name;
    /// A description in one line.
    std::string help;
    /// The number.
    std::uint64_t value = 0;
    /// The name of its only label. Empty: it has none.
    std::string label = {};
    /// The value of that label.
    std::string label_value = {};
};

/// The metrics of a program, for Prometheus.
///
///     const auto metrics = std::make_shared<telemetry::metrics>(methods.names());
///     options.totals = metrics->totals();
///     options.on_served = [metrics](const served_event& event) { metrics->note(event); };
///     server.add_page("/metrics", std::string(telemetry::metrics::content_type), [metrics] { return metrics->text(); });
///
/// Their names, which begin with "partyline_":
///
/// - `requests_total`, by `method` and `outcome`: result, error, tool_error, refused, cancelled, lost, and of
///   notifications notification and dropped
/// - `request_duration_seconds`, by `method`: a histogram of 12 buckets, from 0.5 ms to 10 s
/// - `requests_in_flight`, `waiting`, `connections`, `sessions`: the present numbers
/// - `messages_total` and `bytes_total`, by `direction`: in, out
/// - `dropped_total`, by `why`: notification, late_reply, stray_reply, bad_reply
/// - `auth_total`, by `outcome`: as `authentication_outcome`
/// - `access_refused_total`, by `why`: scope, rate, authentication
/// - `spans_dropped_total`
///
/// Names from peers make no series: a method has a series of its own only where its name was given beforehand.
///
/// Thread safety: all of it, from any thread.
class PARTYLINE_EXPORT metrics {
public:
    /// Most methods that have a series of their own. All others together are "other".
    static constexpr std::size_t most_methods = 200;
    /// The type of `text()`, for HTTP.
    static constexpr std::string_view content_type = "text/plain; version=0.0.4; charset=utf-8";

    /// `methods`: the names that have series of their own, the first `most_methods` of them: those of a method table
    /// (`method_table::names`), or of MCP (`mcp::method_names`).
    explicit metrics(const std::vector<std::string>& methods);
    metrics(const metrics&) = delete;
    metrics& operator=(const metrics&) = delete;
    ~metrics();

    /// Counts one request or notification: for `session_options::on_served`.
    void note(const served_event& event) noexcept;
    /// For `session_options::totals`.
    std::shared_ptr<session_totals> totals() const noexcept;
    /// Authenticates by another object, which is not null, and counts the outcomes.
    std::shared_ptr<access_control> counted(std::shared_ptr<access_control> by);
    /// Reads a number from now on, by a function that may be called from any thread, and that calls nothing of this
    /// object. Before that the number is 0.
    void read(read_number what, std::function<std::uint64_t()> by);
    /// Reads numbers besides, by a function that may be called from any thread, and that calls nothing of this object.
    /// Numbers of one name follow one another. The function replaces an earlier one, which is not running any more when
    /// this returns. Empty: there are no such numbers.
    void set_reader(std::function<std::vector<named_number>()> by);

    /// All metrics, in the text format 0.0.4.
    std::string text();

private:
    struct core;
    std::shared_ptr<core> core_;
};

} // namespace partyline::telemetry
