#include "session/live_counters.hpp"

namespace partyline {

session_counters live_counters::snapshot() const noexcept
{
    session_counters now;
    now.messages_in = messages_in.get();
    now.messages_out = messages_out.get();
    now.bytes_in = bytes_in.get();
    now.bytes_out = bytes_out.get();
    now.requests = requests.get();
    now.notifications = notifications.get();
    now.busy = busy.get();
    now.cancelled = cancelled.get();
    now.dropped = dropped.get();
    now.calls = calls.get();
    now.late_replies = late_replies.get();
    now.stray_replies = stray_replies.get();
    now.bad_replies = bad_replies.get();
    now.coalesced_progress = coalesced_progress.get();
    now.in_flight = in_flight.get();
    now.peak_in_flight = in_flight.peak();
    now.open_calls = open_calls.get();
    now.peak_open_calls = open_calls.peak();
    now.waiting = waiting.get();
    now.peak_waiting = waiting.peak();
    now.waiting_bytes = waiting_bytes.get();
    now.peak_waiting_bytes = waiting_bytes.peak();
    now.outbox_bytes = outbox_bytes.get();
    now.peak_outbox_bytes = outbox_bytes.peak();
    return now;
}

} // namespace partyline
