#pragma once

#include <partyline/protocol/errc.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <memory>
#include <utility>

namespace partyline {

/// A timer that takes memory from its first start on: most of a session's are never started.
/// Thread safety: none; used on the executor that it is started on.
class lazy_timer {
public:
    /// Waits until `due`, and no longer for what it has waited for before: void(error_code). Throws `std::bad_alloc`.
    template <class Handler>
    void start(const boost::asio::any_io_executor& on, boost::asio::steady_timer::time_point due, Handler done)
    {
        if (!timer_)
            timer_ = std::make_unique<boost::asio::steady_timer>(on);
        timer_->expires_at(due);
        timer_->async_wait(std::move(done));
    }
    void cancel()
    {
        if (timer_)
            timer_->cancel();
    }
    /// Cancels it, and holds the executor no longer.
    void reset() noexcept { timer_.reset(); }

private:
    std::unique_ptr<boost::asio::steady_timer> timer_;
};

} // namespace partyline
