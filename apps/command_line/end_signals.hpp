#pragma once

#include <boost/asio/io_context.hpp>

#include <chrono>
#include <functional>
#include <memory>

namespace command_line {

/// SIGTERM, SIGINT and SIGHUP, but for those that are ignored from the start (as under nohup, and behind a shell's
/// `&`): the first one asks for an end in order, a second one stops the context at once. The process ends by `_Exit`,
/// with 128 and the signal's number, when the context's thread does nothing for some seconds after the first one or for
/// half a second after the second one, and when the process is still there five seconds after the second one. A write
/// that fails is an error and no signal.
class end_signals {
public:
    struct duties {
        /// Asks for an end. Called by the context, which must run until then on one thread.
        std::function<void(int signal)> ask;
        /// Called by SIGHUP instead, also where that is ignored. Empty: it is an end.
        std::function<void()> hang_up = {};
        /// Called by the context before it is stopped at once. May be empty.
        std::function<void(int signal)> on_stop = {};
        /// False: SIGPIPE ends the process, as programs in a pipeline do.
        bool survives_gone_reader = true;
    };

    end_signals(boost::asio::io_context& context, duties what);
    /// From now on they do what they did before.
    ~end_signals();

    /// The first one, or 0.
    int first() const noexcept;

    /// Has the context call it after that time. That does not keep the context running.
    void call_after(std::chrono::steady_clock::duration delay, std::function<void()> what) const;

private:
    struct state;

    std::unique_ptr<state> state_;
};

} // namespace command_line
