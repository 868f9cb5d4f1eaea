#pragma once

#include "rpc/subscriptions/subscription_state.hpp"

#include <partyline/session/session_link.hpp>

#include <atomic>
#include <memory>

namespace partyline {

/// A subscription whose client has a session: its values are notifications of that.
///
/// Flow: it begins when the request has been answered with its id, and not at all where the answer is an error.
class notified_subscription final : public subscription_state {
public:
    notified_subscription(std::shared_ptr<const subscription_kind> of, std::uint64_t id, empty_optionals empty,
                          std::shared_ptr<const subscription_slot> slot, std::shared_ptr<session_subscriptions> session,
                          std::shared_ptr<session_link> to);

    bool is_open() const noexcept override { return subscription_state::is_open() && to_->is_open(); }
    std::shared_ptr<session_link> link() const noexcept override { return to_; }

    task<std::uint64_t> accept(request_context& context, std::shared_ptr<subscription_run> serving) override;
    /// The client has its answer.
    void on_answered(const std::shared_ptr<subscription_run>& serving) noexcept;
    void fail(const error_object& why) override;

private:
    bool wake() override;
    void on_empty(live_session& now) override;
    void on_unsent(error_code why) noexcept override;
    void on_over() noexcept override;
    void drop_last() noexcept override { last_.reset(); }
    void tell_failure(std::exception_ptr thrown) override;
    void begin(live_session& now, const std::shared_ptr<subscription_run>& serving) noexcept;
    std::shared_ptr<notified_subscription> shared_from_base()
    {
        return std::static_pointer_cast<notified_subscription>(shared_from_this());
    }

    const std::shared_ptr<session_subscriptions> session_;
    const std::shared_ptr<session_link> to_;
    std::atomic<bool> has_begun_ = false;
    broadcast_ptr last_; // under the mutex
};

} // namespace partyline
