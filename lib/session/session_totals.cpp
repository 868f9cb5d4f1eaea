#include <partyline/session/session_totals.hpp>

#include "session/live_counters.hpp"

namespace partyline {
namespace {

void add_done(session_counters& to, const live_counters& of) noexcept
{
    to.messages_in += of.messages_in.get();
    to.messages_out += of.messages_out.get();
    to.bytes_in += of.bytes_in.get();
    to.bytes_out += of.bytes_out.get();
    to.requests += of.requests.get();
    to.notifications += of.notifications.get();
    to.busy += of.busy.get();
    to.cancelled += of.cancelled.get();
    to.dropped += of.dropped.get();
    to.calls += of.calls.get();
    to.late_replies += of.late_replies.get();
    to.stray_replies += of.stray_replies.get();
    to.bad_replies += of.bad_replies.get();
    to.coalesced_progress += of.coalesced_progress.get();
}

void add_held(session_counters& to, const live_counters& of) noexcept
{
    to.in_flight += of.in_flight.get();
    to.waiting += of.waiting.get();
    to.waiting_bytes += of.waiting_bytes.get();
    to.open_calls += of.open_calls.get();
    to.outbox_bytes += of.outbox_bytes.get();
}

} // namespace

session_counters session_totals::sum() const
{
    const std::lock_guard<std::mutex> hold(mutex_);
    session_counters all = ended_;
    for (const live_counters* const one : live_) {
        add_done(all, *one);
        add_held(all, *one);
    }
    return all;
}

std::size_t session_totals::sessions() const
{
    const std::lock_guard<std::mutex> hold(mutex_);
    return live_.size();
}

session_totals::place session_totals::add(const live_counters& one)
{
    const std::lock_guard<std::mutex> hold(mutex_);
    return live_.insert(live_.end(), &one);
}

void session_totals::remove(place one) noexcept
{
    const std::lock_guard<std::mutex> hold(mutex_);
    add_done(ended_, **one);
    live_.erase(one);
}

} // namespace partyline
