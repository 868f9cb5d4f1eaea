#pragma once

#include "session/group/group_member.hpp"

#include <partyline/async/async_event.hpp>
#include <partyline/session/request_context.hpp>
#include <partyline/session/task.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <memory>

namespace partyline {

/// A request in a group: its handler sends, where that runs.
class request_member final : public group_member {
public:
    request_member(boost::asio::any_io_executor where, std::shared_ptr<group_facts> of);

    bool is_open() const noexcept override { return true; }
    bool is_request() const noexcept override { return true; }

    /// Sends until the request is cancelled.
    task<void> deliver(request_context& context);

private:
    bool wake() override;

    const boost::asio::any_io_executor where_;
    async_event is_queued_;
};

} // namespace partyline
