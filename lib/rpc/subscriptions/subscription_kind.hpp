#pragma once

#include "rpc/subscriptions/session_subscriptions.hpp"
#include "session/group/group_member.hpp"

#include <partyline/rpc/subscription.hpp>

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>

namespace partyline {

/// What all subscriptions of a kind know.
struct subscription_kind {
    subscription_kind(subscription_names by, subscription_options how)
        : names(std::move(by)), options(std::move(how)),
          facts(std::make_shared<group_facts>(session_group_options{.queue_bytes = options.queue_bytes}))
    {
    }

    const subscription_names names;
    const subscription_options options;
    const std::shared_ptr<group_facts> facts;
    const subscription_slot::counter streams = std::make_shared<std::atomic<std::size_t>>(0); // by plain POST
};

} // namespace partyline
