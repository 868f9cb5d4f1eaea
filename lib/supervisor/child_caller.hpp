#pragma once

#include "session/calls/make_outgoing.hpp"

#include <partyline/session/caller.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <memory>

namespace partyline {

class stream_driver;

/// Calls the peer of one session, and does not keep it: when that is gone calls fail with `errc::session_closed`.
/// Thread safety: from any thread.
class child_caller final : public caller {
public:
    explicit child_caller(const std::shared_ptr<stream_driver>& driver);

    std::shared_ptr<lifecycle> session_lifecycle() const override;

    call_origin origin() const { return {calling_, executor_}; }
    void launch(const std::shared_ptr<outgoing_message>& made, error_code failed);

private:
    void start_call(std::string method, call_params params, call_options options, call_handler done) override;
    void start_notify(std::string method, call_params params, notify_handler done) override;
    void start_batch(call_batch calls, call_options options, batch_handler done) override;

    std::weak_ptr<stream_driver> driver_;
    boost::asio::any_io_executor executor_;
    const call_rules calling_;
};

} // namespace partyline
