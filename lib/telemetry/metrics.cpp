#include <partyline/telemetry/metrics.hpp>

#include "telemetry/counted_access.hpp"
#include "telemetry/method_series.hpp"

#include <partyline/protocol/error.hpp>

#include <algorithm>
#include <array>
#include <deque>
#include <mutex>
#include <unordered_map>
#include <utility>

#include <prometheus/gauge.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

namespace partyline::telemetry {
namespace {

using counters = prometheus::Family<prometheus::Counter>;

counters& counters_of(prometheus::Registry& in, const char* name, const char* help)
{
    return prometheus::BuildCounter().Name(name).Help(help).Register(in);
}

prometheus::Gauge& gauge_of(prometheus::Registry& in, const char* name, const char* help)
{
    return prometheus::BuildGauge().Name(name).Help(help).Register(in).Add({});
}

// What somebody else counts from the beginning.
void raise(prometheus::Counter& to, std::uint64_t value)
{
    to.Increment(std::max(0.0, static_cast<double>(value) - to.Value()));
}

void add_number(std::vector<prometheus::MetricFamily>& to, const named_number& one)
{
    const bool is_total = std::string_view(one.name).ends_with("_total");
    if (to.empty() || to.back().name != one.name) {
        prometheus::MetricFamily& family = to.emplace_back();
        family.name = one.name;
        family.help = one.help;
        family.type = is_total ? prometheus::MetricType::Counter : prometheus::MetricType::Gauge;
    }
    prometheus::ClientMetric& metric = to.back().metric.emplace_back();
    (is_total ? metric.counter.value : metric.gauge.value) = static_cast<double>(one.value);
    if (!one.label.empty())
        metric.label.push_back({one.label, one.label_value});
}

} // namespace

struct [[gnu::visibility("hidden")]] metrics::core {
    explicit core(const std::vector<std::string>& methods);

    method_series& series_of(std::string_view method) noexcept
    {
        if (method.size() > longest_name)
            return other;
        const auto found = by_name.find(method);
        return found == by_name.end() ? other : *found->second;
    }
    void note_refused(int code) noexcept;
    void refresh();
    std::uint64_t number(read_number what) const
    {
        const auto& by = readers[static_cast<std::size_t>(what)];
        return by ? by() : 0;
    }

    prometheus::Registry registry;
    method_families by_method{
        counters_of(registry, "partyline_requests_total", "Requests and notifications that have ended"),
        prometheus::BuildHistogram()
            .Name("partyline_request_duration_seconds")
            .Help("Time from reading a request to its answer")
            .Register(registry)};
    std::deque<std::string> names;
    std::deque<method_series> series; // of these
    method_series other{"other"};
    std::unordered_map<std::string_view, method_series*> by_name; // does not change
    std::size_t longest_name = 0;

    counters& refused_family =
        counters_of(registry, "partyline_access_refused_total", "Requests that their peer may not make");
    prometheus::Counter& refused_scope = refused_family.Add({{"why", "scope"}});
    prometheus::Counter& refused_rate = refused_family.Add({{"why", "rate"}});
    prometheus::Counter& refused_unknown = refused_family.Add({{"why", "authentication"}});
    counted_access::counters authentications = {};

    prometheus::Gauge& in_flight =
        gauge_of(registry, "partyline_requests_in_flight", "Requests whose handlers are at work");
    prometheus::Gauge& waiting =
        gauge_of(registry, "partyline_waiting", "Requests and notifications that wait for their start");
    prometheus::Gauge& connections = gauge_of(registry, "partyline_connections", "Open connections");
    prometheus::Gauge& sessions = gauge_of(registry, "partyline_sessions", "Conversations with peers");
    counters& messages_family = counters_of(registry, "partyline_messages_total", "Messages, a batch counting as one");
    prometheus::Counter& messages_in = messages_family.Add({{"direction", "in"}});
    prometheus::Counter& messages_out = messages_family.Add({{"direction", "out"}});
    counters& bytes_family = counters_of(registry, "partyline_bytes_total", "Bytes of messages");
    prometheus::Counter& bytes_in = bytes_family.Add({{"direction", "in"}});
    prometheus::Counter& bytes_out = bytes_family.Add({{"direction", "out"}});
    counters& dropped_family = counters_of(registry, "partyline_dropped_total", "Messages that came and were dropped");
    prometheus::Counter& dropped_notifications = dropped_family.Add({{"why", "notification"}});
    prometheus::Counter& late_replies = dropped_family.Add({{"why", "late_reply"}});
    prometheus::Counter& stray_replies = dropped_family.Add({{"why", "stray_reply"}});
    prometheus::Counter& bad_replies = dropped_family.Add({{"why", "bad_reply"}});
    prometheus::Counter& dropped_spans =
        counters_of(registry, "partyline_spans_dropped_total", "Spans that no collector has taken").Add({});

