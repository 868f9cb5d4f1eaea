#pragma once

#include "call/output/reporter.hpp"
#include "line_input.hpp"
#include "request.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace call {

/// The calls that are to be made: one and the same, so many times, or those that stand in a file.
class request_source {
public:
    request_source(request only, std::size_t times) : only_(std::move(only)), times_(times) {}

    /// `-` is standard input. What is no call there is told to `told`, which outlives this. Throws `std::system_error`
    /// that names a file which can't be opened.
    request_source(boost::asio::any_io_executor executor, const std::string& file, std::size_t max_line_bytes,
                   reporter& told);

    /// None at the end, and after `stop()`.
    boost::asio::awaitable<std::optional<request>> next();
    boost::asio::awaitable<std::vector<request>> rest();

    /// There are to be no more, also for who waits for one.
    void stop();

private:
    boost::asio::awaitable<std::optional<request>> next_line();

    request only_;
    std::size_t times_ = 0;
    std::optional<line_input> lines_;
    std::size_t max_line_bytes_ = 0;
    reporter* told_ = nullptr;
};

} // namespace call
