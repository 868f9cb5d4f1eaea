#pragma once

#include <partyline/async/async_event.hpp>
#include <partyline/protocol/json_text.hpp>
#include <partyline/session/call_result.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <cstddef>
#include <deque>
#include <optional>
#include <string>

namespace partyline::fleet {

/// What comes back of a call, until the client's request has it: notifications, in order, and the reply.
///
/// Thread safety: none; everything happens where the client's request is served.
class pending_reply {
public:
    struct notification {
        std::string method;
        json_text params;
    };

    pending_reply(const boost::asio::any_io_executor& executor, std::size_t max_bytes)
        : executor_(executor), changed_(executor), max_bytes_(max_bytes)
    {
    }

    const boost::asio::any_io_executor& executor() const noexcept { return executor_; }
    /// Set where there is something new.
    async_event& changed() noexcept { return changed_; }
    /// Cancels the call.
    boost::asio::cancellation_signal& cancel() noexcept { return cancel_; }

    void put(notification one);
    void end(error_code failed, response reply);

    std::optional<notification> take();
    bool has_ended() const noexcept { return reply_.has_value(); }
    /// The client has left more unread than it may.
    bool is_overfull() const noexcept { return is_overfull_; }
    error_code failed() const noexcept { return failed_; }
    response& reply() noexcept { return *reply_; }

private:
    const boost::asio::any_io_executor executor_;
    async_event changed_;
    boost::asio::cancellation_signal cancel_;
    const std::size_t max_bytes_;
    std::deque<notification> waiting_;
    std::size_t bytes_ = 0; // of these
    bool is_overfull_ = false;
    error_code failed_;
    std::optional<response> reply_;
};

} // namespace partyline::fleet