    const std::shared_ptr<session_totals> totals = std::make_shared<session_totals>();
    std::mutex mutex; // of what follows, and of `refresh`
    std::array<std::function<std::uint64_t()>, 2> readers;
    std::function<std::vector<named_number>()> others;
};

metrics::core::core(const std::vector<std::string>& methods)
{
    for (const std::string& name : methods) {
        if (names.size() == most_methods)
            break;
        if (by_name.contains(name))
            continue;
        const std::string_view kept = names.emplace_back(name);
        longest_name = std::max(longest_name, kept.size());
        by_name.emplace(kept, &series.emplace_back(kept));
    }
    counters& all = counters_of(registry, "partyline_auth_total", "Attempts to authenticate");
    for (std::size_t i = 0; i != authentication_outcomes; ++i)
        authentications[i] = &all.Add({{"outcome", std::string(to_string(static_cast<authentication_outcome>(i)))}});
}

void metrics::core::note_refused(int code) noexcept
{
    switch (code) {
    case error_codes::insufficient_scope: refused_scope.Increment(); break;
    case error_codes::too_many_requests: refused_rate.Increment(); break;
    case error_codes::authentication_required: refused_unknown.Increment(); break;
    default: break;
    }
}

void metrics::core::refresh()
{
    for (method_series& each : series)
        each.publish(by_method);
    other.publish(by_method);
    const session_counters now = totals->sum();
    in_flight.Set(static_cast<double>(now.in_flight));
    waiting.Set(static_cast<double>(now.waiting));
    sessions.Set(static_cast<double>(totals->sessions()));
    connections.Set(static_cast<double>(number(read_number::connections)));
    raise(messages_in, now.messages_in);
    raise(messages_out, now.messages_out);
    raise(bytes_in, now.bytes_in);
    raise(bytes_out, now.bytes_out);
    raise(dropped_notifications, now.dropped);
    raise(late_replies, now.late_replies);
    raise(stray_replies, now.stray_replies);
    raise(bad_replies, now.bad_replies);
    raise(dropped_spans, number(read_number::spans_dropped));
}

metrics::metrics(const std::vector<std::string>& methods) : core_(std::make_shared<core>(methods)) {}

metrics::~metrics() = default;

void metrics::note(const served_event& event) noexcept
{
    if (event.disposition == request_disposition::refused) [[unlikely]]
        core_->note_refused(event.error_code);
    core_->series_of(event.method).note(event);
}

std::shared_ptr<session_totals> metrics::totals() const noexcept
{
    return core_->totals;
}

std::shared_ptr<access_control> metrics::counted(std::shared_ptr<access_control> by)
{
    return std::make_shared<counted_access>(std::move(by), core_->authentications, core_);
}

void metrics::read(read_number what, std::function<std::uint64_t()> by)
{
    const std::lock_guard<std::mutex> hold(core_->mutex);
    core_->readers[static_cast<std::size_t>(what)] = std::move(by);
}

void metrics::set_reader(std::function<std::vector<named_number>()> by)
{
    const std::lock_guard<std::mutex> hold(core_->mutex);
    core_->others = std::move(by);
}

std::string metrics::text()
{
    std::vector<prometheus::MetricFamily> all;
    {
        const std::lock_guard<std::mutex> hold(core_->mutex);
        core_->refresh();
        all = core_->registry.Collect();
        const std::vector<named_number> others = core_->others ? core_->others() : std::vector<named_number>();
        for (const named_number& one : others)
            add_number(all, one);
    }
    return prometheus::TextSerializer().Serialize(all);
}

} // namespace partyline::telemetry
