#include "session/group/request_member.hpp"

#include <partyline/protocol/error.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/system/system_error.hpp>

#include <stdexcept>
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
            task<bool> passed_on = notify_within(context, next);
            if (!co_await std::move(passed_on))
                note_dropped();
            if (is_given_up())
                throw rpc_error(error_codes::server_busy, "The client reads too slowly");
        }
        co_await is_queued_.async_wait();
    }
}

// What cannot be sent to this client, such as what is longer than its session's limits, is none of the others' affair.
task<bool> notify_within(request_context& context, broadcast_ptr what)
{
    try {
        sending sent = context.notify(what->method, what->params());
        co_await std::move(sent);
        co_return true;
    } catch (const boost::system::system_error& failed) {
        if (failed.code() == boost::asio::error::operation_aborted)
            throw;
    } catch (const std::invalid_argument&) {
    } catch (const rpc_error&) {
    }
    co_return false;
}

} // namespace partyline
