#pragma once

#include "reporter.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

#include <functional>

namespace call {

/// Ctrl-C, and SIGTERM. The first one cancels what is in flight and leaves in order, within a time; the second one, or that
/// time, ends `run()` of the context at once.
class interruption {
public:
    /// `context` and `told` outlive it. `cancel_all` is called by the first signal; false: there is nothing to leave.
    interruption(boost::asio::io_context& context, reporter& told, std::function<bool()> cancel_all);

    void watch();
    bool has_come() const noexcept { return has_come_; }

private:
    void wait_signal();
    void on_signal(int number);

    boost::asio::io_context* context_;
    reporter* told_;
    std::function<bool()> cancel_all_;
    boost::asio::signal_set signals_;
    boost::asio::steady_timer patience_;
    bool has_come_ = false;
};

} // namespace call
