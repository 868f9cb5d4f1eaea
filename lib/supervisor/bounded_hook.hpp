#pragma once

#include "session/due_time.hpp"

#include <partyline/protocol/errc.hpp>
#include <partyline/session/caller.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/steady_timer.hpp>

#include <exception>
#include <functional>
#include <memory>
#include <string>

namespace partyline {

/// Runs a coroutine of the user's within a time: when that is over, or on `cancel()`, it is cancelled; one that does
/// not end within a grace then is abandoned.
///
/// Thread safety: everything on the executor.
class bounded_hook : public std::enable_shared_from_this<bounded_hook> {
public:
    using hook = std::function<boost::asio::awaitable<void>(caller&)>;
    struct outcome {
        error_code failed;
        std::string details; // of what it has thrown
    };

    bounded_hook(boost::asio::any_io_executor executor, steady_duration grace)
        : executor_(std::move(executor)), timer_(executor_), grace_(grace)
    {
    }

    /// May be called once, and calls `told` once; a `limit` of 0 is for ever. The coroutine keeps `what` and `whom`, also
    /// where it was abandoned.
    void start(std::shared_ptr<const hook> what, std::shared_ptr<caller> whom, steady_duration limit,
               std::function<void(outcome)> told);
    /// It fails with `why`, unless it has ended. Never from within the hook.
    void cancel(error_code why);

private:
    void wait(steady_duration most);
    void on_time_over();
    void on_return(const std::exception_ptr& thrown);
    void settle(outcome how);

    boost::asio::any_io_executor executor_;
    boost::asio::steady_timer timer_;
    steady_duration grace_;
    boost::asio::cancellation_signal signal_;
    std::function<void(outcome)> told_;
    error_code given_up_; // why, once it is
};

} // namespace partyline
