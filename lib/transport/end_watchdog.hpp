#pragma once

#include <partyline/config.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <thread>

namespace partyline {

/// Takes the signals that ask the process to end, on a thread of its own: that works whatever blocks the program's own.
/// A signal that is ignored from the start stays so, as under nohup and behind a shell's `&`; one that is blocked in
/// the inherited mask is taken all the same. SIGHUP that is taken although it is ignored stays so for children, and is
/// ignored again at the end.
/// Thread safety: as its functions say.
class end_watchdog {
public:
    /// Called on the watchdog's thread.
    struct duties {
        /// Whether to take SIGTERM, SIGINT and SIGHUP.
        bool signals = true;
        /// How long the program may take to end when asked to.
        std::chrono::steady_clock::duration patience;
        /// Asks for an end in order: `signal` is 0 where something else than a signal was the reason.
        std::function<void(int signal)> ask;
        /// Ends the process at once, after a second signal or when patience is over. Where it returns, it is called
        /// again when patience is over once more.
        std::function<void(int signal)> force;
        /// Asked when patience is over; true: the program is about to end and bounds that itself, so that patience
        /// begins again. Empty: it is not.
        std::function<bool()> is_alive = {};
        /// Called by SIGHUP, also where that is ignored, which is no end then. Empty: it is one.
        std::function<void()> hang_up = {};
    };

    PARTYLINE_EXPORT explicit end_watchdog(duties what);
    /// Stops.
    PARTYLINE_EXPORT ~end_watchdog();
    end_watchdog(const end_watchdog&) = delete;
    end_watchdog& operator=(const end_watchdog&) = delete;

    /// Starts the thread.
    PARTYLINE_EXPORT void start();
    /// Ends it. What waits on `executor()` may go away then.
    void stop();
    /// The thread's, for what else is to be watched there.
    boost::asio::any_io_executor executor() { return context_.get_executor(); }
    /// On the watchdog's thread: asks for an end, if nobody has.
    void ask(int signal);
    /// From any thread: the program ends by itself now, and may take no longer for it than patience lets.
    void limit_end();
    /// The first signal that came, or 0. From any thread.
    int signal() const noexcept { return signal_; }

private:
    void take_signals();
    void wait_for_signal();
    void on_signal(int signal);
    void be_patient();

    duties duties_;
    boost::asio::io_context context_;
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
    boost::asio::signal_set signals_;
    boost::asio::steady_timer patience_;
    std::atomic<int> signal_ = 0;
    bool has_asked_ = false;
    bool takes_ignored_hang_up_ = false;
    std::thread thread_;
};

/// Logs the end by force. What logs may be what blocks the program, so it is not waited for.
PARTYLINE_EXPORT void log_forced_end(const std::function<void(std::string_view)>& log, int signal) noexcept;

} // namespace partyline
