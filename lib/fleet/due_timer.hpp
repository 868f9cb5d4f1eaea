#pragma once

#include <partyline/protocol/errc.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <memory>
#include <new>
#include <optional>

namespace partyline::fleet {

/// The timer of a loop over a core: waits until the earliest time that it is told.
/// Thread safety: none; used on its executor.
class due_timer {
public:
    using time_point = std::chrono::steady_clock::time_point;

    explicit due_timer(const boost::asio::any_io_executor& executor) : timer_(executor) {}

    /// Calls `on_time` then, if the user, who has this, is there still. Nothing where it waits for an earlier time, or
    /// there is no time.
    template <class User>
    void wait_until(const std::optional<time_point>& due, const std::weak_ptr<User>& user, void (User::*on_time)())
    {
        if (!due || (waits_until_ && *waits_until_ <= *due))
            return;
        waits_until_.reset(); // without memory it waits for nothing
        timer_.expires_at(*due);
        timer_.async_wait([this, user, on_time](error_code failed) {
            const auto alive = user.lock();
            if (!alive || failed)
                return;
            waits_until_.reset();
            try {
                (alive.get()->*on_time)();
            } catch (const std::bad_alloc&) { // what is left is due still
                wait_until(std::chrono::steady_clock::now() + without_memory, user, on_time);
            }
        });
        waits_until_ = due;
    }
    void cancel() { timer_.cancel(); }

private:
    static constexpr std::chrono::milliseconds without_memory{100};

    boost::asio::steady_timer timer_;
    std::optional<time_point> waits_until_;
};

} // namespace partyline::fleet
