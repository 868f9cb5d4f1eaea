#pragma once

#include <partyline/config.hpp>

#include <boost/asio/io_context.hpp>

#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace partyline::test {

/// Runs an `io_context` on the calling thread, within a time limit.
class PARTYLINE_EXPORT test_loop {
public:
    using duration = std::chrono::steady_clock::duration;

    /// Null: one of its own.
    explicit test_loop(boost::asio::io_context* given);

    boost::asio::io_context& context() noexcept { return context_; }

    /// Runs until `done`. False when `time_limit` is over before, or nothing is left to run.
    bool try_run_until(const std::function<bool()>& done);
    /// Runs what is ready. False when the time limit is over and there is more.
    bool try_run_until_idle();

    /// "within 5 s".
    std::string limit_text() const;

    duration time_limit = std::chrono::seconds(5);

private:
    /// While it runs, nothing that it runs may have it run.
    class use;

    std::optional<boost::asio::io_context> own_;
    boost::asio::io_context& context_;
    bool is_running_ = false;
};

} // namespace partyline::test
