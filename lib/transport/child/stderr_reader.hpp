#pragma once

#include "session/owned_descriptor.hpp"
#include "transport/child/line_splitter.hpp"

#include <partyline/transport/child_options.hpp>
#include <partyline/transport/child_report.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include <array>
#include <functional>
#include <memory>
#include <mutex>
#include <string_view>

namespace partyline {

/// Reads what a child process writes to its standard error, all the time, so that it never has to wait for us.
/// Thread safety: `close` from any thread; the rest on `strand`, which runs one thing at a time.
class stderr_reader : public std::enable_shared_from_this<stderr_reader> {
public:
    using line_hook = std::function<void(std::string_view line)>;

    stderr_reader(boost::asio::any_io_executor strand, owned_descriptor from, std::shared_ptr<child_report> report,
                  line_hook on_line);

    void start();
    /// Reads what is there by now, and no more: others may hold the pipe for ever. Then calls `done`.
    void finish(std::function<void()> done);
    void close();

private:
    void read();
    void on_read(std::size_t count);
    void drain();
    void end();
    void tell(const std::vector<std::string>& lines);

    boost::asio::any_io_executor strand_;
    std::mutex mutex_; // for from_
    boost::asio::posix::stream_descriptor from_;
    std::shared_ptr<child_report> report_;
    line_hook on_line_;
    line_splitter lines_{child_options::max_stderr_line};
    std::array<char, 16384> room_;
    bool is_reading_ = false;
    std::function<void()> done_;
};

} // namespace partyline
