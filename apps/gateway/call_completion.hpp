#pragma once

#include <partyline/protocol/errc.hpp>
#include <partyline/session/call_result.hpp>

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>

namespace gateway {

/// The completion of a call that another session makes: told once, and with `errc::session_closed` where that session
/// has gone.
///
/// Thread safety: everything on the executor of the client's session.
class call_completion {
public:
    using handler = boost::asio::any_completion_handler<void(partyline::error_code, partyline::response)>;

    call_completion(handler done, boost::asio::any_io_executor executor);
    ~call_completion();
    call_completion(const call_completion&) = delete;
    call_completion& operator=(const call_completion&) = delete;

    void tell(partyline::error_code failed, partyline::response reply);
    /// Ends the call, once that is under way.
    boost::asio::cancellation_signal& cancel() noexcept { return cancel_; }
    bool is_told() const noexcept { return is_told_; }

private:
    handler done_;
    boost::asio::any_io_executor executor_;
    boost::asio::cancellation_signal cancel_;
    bool is_told_ = false;
};

} // namespace gateway
