#pragma once

#include "call/input/input_lines.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include <cstddef>
#include <optional>
#include <string>

namespace call {

/// The lines of a file or of standard input, as they come. Whatever it is, its flags stay as they are: others share
/// them.
class line_input {
public:
    /// `-` is standard input. Throws `std::system_error` that names a file which can't be opened.
    line_input(boost::asio::any_io_executor executor, const std::string& file, std::size_t max_line_bytes);

    /// The next line; none at the end, and after `stop()`. Throws `std::system_error` when it can't be read.
    boost::asio::awaitable<std::optional<input_line>> next();

    /// There are to be no more lines, also for who waits for one.
    void stop();

private:
    boost::asio::awaitable<void> read_some();

    std::string name_;
    boost::asio::posix::stream_descriptor file_;
    input_lines lines_;
    bool is_at_end_ = false;
    bool is_stopped_ = false;
};

} // namespace call
