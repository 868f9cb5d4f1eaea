#pragma once

#include "http/sessions/event_log.hpp"
#include "session/output/outlet.hpp"

#include <partyline/protocol/byte_buffer.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace partyline::http {

class stream_reader;

/// One stream of events of a session: what is said in answer to one POST, or besides all of them. It goes on without a
/// connection, and one that comes later gets what it missed.
///
/// Flow: `collect()` whenever there may be something in the outlet; the reader sends what the log has. Without a reader what
/// is said is kept as far as the log goes; a reader that is behind has the outlet fill up, and that slows down who says it.
class session_stream {
public:
    using clock = std::chrono::steady_clock;

    session_stream(std::uint64_t number, event_log::bounds most, memory_budget* budget)
        : log_(number, most, budget), most_unsent_(most.events / 2)
    {
    }

    event_log& log() noexcept { return log_; }
    const event_log& log() const noexcept { return log_; }

    /// Moves what the outlet has to the log, as far as it may; true when that was something.
    bool collect(outlet& from);

    /// Nothing more will be said.
    void complete(clock::time_point now) noexcept
    {
        if (!completed_)
            completed_ = now;
    }
    bool is_complete() const noexcept { return completed_.has_value(); }
    std::optional<clock::time_point> completed_at() const noexcept { return completed_; }

    /// Who sends it over a connection; null where there is none.
    stream_reader* reader() const noexcept { return reader_; }
    void set_reader(stream_reader* one) noexcept { reader_ = one; }

    /// The next event to be sent.
    std::uint64_t unsent() const noexcept { return unsent_; }
    /// Whether there is something to be sent, by the reader that there is or the next one.
    bool has_unsent() const noexcept { return unsent_ != log_.next(); }
    /// Appends about `most` bytes of it.
    void send(byte_buffer& out, std::size_t most);
    /// What is to be sent next is this event; false where it is not kept.
    bool rewind(std::uint64_t event) noexcept;

private:
    bool has_room() const noexcept;

    event_log log_;
    stream_reader* reader_ = nullptr;
    std::optional<clock::time_point> completed_;
    std::uint64_t unsent_ = 1; // the next event to be sent
    std::size_t unsent_bytes_ = 0;
    const std::size_t most_unsent_; // events that wait for a connection
};

} // namespace partyline::http
