#pragma once

#include <partyline/protocol/errc.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace partyline::test {

/// What is to go wrong with a stream, and at which of its operations.
struct fault {
    enum class kind {
        none,
        fail,        // the operation fails with `error`, and only it
        lose,        // it and all that come later, or are under way, fail with `error`; the peer sees the end
        truncate,    // the stream ends after `bytes` of the operation: reads give eof, writes broken_pipe
        start_late,  // it happens when everything else that can run has run
        finish_late, // it happens, and is told when everything else that can run has run
        shorten,     // it moves one byte
        trickle,     // it and all that come later move one byte
        interrupt    // nothing goes wrong, but the test is told and does something
    };

    kind what = kind::none;
    std::string name = {};
    error_code error = {};
    std::size_t bytes = 0;
    std::size_t step = 0; // counted from 1, reads and writes together

    bool is_short() const noexcept { return what == kind::shorten || what == kind::trickle; }
    bool only_takes_longer() const noexcept { return is_late() || is_short(); }
    bool is_late() const noexcept { return what == kind::start_late || what == kind::finish_late; }
};

/// Counts the operations of a stream, and says what happens to each.
/// Thread safety: none; the stream and the test are on one thread.
class fault_plan {
public:
    explicit fault_plan(fault planned = {}) : planned_(std::move(planned)) {}

    const fault& planned() const noexcept { return planned_; }
    /// How many operations have been started.
    std::size_t steps() const noexcept { return steps_; }
    bool has_struck() const noexcept { return planned_.step != 0 && steps_ >= planned_.step; }
    /// Whether what it struck was a read.
    bool struck_read() const noexcept { return struck_read_; }

    /// Whether an operation is being held up, and its release.
    bool is_holding() const noexcept { return is_holding_; }
    void release();

    /// Called by `fault::kind::interrupt`, from within the start of the operation.
    std::function<void()> interrupt;

    /// The stream's side: an operation starts. What is wrong with it.
    fault next(bool is_read);

    /// The stream's side: calls `handler(error_code)` when released.
    template <class Handler>
    void hold(const boost::asio::any_io_executor& executor, Handler&& handler)
    {
        is_holding_ = true;
        held_.emplace(executor, boost::asio::steady_timer::time_point::max());
        held_->async_wait(std::forward<Handler>(handler));
    }

private:
    fault planned_;
    std::size_t steps_ = 0;
    bool struck_read_ = false;
    bool is_holding_ = false;
    std::optional<boost::asio::steady_timer> held_;
};

} // namespace partyline::test
