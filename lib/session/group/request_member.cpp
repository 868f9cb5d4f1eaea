#include "session/group/request_member.hpp"

#include <boost/asio/post.hpp>

#include <memory>
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
    return deliver_within(context, is_queued_);
}

} // namespace partyline
