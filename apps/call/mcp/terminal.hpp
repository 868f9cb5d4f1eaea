#pragma once

#include <partyline/session/task.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace call {

/// The terminal that the user sits at, in its lines. Its flags stay as they are: others share them.
class terminal {
public:
    /// Standard input if that is a terminal, and else the one that controls the process; null where there is none.
    static std::unique_ptr<terminal> open(const boost::asio::any_io_executor& executor);

    boost::asio::any_io_executor get_executor() { return file_.get_executor(); }

    /// Drops what has been typed already.
    void forget_input();
    void write(std::string_view text);

    /// What is typed next, without the end of its line.
    ///
    /// Gives            none at the end: ^D, or the terminal has gone
    /// Fails with       nothing that is thrown, but for a cancel
    partyline::task<std::optional<std::string>> read_line();

private:
    terminal(const boost::asio::any_io_executor& executor, int fd) : file_(executor, fd) {}
    bool read_some();

    boost::asio::posix::stream_descriptor file_;
    std::string typed_;
};

} // namespace call
