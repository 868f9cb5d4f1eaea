#pragma once

#include "call/output/reporter.hpp"
#include "command_line/end_signals.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <functional>
#include <optional>

namespace call {

/// Ctrl-C, and the other signals that ask for an end. The first one cancels what is in flight and leaves in order,
/// within a time; the second one, or that time, ends `run()` of the context at once, and the process where something
/// blocks that.
class interruption {
public:
    /// `context` and `told` outlive it. `cancel_all` is called by the first signal; false: there is nothing to leave.
    interruption(boost::asio::io_context& context, reporter& told, std::function<bool()> cancel_all);

    void watch();
    bool has_come() const noexcept { return has_come_; }

private:
    void on_signal(int number);

    boost::asio::io_context* context_;
    reporter* told_;
    std::function<bool()> cancel_all_;
    boost::asio::steady_timer patience_;
    bool has_come_ = false;
    std::optional<command_line::end_signals> signals_;
};

} // namespace call
