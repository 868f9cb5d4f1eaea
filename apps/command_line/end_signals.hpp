#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>

#include <functional>

namespace command_line {

/// SIGTERM, SIGINT and SIGHUP (unless that is ignored, as under nohup): the first one asks for an end in order, a second one
/// ends the process at once.
class end_signals {
public:
    end_signals(boost::asio::io_context& context, std::function<void()> ask);

    /// From now on SIGHUP asks for this instead of an end.
    void on_hang_up(std::function<void()> ask);
    /// Waits no more, so that the context may run out of work.
    void stop() { signals_.cancel(); }
    /// The first one, or 0.
    int first() const noexcept { return first_; }

private:
    void wait();

    boost::asio::signal_set signals_;
    std::function<void()> ask_;
    std::function<void()> hang_up_; // empty: it is an end
    int first_ = 0;
};

} // namespace command_line
