// The cost for a request of being counted, of a span, and of a line of the message log; and, off the way of requests,
// of exporting a span.

#include "unit/telemetry/served.hpp"

#include <partyline/telemetry.hpp>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

namespace {

using namespace partyline;

struct traced_event {
    trace_context trace = trace_context::make_root().child();
    peer_identity peer;
    served_event event{.method = "tools/call", .peer = peer};

    traced_event()
    {
        peer.principal = "alice";
        event.key = "read_lines_of_a_file";
        event.id = "12345";
        event.outcome = answer_outcome::result;
        event.ended = event.arrived + std::chrono::microseconds(300);
        event.trace = &trace;
    }
};

std::vector<std::string> forty_names()
{
    std::vector<std::string> names{"tools/call"};
    for (int i = 1; i != 40; ++i)
        names.push_back("method/number_" + std::to_string(i));
    return names;
}

void count_request(benchmark::State& state)
{
    static telemetry::metrics all(forty_names());
    const traced_event one;
    for (auto _ : state)
        all.note(one.event);
}

// The spans are taken, and not written, each time that there is a payload.
void add_span(benchmark::State& state)
{
    telemetry::span_writer spans;
    const traced_event one;
    std::size_t added = 0;
    for (auto _ : state) {
        spans.note(one.event);
        if (++added % telemetry::span_writer::most_at_once == 0) {
            state.PauseTiming();
            spans.take();
            state.ResumeTiming();
        }
    }
    if (spans.dropped() != 0)
        state.SkipWithError("spans were dropped");
}

void write_spans(benchmark::State& state)
{
    telemetry::span_writer spans;
    const traced_event one;
    for (auto _ : state) {
        state.PauseTiming();
        for (std::size_t i = 0; i != telemetry::span_writer::most_at_once; ++i)
            spans.note(one.event);
        state.ResumeTiming();
        benchmark::DoNotOptimize(spans.take());
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * telemetry::span_writer::most_at_once));
}

void write_message_line(benchmark::State& state)
{
    const traced_event one;
    for (auto _ : state)
        benchmark::DoNotOptimize(telemetry::message_line(one.event, std::chrono::system_clock::now()));
}

} // namespace

BENCHMARK(count_request)->Threads(1)->Threads(2);
BENCHMARK(add_span);
BENCHMARK(write_spans);
BENCHMARK(write_message_line);
