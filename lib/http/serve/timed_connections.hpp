#pragma once

#include "server/connection_service.hpp"

#include <boost/intrusive/list.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace partyline::http {

class timed_connections;

/// A connection, or a stage of one, whose client is given a limited time.
class timed_connection : public served_connection, public boost::intrusive::list_base_hook<> {
public:
    using clock = std::chrono::steady_clock;

    /// Of one that waits: whether that has taken too long. It is stopped then.
    virtual bool has_waited_too_long(clock::time_point now) const noexcept = 0;
    void stop_at_once() noexcept override = 0;

    // Of one that is busy.

    /// Ends what has taken too long.
    virtual void on_tick(clock::time_point now) { static_cast<void>(now); }
    /// The time to end in order is over.
    virtual void give_up() noexcept { stop_at_once(); }

private:
    friend class timed_connections;
    boost::intrusive::list<timed_connection>* among_ = nullptr;
};

/// The connections of a server, by what they wait for: those that wait for one thing stand in the order in which they
/// began to, so that ten thousand of them cost a look at the first, and only the busy ones are looked at one by one.
///
/// Thread safety: none.
class timed_connections {
public:
    enum class state : std::uint8_t { waits_for_first_bytes, waits_for_handshake, waits_for_request, busy };

    bool empty() const noexcept;
    /// It waits for this from now on, behind the others that do, or is busy. Nothing happens where it was so before.
    void place(timed_connection& one, state in) noexcept;
    /// Before it is destroyed. Nothing happens to one that is not there.
    void remove(timed_connection& one) noexcept;
    void on_tick(timed_connection::clock::time_point now);
    /// The time to end in order is over.
    void give_up() noexcept;

private:
    using list = boost::intrusive::list<timed_connection>;

    template <class Step>
    void for_each_busy(const Step& step);

    std::array<list, 3> waiting_;
    list busy_;
};

} // namespace partyline::http
