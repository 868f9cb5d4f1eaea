#include <partyline/telemetry/span_writer.hpp>

#include "telemetry/spans/payload.hpp"

#include <algorithm>
#include <atomic>
#include <deque>
#include <mutex>
#include <new>
#include <optional>

namespace partyline::telemetry {
namespace {

std::vector<std::string> sorted(std::vector<std::string> names)
{
    std::sort(names.begin(), names.end());
    return names;
}

using chunk = std::vector<span>; // as many as a payload has

} // namespace

struct [[gnu::visibility("hidden")]] span_writer::core {
    explicit core(const span_options& options) : writer(options.resource, sorted(options.mcp_methods)) {}

    bool add(span&& one);
    std::optional<chunk> take_chunk();
    void wake_exporter() noexcept;

    const payload_writer writer;
    std::atomic<std::size_t> waiting = 0;
    std::atomic<std::uint64_t> dropped = 0;
    std::mutex mutex; // of what follows
    std::deque<chunk> chunks;
    chunk spare; // an empty one, with its memory
    std::function<void()> wake;
    bool is_closed = false;
};

// Whether that makes a payload complete. Throws where it was not added.
bool span_writer::core::add(span&& one)
{
    const std::lock_guard<std::mutex> hold(mutex);
    if (is_closed || waiting.load(std::memory_order_relaxed) >= most_spans)
        throw std::bad_alloc(); // without room it is as without memory
    if (chunks.empty() || chunks.back().size() == most_at_once) {
        chunks.push_back(std::exchange(spare, {}));
        chunks.back().reserve(most_at_once);
    }
    chunks.back().push_back(std::move(one));
    waiting.fetch_add(1, std::memory_order_relaxed);
    return chunks.back().size() == most_at_once;
}

std::optional<chunk> span_writer::core::take_chunk()
{
    const std::lock_guard<std::mutex> hold(mutex);
    if (chunks.empty())
        return std::nullopt;
    chunk taken = std::move(chunks.front());
    chunks.pop_front();
    waiting.fetch_sub(taken.size(), std::memory_order_relaxed);
    return taken;
}

// Without memory to wake it, it wakes by itself.
void span_writer::core::wake_exporter() noexcept
try {
    std::function<void()> call;
    {
        const std::lock_guard<std::mutex> hold(mutex);
        call = wake;
    }
    if (call)
        call();
} catch (const std::bad_alloc&) {
}

span_writer::span_writer(const span_options& options) : core_(std::make_unique<core>(options)) {}

span_writer::~span_writer() = default;

void span_writer::note(const served_event& event) noexcept
{
    if (!event.trace || !event.trace->is_sampled())
        return;
    if (core_->waiting.load(std::memory_order_relaxed) >= most_spans)
        return drop(1);
    try {
        add(make_span(event, std::chrono::system_clock::now()));
    } catch (const std::bad_alloc&) {
        drop(1);
    }
}

void span_writer::add(span&& one) noexcept
{
    bool is_complete = false;
    try {
        is_complete = core_->add(std::move(one));
    } catch (const std::bad_alloc&) {
        return drop(1);
    }
    if (is_complete)
        core_->wake_exporter();
}

std::uint64_t span_writer::dropped() const noexcept
{
    return core_->dropped.load(std::memory_order_relaxed);
}

void span_writer::drop(std::size_t spans) noexcept
{
    core_->dropped.fetch_add(spans, std::memory_order_relaxed);
}

void span_writer::close() noexcept
{
    {
        const std::lock_guard<std::mutex> hold(core_->mutex);
        core_->is_closed = true;
    }
    core_->wake_exporter();
}

void span_writer::drop_waiting() noexcept
{
    const std::lock_guard<std::mutex> hold(core_->mutex);
    core_->chunks.clear();
    drop(core_->waiting.exchange(0, std::memory_order_relaxed));
}

bool span_writer::is_closed() const noexcept
{
    const std::lock_guard<std::mutex> hold(core_->mutex);
    return core_->is_closed;
}

void span_writer::on_ready(std::function<void()> wake)
{
    const std::lock_guard<std::mutex> hold(core_->mutex);
    core_->wake = std::move(wake);
}

span_writer::payload span_writer::take()
{
    std::optional<chunk> taken = core_->take_chunk();
    payload made;
    if (!taken)
        return made;
    made.spans = taken->size();
    try {
        made.text = core_->writer.write(*taken);
    } catch (const std::bad_alloc&) {
        drop(made.spans);
        throw;
    }
    taken->clear();
    const std::lock_guard<std::mutex> hold(core_->mutex);
    core_->spare = std::move(*taken);
    return made;
}

} // namespace partyline::telemetry
