#include <partyline/session/session_group.hpp>

#include "session/group/group_state.hpp"
#include "session/group/request_member.hpp"
#include "session/group/session_member.hpp"

#include <partyline/protocol/error.hpp>
#include <partyline/session/peer_wait.hpp>

#include <stdexcept>
#include <utility>

namespace partyline {
namespace {

/// A request in a group, until it is gone.
class request_place {
public:
    request_place(std::shared_ptr<group_state> of, std::shared_ptr<request_member> added)
        : of_(std::move(of)), added_(std::move(added))
    {
        if (!of_->insert(added_.get(), added_))
            throw rpc_error(error_codes::server_busy, "As many clients listen as may");
    }
    ~request_place() { of_->erase(added_.get()); }
    request_place(const request_place&) = delete;
    request_place& operator=(const request_place&) = delete;

    request_member& operator*() const noexcept { return *added_; }

private:
    const std::shared_ptr<group_state> of_;
    const std::shared_ptr<request_member> added_;
};

task<void> deliver_in(std::unique_ptr<request_place> own, request_context& context)
{
    const std::unique_ptr<request_place> place = std::move(own); // it leaves before any parameter goes
    const peer_wait takes_no_slot(context);
    task<void> all = (**place).deliver(context);
    co_await std::move(all);
}

} // namespace

session_group::session_group(session_group_options options) : state_(std::make_shared<group_state>(options)) {}

session_group::~session_group() = default;

bool session_group::add(std::shared_ptr<session_link> its)
{
    if (!its)
        throw std::invalid_argument("a null pointer is added to a session_group");
    const session_link* const key = its.get();
    return state_->insert(key, std::make_shared<session_member>(std::move(its), state_->facts()));
}

bool session_group::remove(const std::shared_ptr<session_link>& its) noexcept
{
    return state_->erase(its.get());
}

task<void> session_group::stream_to(request_context& context)
{
    if (context.id().empty())
        throw rpc_error(error_codes::invalid_request, "A notification cannot listen: nothing could cancel it");
    auto added = std::make_shared<request_member>(context.get_executor(), state_->facts());
    return deliver_in(std::make_unique<request_place>(state_, std::move(added)), context);
}

std::size_t session_group::broadcast(std::string method, const call_params& params,
                                     const std::shared_ptr<session_link>& except)
{
    if (method.empty())
        throw std::invalid_argument("a broadcast needs a method");
    return state_->send(make_broadcast(std::move(method), params), except.get());
}

std::vector<std::shared_ptr<session_link>> session_group::sessions() const
{
    return state_->sessions();
}

std::size_t session_group::size() const
{
    return state_->size();
}

std::uint64_t session_group::dropped() const noexcept
{
    return state_->facts()->dropped;
}

} // namespace partyline
