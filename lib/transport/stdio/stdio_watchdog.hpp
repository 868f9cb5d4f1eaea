#pragma once

#include "transport/stdio/shared_socket.hpp"
#include "transport/stdio/wire_descriptor.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <thread>

namespace partyline {

/// Looks out, on a thread of its own, for what must end the process even while a handler keeps the session's thread
/// busy: the signals that ask for it, and the end of whoever reads our output (a crashed client leaves no orphan).
class stdio_watchdog {
public:
    struct duties {
        /// Whether to take SIGTERM, SIGINT and SIGHUP (the last one not where it is ignored, as under nohup).
        bool signals = true;
        /// How long the session may take to end when asked to.
        std::chrono::steady_clock::duration patience;
        /// Asks the session to end: `signal` is 0 when the reader has gone. Called on the sentinel's thread.
        std::function<void(int signal)> ask;
        /// Ends the process at once, after a second signal or when patience is over. Called on the sentinel's thread.
        std::function<void(int signal)> force;
    };

    stdio_watchdog(const wire_descriptor& output, duties what);
    /// Ends the thread.
    ~stdio_watchdog();
    stdio_watchdog(const stdio_watchdog&) = delete;
    stdio_watchdog& operator=(const stdio_watchdog&) = delete;

    /// The first signal that came, or 0.
    int signal() const noexcept { return signal_; }

private:
    void take_signals();
    void wait_for_signal();
    void watch_reader();
    void on_reader_event();
    void ask(int signal);

    duties duties_;
    boost::asio::io_context context_;
    boost::asio::signal_set signals_;
    boost::asio::posix::stream_descriptor output_; // or the one below
    std::optional<shared_socket> output_socket_;
    boost::asio::steady_timer patience_;
    std::atomic<int> signal_ = 0;
    bool has_asked_ = false;
    std::thread thread_;
};

} // namespace partyline
