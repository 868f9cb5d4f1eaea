#pragma once

#include "session/calls/outgoing_message.hpp"
#include "session/due_time.hpp"

#include <partyline/protocol/errc.hpp>
#include <partyline/protocol/limits.hpp>

#include <cstddef>
#include <list>
#include <memory>
#include <set>
#include <string>
#include <utility>

namespace partyline {

/// What waits for a session that it can go to: calls, notifications and batches, in order and bounded.
///
/// Flow: `add()`; each leaves by `take()`, or is settled: cancelled, because its own time is over, or with all others.
/// It asks no clock.
class waiting_messages {
public:
    explicit waiting_messages(const limits& bounds) noexcept : calls_(bounds.calls), bytes_(bounds.call_bytes) {}
    ~waiting_messages();
    waiting_messages(const waiting_messages&) = delete;
    waiting_messages& operator=(const waiting_messages&) = delete;

    bool empty() const noexcept { return all_.empty(); }

    /// Refuses one that there is no room for.
    void add(const std::shared_ptr<outgoing_message>& message);
    /// The first one, which waits no longer; null: there is none.
    std::shared_ptr<outgoing_message> take() noexcept;

    /// False: it does not wait here.
    bool cancel(outgoing_message& message, error_code why) noexcept;
    void refuse_all(error_code why, const std::string& details) noexcept;

    /// When the time of the first one is over; `steady_time::max()`: never.
    steady_time next_due() const noexcept;
    /// Settles those whose time is over.
    void expire(steady_time now) noexcept;

private:
    bool has_room_for(const outgoing_message& message) const noexcept;
    void remove(outgoing_message& message) noexcept;

    std::size_t calls_; // room for so many more, of which a notification takes as much as a call
    std::size_t bytes_;
    std::list<std::shared_ptr<outgoing_message>> all_;
    std::set<std::pair<steady_time, outgoing_message*>> due_; // those that have a time
};

} // namespace partyline
