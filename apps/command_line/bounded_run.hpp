#pragma once

#include "command_line/line_log.hpp"

#include <boost/asio/io_context.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <utility>

namespace command_line {

/// Runs a context, from a moment on for a bounded time.
class bounded_run {
public:
    using clock = std::chrono::steady_clock;

    /// `program` begins the line that says that the time was not enough. Without `longest_end` it takes as long as it
    /// takes.
    bounded_run(boost::asio::io_context& context, std::string program, std::optional<clock::duration> longest_end)
        : context_(context), program_(std::move(program)), longest_end_(longest_end)
    {
    }

    /// From within the context: that time begins.
    void begin_end()
    {
        if (!longest_end_ || ends_at_)
            return;
        ends_at_ = clock::now() + *longest_end_;
        context_.stop(); // to be run for the time that is left
    }
    /// The context is stopped for good.
    void stop() noexcept { is_stopped_ = true; }

    void run()
    {
        context_.run();
        if (!ends_at_ || is_stopped_)
            return;
        context_.restart();
        context_.run_until(*ends_at_);
        if (!context_.stopped())
            say(program_ + ": it has not ended within " +
                std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(*longest_end_).count()) +
                " ms: what is left is ended at once");
    }

private:
    boost::asio::io_context& context_;
    std::string program_;
    std::optional<clock::duration> longest_end_;
    std::optional<clock::time_point> ends_at_;
    bool is_stopped_ = false;
};

} // namespace command_line
