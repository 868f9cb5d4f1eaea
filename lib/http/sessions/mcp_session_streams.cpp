// What a session says and to whom: its streams, those that are kept, and who reads them.

#include "http/serve/http_service.hpp"
#include "http/sessions/mcp_session.hpp"
#include "http/sessions/stream_reader.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

namespace partyline::http {
namespace {

// From this revision on an event may have no message (SEP-1699).
constexpr std::string_view first_with_priming = "2025-11-25";

// What a session keeps of streams that are over: so many of the longest.
constexpr std::size_t longest_streams_kept = 4;

constexpr std::uint64_t most_events_stored = std::numeric_limits<std::int64_t>::max();

} // namespace

std::shared_ptr<session_stream> mcp_session::find(std::uint64_t number) const noexcept
{
    if (number == 0)
        return own_;
    for (const stream_map* const among : {&streams_, &kept_}) {
        if (const auto found = among->find(number); found != among->end())
            return found->second;
    }
    return nullptr;
}

// Not too many are kept, nor too long ones: the oldest go first. The newest has only the bound of the whole server.
void mcp_session::on_kept(session_stream& one, bool is_kept) noexcept
{
    auto moved = (is_kept ? streams_ : kept_).extract(one.log().stream());
    if (moved.empty())
        return;
    if (!is_kept) {
        kept_bytes_ -= one.bytes();
        streams_.insert(std::move(moved));
        return;
    }
    kept_bytes_ += one.bytes();
    kept_.insert(std::move(moved));
    const mcp_session_limits& most = core_->options().mcp;
    while (kept_.size() > most.kept_streams ||
           (kept_.size() > 1 && kept_bytes_ / longest_streams_kept > most.stream_bytes))
        forget(*next_to_forget());
}

// The oldest that the event store does not wait for.
std::shared_ptr<session_stream> mcp_session::next_to_forget() const noexcept
{
    const auto found =
        std::find_if(kept_.begin(), kept_.end(), [](const auto& one) { return !one.second->is_recording(); });
    return (found == kept_.end() ? kept_.begin() : found)->second;
}

void mcp_session::forget(session_stream& one) noexcept
{
    const auto found = kept_.find(one.log().stream());
    if (found == kept_.end())
        return;
    kept_bytes_ -= one.bytes();
    const std::shared_ptr<session_stream> hold = std::move(found->second);
    kept_.erase(found);
    hold->hand_over();
}

void mcp_session::collect(session_stream& of)
{
    if (has_ended_)
        return;
    if (&of == own_.get()) {
        if (own_->collect(conversation_->out()))
            conversation_->drive();
        return;
    }
    const auto found = posts_.find(of.post());
    if (found == posts_.end())
        return;
    found->second.collect();
    conversation_->drive();
}

void mcp_session::flush()
{
    if (!own_->collect(conversation_->out()))
        return;
    if (stream_reader* const reader = own_->reader())
        reader->flush();
}

// Whoever says more has waited for the store, and there may be something for the reader.
void mcp_session::on_recorded(session_stream& one) noexcept
{
    if (has_ended_)
        return;
    const auto hold = shared_from_this();
    const std::shared_ptr<session_stream> stream = find(one.log().stream()); // it may be forgotten meanwhile
    if (stream)
        stream->note_recorded();
    conversation_->guarded([&] {
        core_->note_time();
        if (stream == own_)
            flush();
        else if (post_exchange* const by = stream ? stream->post() : nullptr)
            on_said(*by);
    });
    conversation_->drive();
}

void mcp_session::stop_recording() noexcept
{
    if (!store_)
        return;
    own_->stop_recording();
    for (const stream_map* const among : {&streams_, &kept_}) {
        for (const auto& [number, stream] : *among)
            stream->stop_recording();
    }
    store_->end_session(store_name_);
}

// Streams have the numbers up to the last one. One that is still there may have dropped the event. A store may have
// signed numbers.
bool mcp_session::may_be_stored(const event_id& last) const noexcept
{
    if (!store_ || last.stream > last_stream_ || last.event >= most_events_stored)
        return false;
    const std::shared_ptr<session_stream> stream = find(last.stream);
    return !stream || last.event < stream->log().first();
}

bool mcp_session::is_recording(std::uint64_t stream) const
{
    const std::shared_ptr<session_stream> found = find(stream);
    return found ? found->is_recording() : store_->is_appending(key_of(stream));
}

// The later one takes over; the read of the former is cancelled, and keeps its place until it has ended.
void mcp_session::end_resumed(std::uint64_t stream) noexcept
{
    for (resumption& one : resumed_) {
        if (one.stream() != stream)
            continue;
        one.unlink();
        return one.end();
    }
}

response no_such_event()
{
    return refuse(400, -32000, "Last-Event-ID names no event that is kept: what followed it is lost, so begin anew");
}

std::string mcp_session::priming_event(const event_id& last) const
{
    if (revision_ < first_with_priming)
        return {};
    return "id: " + to_string(last) + "\nretry: " + std::to_string(core_->options().mcp.retry.count()) + "\ndata: \n\n";
}

} // namespace partyline::http
