#include "rpc/subscriptions/streamed_subscription.hpp"

#include "session/persistent_post.hpp"

#include <partyline/protocol/error.hpp>
#include <partyline/session/peer_wait.hpp>
#include <partyline/session/request_context.hpp>

#include <utility>

namespace partyline {

/// The time in which the request is served. The sinks may outlive its executor.
class streamed_subscription::serving_scope {
public:
    serving_scope(std::shared_ptr<streamed_subscription> of, const boost::asio::any_io_executor& where)
        : of_(std::move(of)), is_queued_(std::make_shared<async_event>(where))
    {
        const std::lock_guard alone(of_->events_mutex_);
        of_->is_queued_ = is_queued_;
    }
    serving_scope(const serving_scope&) = delete;
    serving_scope& operator=(const serving_scope&) = delete;
    ~serving_scope()
    {
        {
            const std::lock_guard alone(of_->events_mutex_);
            of_->is_queued_.reset(); // nothing wakes it any more
        }
        of_->end();
    }

    streamed_subscription& operator*() const noexcept { return *of_; }
    async_event& is_queued() const noexcept { return *is_queued_; }

private:
    const std::shared_ptr<streamed_subscription> of_;
    const std::shared_ptr<async_event> is_queued_;
};

task<std::uint64_t> streamed_subscription::accept(request_context& context, std::shared_ptr<subscription_run> serving)
{
    auto self = std::static_pointer_cast<streamed_subscription>(shared_from_this());
    return stream(std::make_unique<serving_scope>(std::move(self), context.get_executor()), context,
                  std::move(serving));
}

task<std::uint64_t> streamed_subscription::stream(std::unique_ptr<serving_scope> own, request_context& context,
                                                  std::shared_ptr<subscription_run> serving)
{
    const std::unique_ptr<serving_scope> in = std::move(own); // it ends before any parameter goes
    const peer_wait takes_no_slot(context);
    (**in).start_task(std::exchange(serving, nullptr));
    task<void> all = (**in).deliver_within(context, in->is_queued());
    co_await std::move(all);
    if (const std::exception_ptr failure = (**in).failure())
        std::rethrow_exception(failure);
    co_return (**in).id();
}

std::exception_ptr streamed_subscription::failure() noexcept
{
    const std::lock_guard alone(mutex());
    return std::move(failure_);
}

// Called under the lock of the queue. Before the request is served, what is queued waits for that.
bool streamed_subscription::wake()
{
    const std::lock_guard alone(events_mutex_);
    if (is_queued_)
        post_persistently(is_queued_->get_executor(), [event = is_queued_] { event->set(); });
    return true;
}

void streamed_subscription::fail(const error_object& why)
{
    tell_failure(std::make_exception_ptr(rpc_error(why)));
}

// The answer of the request tells it.
void streamed_subscription::tell_failure(std::exception_ptr thrown)
{
    finish_by([&]() noexcept { failure_ = std::move(thrown); });
}

} // namespace partyline
