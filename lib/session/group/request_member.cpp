#include "session/group/request_member.hpp"

#include <partyline/protocol/error.hpp>

#include <boost/asio/post.hpp>

#include <utility>

namespace partyline {

request_member::request_member(boost::asio::any_io_executor where, std::shared_ptr<group_facts> of)
    : group_member(std::move(of)), where_(where), is_queued_(where)
{
}

// While the group has it, its handler runs, and so its executor is there.
bool request_member::wake()
{
    boost::asio::post(
        where_, [self = std::static_pointer_cast<request_member>(shared_from_this())] { self->is_queued_.set(); });
    return true;
}

task<void> request_member::deliver(request_context& context)
{
    for (;;) {
        is_queued_.reset();
        while (const broadcast_ptr next = front()) {
            pop();
            sending sent = context.notify(next->method, next->params());
            co_await std::move(sent);
            check_behind();
        }
        co_await is_queued_.async_wait();
    }
}

void request_member::check_behind() const
{
    if (was_full() && facts().options.slow_consumers == slow_consumer::disconnect)
        throw rpc_error(error_codes::server_busy, "The client reads too slowly");
}

} // namespace partyline
