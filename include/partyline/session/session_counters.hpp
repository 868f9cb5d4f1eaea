#pragma once

#include <cstdint>

namespace partyline {

/// Counters and gauges of a session: a snapshot. All of them are about one conversation.
struct session_counters {
    // Counters, from the beginning of the session.

    /// Messages that came; a batch, and a line that is no message, count as one each.
    std::uint64_t messages_in = 0;
    /// Messages that were sent, counted in the same way.
    std::uint64_t messages_out = 0;
    /// Bytes that came, with their framing.
    std::uint64_t bytes_in = 0;
    /// Bytes that were sent, with their framing.
    std::uint64_t bytes_out = 0;
    /// Valid requests that came, also as elements of batches, served or not.
    std::uint64_t requests = 0;
    /// Valid notifications that came, counted in the same way. (Cancels do not count.)
    std::uint64_t notifications = 0;
    /// Requests (and batches as a whole) that were answered -31001.
    std::uint64_t busy = 0;
    /// Requests that were cancelled, by the peer or by us, while they waited or ran.
    std::uint64_t cancelled = 0;
    /// Notifications that no method serves or that were refused, and answers that came after the session's end.
    std::uint64_t dropped = 0;
    /// Calls to the peer that were sent.
    std::uint64_t calls = 0;
    /// Responses to calls of ours that had ended without them.
    std::uint64_t late_replies = 0;
    /// Responses to no call of ours: their id is not one of ours, or there is none.
    std::uint64_t stray_replies = 0;
    /// Malformed responses: with both a result and an error, neither, or an error that is no error object.
    std::uint64_t bad_replies = 0;
    /// Progress that was not sent, since a newer value of the same request took its place.
    std::uint64_t coalesced_progress = 0;

    // Gauges, and their high-water marks.

    /// Requests whose handler has suspended or runs elsewhere, or whose reply has no room yet.
    std::uint64_t in_flight = 0;
    /// The high-water mark of `in_flight`.
    std::uint64_t peak_in_flight = 0;
    /// Requests and notifications that wait for their start.
    std::uint64_t waiting = 0;
    /// The high-water mark of `waiting`.
    std::uint64_t peak_waiting = 0;
    /// The bytes of their messages.
    std::uint64_t waiting_bytes = 0;
    /// The high-water mark of `waiting_bytes`.
    std::uint64_t peak_waiting_bytes = 0;
    /// Calls that wait for their replies, or to be sent.
    std::uint64_t open_calls = 0;
    /// The high-water mark of `open_calls`.
    std::uint64_t peak_open_calls = 0;
    /// Bytes that the peer has not taken yet, with replies that wait for room or for the rest of their batch.
    std::uint64_t outbox_bytes = 0;
    /// The high-water mark of `outbox_bytes`.
    std::uint64_t peak_outbox_bytes = 0;
};

} // namespace partyline
