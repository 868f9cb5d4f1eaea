#pragma once

#include "session/group/group_member.hpp"

#include <partyline/async/async_event.hpp>
#include <partyline/session/request_context.hpp>
#include <partyline/session/task.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <memory>

namespace partyline {

/// A request of a group, whose client is told while it lasts: by its handler, where that runs.
class request_member final : public session_group::member {
public:
    request_member(boost::asio::any_io_executor where, const session_group_options& how,
                   std::shared_ptr<session_group::counters> counted);

    bool is_open() const noexcept override { return true; }

    /// Tells the client until the request is cancelled.
    task<void> deliver(request_context& context);

private:
    bool wake() override;
    void check_behind() const;

    const boost::asio::any_io_executor where_;
    async_event is_told_;
};

} // namespace partyline
