#pragma once

#include <partyline/config.hpp>

#include <cstddef>
#include <span>

namespace partyline {

/// Bounds the memory and the work that a peer can cause in a session, whatever it sends and however slowly it reads.
///
/// Sizes are bytes on the wire. As a `json::value` a text takes up to 25 times as much (arrays within arrays; numbers
/// of one digit 12 times, `{"a":1}` 15, strings of some length 4 to 6), and up to 36 times while it is built (numbers
/// of one digit, since the stack of incomplete values doubles): allow for that where handlers take values. A request
/// costs about 2.5 KiB besides while its handler is suspended, and about 0.4 KiB while it waits.
///
///     partyline::limits bounds;
///     bounds.message_bytes = std::size_t(1) << 20; // 1 MiB
///     bounds.in_flight_requests = 64;
///     options.session.bounds = bounds;
///
/// `limit_ranges()` has the range of each member. Sessions, servers, clients and supervisors that are given another
/// value throw `std::invalid_argument`, which names the member.
struct limits {
    // Limits of one message, in either direction.

    /// Longest message, without the newline that ends it. A longer one is discarded as it arrives.
    std::size_t message_bytes = std::size_t(16) << 20;
    /// Deepest nesting of arrays and objects. The outermost object of a message counts as one, and so does a batch's
    /// array. A value takes stack for each level when it is written or goes away: some 10,000 fit into 8 MiB.
    std::size_t depth = 128;
    /// Longest request id, as it stands in the message, quotes included.
    std::size_t id_bytes = 1024;
    /// Most elements of one batch. Nothing of a longer one runs: its requests are refused one by one, under their ids,
    /// as far as the answer is no longer than `message_bytes`; one of more than four times as many by one error without
    /// id.
    std::size_t batch_elements = 1000;

    /// Longest header of a message, its empty line included, where messages have headers (`content_length_framing`).
    std::size_t header_bytes = std::size_t(16) << 10;

    // Limits of the requests of one session. One request is always admitted when none is in flight.

    /// Most requests and notifications whose handlers have started and not ended, or whose reply has no room yet. Later
    /// ones wait, in order of arrival.
    std::size_t in_flight_requests = 1024;
    /// Most bytes of their messages.
    std::size_t in_flight_bytes = std::size_t(64) << 20;
    /// Most requests and notifications that wait for their start. For more of them see `session_options::on_overload`.
    std::size_t waiting_requests = 65536;
    /// Most bytes of their messages.
    std::size_t waiting_bytes = std::size_t(64) << 20;
    /// Most requests that wait for something from the peer without being counted as in flight: see `peer_wait`. Their
    /// messages may take `in_flight_bytes` besides.
    std::size_t peer_waits = 1024;

    // Limits of the calls of one session to its peer.

    /// Most calls that wait for their replies.
    std::size_t calls = 65536;
    /// Most bytes of calls and notifications that wait for room to be sent; as much again for those that coroutines
    /// around calls hold.
    std::size_t call_bytes = std::size_t(64) << 20;

    // Limits of the output of a session that the peer has not read.

    /// Bytes of output from which on progress is coalesced, and a handler that sends another notification is suspended.
    std::size_t outbox_soft_bytes = std::size_t(1) << 20;
    /// Room for everything, and for one reply that takes more than is left. Shortly before it, replies are kept back
    /// and nothing new starts: the rest (a quarter, at most 4 MiB) is reserved for answers that the session itself must
    /// give at once, such as those to cancelled requests. When as many requests wait as may, it stops reading too. A
    /// session that has called the peer goes on and refuses them until the rest is used up, since a peer that it keeps
    /// from reading may do the same to it: there the rest should hold the refusals of all that the peer may have under
    /// way, 100 bytes for each.
    ///
    /// The replies that are kept back may take as much again. A reply that does not fit becomes an error, -32603 with
    /// `data.limit`: its handler has ended, so nothing would be saved by letting the reply wait. (Not with
    /// `overload::pause`, where nothing is to be lost: there all replies to requests in flight are kept.)
    std::size_t outbox_hard_bytes = std::size_t(64) << 20;
};

/// The range of a member of `limits`: with less a session could send nothing, or wait for ever.
struct limit_range {
    const char* name;             ///< the name of the member
    std::size_t limits::* member; ///< the member
    std::size_t least;            ///< the smallest allowed value
    std::size_t most;             ///< the largest allowed value
};

/// The ranges of all members, in their order.
PARTYLINE_EXPORT std::span<const limit_range> limit_ranges() noexcept;

} // namespace partyline
