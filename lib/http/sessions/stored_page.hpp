#pragma once

#include <partyline/http/event_store.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace partyline::http {

/// What an event store has given of a stream from one event on, as far as it continues the stream.
struct stored_page {
    std::vector<stored_event> events;
    /// The stream ends behind these.
    bool is_end = false;

    /// There is nothing from that event on.
    bool is_gone() const noexcept { return events.empty() && !is_end; }
};

/// Takes from what a store has given the events from number `from` on, one after the other, each a message on one line,
/// of `max_bytes` together; but the first one may be longer. Nobody knows what a store gives: the rest is dropped.
stored_page take_page(stored_events given, std::uint64_t from, std::size_t max_bytes);

} // namespace partyline::http
