#pragma once

#include "rpc/subscriptions/subscription_kind.hpp"
#include "rpc/subscriptions/subscription_state.hpp"

#include <partyline/session/request_context.hpp>

#include <cstdint>
#include <memory>
#include <utility>

namespace partyline {

/// The handler of the method that unsubscribes.
class unsubscriber {
public:
    explicit unsubscriber(std::shared_ptr<const subscription_kind> kind) noexcept : kind_(std::move(kind)) {}

    bool operator()(request_context& context, std::uint64_t id) const
    {
        attachments* const values = context.session_values();
        const kept_subscriptions* const all = values ? values->find<kept_subscriptions>() : nullptr;
        const std::shared_ptr<subscription_state> found = all ? (**all).take(id, *kind_) : nullptr;
        if (found)
            found->end();
        return found != nullptr;
    }

private:
    const std::shared_ptr<const subscription_kind> kind_;
};

} // namespace partyline
