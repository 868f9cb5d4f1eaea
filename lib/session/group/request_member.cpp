#include "session/group/request_member.hpp"

#include <partyline/protocol/error.hpp>

#include <boost/asio/post.hpp>

#include <utility>

namespace partyline {

request_member::request_member(boost::asio::any_io_executor where, const session_group_options& how,
                               std::shared_ptr<session_group::counters> counted)
    : member(how, std::move(counted)), where_(where), is_told_(where)
{
}

// While the group has it, its handler runs, and so its executor is there.
bool request_member::wake()
{
    boost::asio::post(where_,
                      [self = std::static_pointer_cast<request_member>(shared_from_this())] { self->is_told_.set(); });
    return true;
}

task<void> request_member::deliver(request_context& context)
{
    for (;;) {
        is_told_.reset();
        while (const broadcast_ptr next = look()) {
            drop();
            sending told = context.notify(next->method, next->params());
            co_await std::move(told);
            check_behind();
        }
        co_await is_told_.async_wait();
    }
}

void request_member::check_behind() const
{
    if (behind() == when_behind::close && has_missed())
        throw rpc_error(error_codes::server_busy, "This client does not keep up with what it is told");
}

} // namespace partyline
