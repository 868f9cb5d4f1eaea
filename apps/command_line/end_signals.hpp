#pragma once

#include <boost/asio/io_context.hpp>

#include <functional>
#include <memory>

namespace command_line {

/// SIGTERM, SIGINT and SIGHUP, but for those that are ignored from the start (as under nohup, and behind a shell's `&`): the
/// first one asks for an end in order, a second one ends the process at once; so does the first one where the context's
/// thread does nothing for some seconds, whatever blocks it. A write that fails is an error and no signal.
class end_signals {
public:
    struct duties {
        /// Asks for an end. Called by the context, which must run until then on one thread.
        std::function<void(int signal)> ask;
        /// Called by SIGHUP instead, also where that is ignored. Empty: it is an end.
        std::function<void()> hang_up = {};
        /// Ends the process at once, from a thread of its own. Where it returns, it is called again some seconds later. Empty: by
        /// `_Exit`, with 128 and the signal's number.
        std::function<void(int signal)> force = {};
        /// False: SIGPIPE ends the process, as programs in a pipeline do.
        bool survives_gone_reader = true;
    };

    end_signals(boost::asio::io_context& context, duties what);
    /// From now on they do what they did before.
    ~end_signals();

    /// The first one, or 0.
    int first() const noexcept;

private:
    struct state;

    std::unique_ptr<state> state_;
};

} // namespace command_line
