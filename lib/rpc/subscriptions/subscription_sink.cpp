#include "rpc/subscriptions/subscription_state.hpp"

#include <partyline/rpc/subscription.hpp>

namespace partyline {

std::uint64_t subscription_sink::id() const noexcept
{
    return state_->id();
}

bool subscription_sink::is_open() const noexcept
{
    return state_->is_open();
}

std::shared_ptr<session_link> subscription_sink::link() const noexcept
{
    return state_->link();
}

sink_status subscription_sink::try_send(const boost::json::value& value) const
{
    if (!is_open())
        return sink_status::closed;
    return state_->offer(state_->write("result", value));
}

task<bool> subscription_sink::send(const boost::json::value& value) const
{
    return subscription_state::offer_when_room(state_, state_->write("result", value));
}

task<bool> subscription_sink::wait_for_room() const
{
    return subscription_state::wait_for_room(state_);
}

task<void> subscription_sink::closed() const
{
    return subscription_state::wait_end(state_);
}

void subscription_sink::close() const noexcept
{
    state_->finish();
}

void subscription_sink::fail(const error_object& why) const
{
    state_->fail(why);
}

empty_optionals subscription_sink::empty_policy() const noexcept
{
    return state_->empty_policy();
}

} // namespace partyline
