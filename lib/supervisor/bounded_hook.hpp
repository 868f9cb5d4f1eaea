#pragma once

#include "session/due_time.hpp"

#include <partyline/config.hpp>
#include <partyline/protocol/errc.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/steady_timer.hpp>

#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace partyline {

/// Runs a coroutine of the user's within a time: when that is over, or on `cancel()`, it is cancelled; one that does
/// not end within a grace then is abandoned.
///
/// Thread safety: everything on the executor.
class PARTYLINE_EXPORT bounded_hook : public std::enable_shared_from_this<bounded_hook> {
public:
    using hook = std::function<boost::asio::awaitable<void>()>;
    struct outcome {
        error_code failed;
        std::string details; // of what it has thrown, or of why it was given up, beside the code's words
    };

    struct time_limit {
        std::string hook; // the names of both, for `outcome::details`
        std::string name;
        steady_duration most; // 0: for ever
    };
    using log_hook = std::function<void(std::string_view)>;

    bounded_hook(boost::asio::any_io_executor executor, steady_duration grace, log_hook log)
        : executor_(std::move(executor)), timer_(executor_), grace_(grace), log_(std::move(log))
    {
    }

    /// May be called once, and calls `told`, which must not throw, once. The coroutine keeps `what`, also where it was
    /// abandoned.
    void start(std::shared_ptr<const hook> what, time_limit limit, std::function<void(outcome)> told);
    /// It fails with `why`, unless it has ended; what its cancellation throws is logged. Never from within the hook.
    void cancel(error_code why) noexcept;

    /// What an exception is to whoever is told an outcome; none: success.
    static outcome outcome_of(const std::exception_ptr& thrown) noexcept;

private:
    struct ticket;

    void wait(steady_duration most);
    bool wait_for_grace() noexcept;
    void emit() noexcept;
    void log_failed_cancel() const noexcept;
    void on_time_over() noexcept;
    void abandon() noexcept;
    std::string reason() const;
    void on_return(const std::exception_ptr& thrown) noexcept;
    void on_lost() noexcept;
    void end(outcome how) noexcept;
    void settle(outcome how) noexcept;

    boost::asio::any_io_executor executor_;
    boost::asio::steady_timer timer_;
    steady_duration grace_;
    log_hook log_;
    boost::asio::cancellation_signal signal_;
    std::function<void(outcome)> told_;
    time_limit limit_;
    error_code given_up_;       // why, once it is
    bool is_over_time_ = false; // that is why
};

} // namespace partyline
