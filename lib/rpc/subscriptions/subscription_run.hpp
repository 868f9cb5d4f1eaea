#pragma once

#include <partyline/session/task.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <memory>

namespace partyline {

class subscription_slot;
class subscription_state;

/// The task of a subscription.
///
/// Flow: `launch()`, and `cancel()` at any time after it.
/// Ownership: its task's, so that it goes with that, also where the `io_context` is destroyed.
/// Thread safety: `launch()` and `cancel()` from any thread, one at a time: both are done on `home`, which is serial.
class subscription_run : public std::enable_shared_from_this<subscription_run> {
public:
    /// `home`: the session's executor, where the kind has none of its own.
    subscription_run(boost::asio::any_io_executor home, task<void> serving,
                     std::shared_ptr<const subscription_slot> slot) noexcept;
    subscription_run(const subscription_run&) = delete;
    subscription_run& operator=(const subscription_run&) = delete;
    ~subscription_run();

    /// Throws `std::bad_alloc`: it does not run.
    void launch(std::shared_ptr<subscription_state> of);
    void cancel() noexcept;

private:
    void start() noexcept;
    void emit_cancel() noexcept;

    boost::asio::any_io_executor home_;
    const std::shared_ptr<const subscription_slot> slot_; // which is taken as long as the task runs
    task<void> serving_;
    std::shared_ptr<subscription_state> of_; // null before it was launched, and when it has completed
    boost::asio::cancellation_signal signal_;
};

} // namespace partyline
