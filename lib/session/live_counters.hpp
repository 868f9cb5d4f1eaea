#pragma once

#include <partyline/config.hpp>
#include <partyline/session/session_counters.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace partyline {

/// A number that one thread writes and any thread may read.
class counter {
public:
    void add(std::uint64_t n = 1) noexcept { set(get() + n); }
    void set(std::uint64_t n) noexcept { value_.store(n, std::memory_order_relaxed); }
    std::uint64_t get() const noexcept { return value_.load(std::memory_order_relaxed); }

private:
    std::atomic<std::uint64_t> value_ = 0;
};

/// A number that goes up and down, and the highest that it has been.
class gauge {
public:
    void add(std::uint64_t n) noexcept { set(get() + n); }
    void sub(std::uint64_t n) noexcept { now_.set(get() - n); }
    void set(std::uint64_t n) noexcept
    {
        now_.set(n);
        if (n > peak_.get())
            peak_.set(n);
    }
    std::uint64_t get() const noexcept { return now_.get(); }
    std::uint64_t peak() const noexcept { return peak_.get(); }

private:
    counter now_;
    counter peak_;
};

/// What a session counts: see `session_counters`.
/// Thread safety: written on the session's executor, read anywhere.
struct PARTYLINE_EXPORT live_counters {
    counter messages_in;
    counter messages_out;
    counter bytes_in;
    counter bytes_out;
    counter requests;
    counter notifications;
    counter busy;
    counter cancelled;
    counter dropped;
    counter calls;
    counter late_replies;
    counter stray_replies;
    counter bad_replies;
    counter coalesced_progress;
    gauge in_flight;
    gauge open_calls;
    gauge waiting;
    gauge waiting_bytes;
    gauge outbox_bytes;

    session_counters snapshot() const noexcept;
};

} // namespace partyline
