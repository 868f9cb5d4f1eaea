#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

namespace partyline::http {

/// Where an event stands: in which stream of its session, and the how-manieth it is there, from 1 on. As text "2-a1",
/// in numbers to the base of 36.
struct event_id {
    std::uint64_t stream = 0;
    std::uint64_t event = 0;
};

std::string to_string(const event_id& id);
/// Empty for what `to_string` does not write.
std::optional<event_id> parse_event_id(std::string_view text);

/// The last events of a stream, each with its id, for a client that comes back.
class event_log {
public:
    struct bounds {
        std::size_t events;
        std::size_t bytes;
    };

    event_log(std::uint64_t stream, bounds most) : stream_(stream), most_(most) {}

    /// An event as an `event_bracket` writes it.
    void append(std::string_view event);
    /// Forgets what goes beyond the bounds, the oldest first; but no event from `needed` on, nor the newest.
    void trim(std::uint64_t needed) noexcept;
    /// Forgets what is before this event.
    void forget_before(std::uint64_t event) noexcept;

    /// The first one that is kept, and the one that will be next.
    std::uint64_t first() const noexcept { return next_ - events_.size(); }
    std::uint64_t next() const noexcept { return next_; }
    /// Of one from `first()` on, before `next()`: all that is sent of it.
    std::string_view at(std::uint64_t event) const noexcept { return events_[event - first()]; }
    /// What it takes of memory, and what all of them take.
    std::size_t bytes_of(std::uint64_t event) const noexcept { return cost(events_[event - first()]); }
    std::size_t bytes() const noexcept { return bytes_; }
    std::uint64_t stream() const noexcept { return stream_; }

private:
    // An allocation has some bytes of its own.
    static std::size_t cost(const std::string& event) noexcept
    {
        return event.size() + sizeof(std::string) + 2 * sizeof(void*);
    }

    const std::uint64_t stream_;
    const bounds most_;
    std::deque<std::string> events_;
    std::uint64_t next_ = 1;
    std::size_t bytes_ = 0;
};

} // namespace partyline::http
