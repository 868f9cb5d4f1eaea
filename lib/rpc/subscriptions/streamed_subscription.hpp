#pragma once

#include "rpc/subscriptions/subscription_state.hpp"

#include <partyline/async/async_event.hpp>

#include <exception>
#include <memory>
#include <mutex>

namespace partyline {

/// A subscription whose client has no session, by a plain POST: its values are notifications of the request, which is
/// answered at the end.
class streamed_subscription final : public subscription_state {
public:
    using subscription_state::subscription_state;

    task<std::uint64_t> accept(request_context& context, std::shared_ptr<subscription_run> serving) override;
    void fail(const error_object& why) override;

private:
    class serving_scope;
    static task<std::uint64_t> stream(std::unique_ptr<serving_scope> own, request_context& context,
                                      std::shared_ptr<subscription_run> serving);
    bool wake() override;
    // Also where its task was lost, or there was no memory to wake it: the request is answered.
    void on_over() noexcept override { wake_again(); }
    void tell_failure(std::exception_ptr thrown) override;

    std::exception_ptr failure() noexcept;

    std::exception_ptr failure_;             // under the mutex of the state
    std::mutex events_mutex_;                // of what follows
    std::shared_ptr<async_event> is_queued_; // while the request is served; used on its executor
};

} // namespace partyline
