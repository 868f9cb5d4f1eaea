#pragma once

#include "http/sessions/event_log.hpp"
#include "http/sessions/store_calls.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace partyline::http {

/// Has the events of one stream appended to the event store: in order, one call at a time, from its log. Events that
/// the log has dropped before that are lost for the store.
///
/// Flow: `on_appended()` for each event, `complete()` behind the last one. While the store is behind, `has_room()` is
/// false; `user::on_recorded()` when that may have changed. `hand_over()` where the log goes before all is stored.
/// Lifetime: its user owns it and the log.
class event_recorder final : public store_calls::waiter, public std::enable_shared_from_this<event_recorder> {
public:
    class user {
    public:
        /// A call has ended, or is late, or has begun when there was room. The user may be destroyed by this.
        virtual void on_recorded() noexcept = 0;

    protected:
        ~user() = default;
    };

    event_recorder(std::shared_ptr<store_calls> by, event_stream_key key, const event_log& log, user& of)
        : calls_(std::move(by)), key_(std::move(key)), log_(log), user_(of)
    {
    }

    /// The log has one more.
    void on_appended() noexcept;
    /// What the log has is all there will be.
    void complete() noexcept;
    /// The log goes: what it has is appended by one last call if there is room, or is lost. Nothing may follow.
    void hand_over() noexcept;

    /// A call is under way, and the one before has not failed.
    bool is_waited_for() const noexcept { return is_under_way_ && !has_failed_; }
    /// The first event that the log is to keep until the call under way has ended, and what it takes with those behind.
    std::uint64_t needed() const noexcept { return is_waited_for() ? next_ : log_.next(); }
    std::size_t needed_bytes() const noexcept { return is_waited_for() ? waiting_bytes_ : 0; }
    /// Whether the log may take more, where so much of it may wait for a store that is slow. One that fails is not
    /// waited for.
    bool has_room(std::size_t most_events, std::size_t most_bytes) const noexcept
    {
        return !is_waited_for() || (log_.next() - next_ < most_events && waiting_bytes_ < most_bytes);
    }

    // store_calls::waiter
    void try_again() noexcept override;

private:
    /// What is handed over by one call.
    struct batch {
        stored_events what;
        std::uint64_t behind = 0; // the number of the next event
        std::size_t bytes = 0;
    };

    bool is_done() const noexcept { return next_ == log_.next() && (!is_complete_ || has_stored_end_); }
    void advance() noexcept;
    void skip_lost() noexcept;
    batch make_batch(std::uint64_t from, std::size_t most_bytes) const;
    void begin();
    void on_state(store_calls::append_state is, std::size_t bytes) noexcept;

    const std::shared_ptr<store_calls> calls_;
    const event_stream_key key_;
    const event_log& log_;
    user& user_;
    std::uint64_t next_ = 1;        // the first event that is not known to be stored
    std::size_t waiting_bytes_ = 0; // of the log, from that one on; more where it has dropped some
    std::uint64_t behind_ = 1;      // the first event behind those of the call under way
    bool is_complete_ = false;
    bool is_end_under_way_ = false; // by the last call that has begun
    bool has_stored_end_ = false;
    bool is_under_way_ = false; // a call, until its coroutine has ended
    bool has_failed_ = false;   // the last call, or it is late
};

} // namespace partyline::http
