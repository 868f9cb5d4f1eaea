#pragma once

#include <boost/intrusive/list.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <utility>

namespace partyline::http {

class endpoint;
class idle_states;

/// What an endpoint keeps for a connection, while that is in use.
class connection_state {
public:
    virtual ~connection_state() = default;
    /// The connection has ended, or is to keep nothing while it is idle.
    virtual void let_go() noexcept = 0;
};

/// The state that a connection keeps for its next request: of the endpoint that was used last.
class kept_state : public boost::intrusive::list_base_hook<> {
public:
    kept_state() = default;
    ~kept_state() { drop(); }
    kept_state(const kept_state&) = delete;
    kept_state& operator=(const kept_state&) = delete;

    /// For the next request; null where nothing is kept for this endpoint.
    std::shared_ptr<connection_state> find(const endpoint& of) noexcept
    {
        leave_idle();
        return owner_ == &of ? state_ : nullptr;
    }
    void keep(const endpoint& of, std::shared_ptr<connection_state> state) noexcept
    {
        drop();
        state_ = std::move(state);
        owner_ = &of;
    }
    void drop() noexcept
    {
        leave_idle();
        if (const std::shared_ptr<connection_state> gone = std::move(state_))
            gone->let_go();
        owner_ = nullptr;
    }

private:
    friend class idle_states;
    void leave_idle() noexcept;

    const endpoint* owner_ = nullptr;
    std::shared_ptr<connection_state> state_;
    idle_states* idle_among_ = nullptr;
    std::chrono::steady_clock::time_point since_; // it is idle
};

/// What idle connections keep, for a moment and as many as there is room for: ten thousand states take a hundred
/// megabytes. Where there is no room who comes later keeps nothing, so that of more connections in use the rest has
/// what it kept.
///
/// Lifetime: outlives what is in it.
class idle_states {
public:
    using clock = std::chrono::steady_clock;
    static constexpr std::size_t most = 512;
    static constexpr std::chrono::seconds longest{1};

    void add(kept_state& one, clock::time_point now) noexcept
    {
        if (!one.state_ || one.idle_among_)
            return;
        if (states_.size() == most)
            return one.drop();
        one.idle_among_ = this;
        one.since_ = now;
        states_.push_back(one);
    }
    /// What has been kept for longer than a moment is dropped.
    void on_tick(clock::time_point now) noexcept
    {
        while (!states_.empty() && now - states_.front().since_ > longest)
            states_.front().drop();
    }

private:
    friend class kept_state;
    boost::intrusive::list<kept_state> states_; // from the one that has been idle longest
};

inline void kept_state::leave_idle() noexcept
{
    if (idle_states* const among = std::exchange(idle_among_, nullptr))
        among->states_.erase(among->states_.iterator_to(*this));
}

} // namespace partyline::http
