#include "telemetry/method_series.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace partyline::telemetry {
namespace {

using std::chrono::microseconds;
using std::chrono::nanoseconds;

constexpr std::array<microseconds, method_series::buckets> bounds{
    microseconds(500),     microseconds(1'000),     microseconds(2'500),     microseconds(5'000),
    microseconds(10'000),  microseconds(25'000),    microseconds(50'000),    microseconds(100'000),
    microseconds(250'000), microseconds(1'000'000), microseconds(2'500'000), microseconds(10'000'000)};

prometheus::Histogram::BucketBoundaries bounds_in_seconds()
{
    prometheus::Histogram::BucketBoundaries all;
    for (const microseconds bound : bounds)
        all.push_back(std::chrono::duration<double>(bound).count());
    return all;
}

} // namespace

std::uint64_t method_series::number::take_new() noexcept
{
    const std::uint64_t now = counted.load(std::memory_order_relaxed);
    return now - std::exchange(published, now);
}

void method_series::note(const served_event& event) noexcept
{
    const served_outcome outcome = outcome_of(event);
    outcomes_[static_cast<std::size_t>(outcome)].counted.fetch_add(1, std::memory_order_relaxed);
    if (outcome != served_outcome::notification && outcome != served_outcome::dropped)
        observe(event.ended - event.arrived);
}

void method_series::observe(std::chrono::steady_clock::duration took) noexcept
{
    const nanoseconds length = std::max<nanoseconds>(took, nanoseconds::zero());
    const auto bucket =
        static_cast<std::size_t>(std::lower_bound(bounds.begin(), bounds.end(), length) - bounds.begin());
    durations_[bucket].counted.fetch_add(1, std::memory_order_relaxed);
    nanoseconds_.counted.fetch_add(static_cast<std::uint64_t>(length.count()), std::memory_order_relaxed);
}

// What throws here has taken nothing: it is published the next time.
void method_series::publish(const method_families& in)
{
    const std::string method(name_);
    for (std::size_t i = 0; i != served_outcomes; ++i) {
        if (!outcomes_[i].has_new())
            continue;
        const std::string outcome(to_string(static_cast<served_outcome>(i)));
        prometheus::Counter& to = in.requests.Add({{"method", method}, {"outcome", outcome}});
        to.Increment(static_cast<double>(outcomes_[i].take_new()));
    }
    if (std::any_of(durations_.begin(), durations_.end(), [](const number& each) { return each.has_new(); }))
        publish_durations(in.durations.Add({{"method", method}}, bounds_in_seconds()));
}

void method_series::publish_durations(prometheus::Histogram& to)
{
    std::vector<double> more(durations_.size());
    std::transform(durations_.begin(), durations_.end(), more.begin(),
                   [](number& each) { return static_cast<double>(each.take_new()); });
    const double seconds = std::chrono::duration<double>(nanoseconds(nanoseconds_.take_new())).count();
    to.ObserveMultiple(more, seconds);
}

} // namespace partyline::telemetry
