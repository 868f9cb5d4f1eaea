// Those who wait for a subscription, and the end of its task.
#include "rpc/subscriptions/subscription_state.hpp"
#include "session/persistent_post.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/system/system_error.hpp>

#include <exception>
#include <iterator>
#include <utility>

namespace asio = boost::asio;

namespace partyline {
namespace {

bool is_abort(const std::exception_ptr& thrown) noexcept
try {
    std::rethrow_exception(thrown);
} catch (const boost::system::system_error& failed) {
    return failed.code() == asio::error::operation_aborted;
} catch (...) {
    return false;
}

} // namespace

// Listed while it waits. The event is used on its own executor alone.
class subscription_state::wait {
public:
    wait(std::shared_ptr<subscription_state> of, const asio::any_io_executor& home, bool is_for_room)
        : of_(std::move(of)), self_{home, std::make_shared<async_event>(home), is_for_room}
    {
        const std::lock_guard alone(of_->mutex_);
        of_->waiters_.push_back(&self_);
        place_ = std::prev(of_->waiters_.end());
    }
    wait(const wait&) = delete;
    wait& operator=(const wait&) = delete;
    ~wait()
    {
        const std::lock_guard alone(of_->mutex_);
        of_->waiters_.erase(place_);
    }

    async_event& event() const noexcept { return *self_.event; }

private:
    const std::shared_ptr<subscription_state> of_;
    waiter self_;
    std::list<waiter*>::iterator place_;
};

// Those who wait for the end are woken by that alone. Where there is no memory for it twice in a row, they wait for
// the next time.
void subscription_state::wake_waiters(bool is_room) noexcept
{
    const std::lock_guard alone(mutex_);
    for (waiter* const one : waiters_) {
        if (one->is_woken || (is_room && !one->is_for_room))
            continue;
        try {
            post_persistently(one->home, [event = one->event] { event->set(); });
            one->is_woken = true;
        } catch (...) {
        }
    }
}

task<bool> subscription_state::wait_for_room(std::shared_ptr<subscription_state> of)
{
    const asio::any_io_executor here = co_await asio::this_coro::executor;
    while (of->is_open()) {
        const wait listed(of, here, true); // before it looks: what is taken out from now on sets it
        if (of->is_empty())
            co_return true;
        co_await listed.event().async_wait();
    }
    co_return false;
}

task<bool> subscription_state::offer_when_room(std::shared_ptr<subscription_state> to, broadcast_ptr what)
{
    for (;;) {
        const sink_status now = to->offer(what);
        if (now != sink_status::full)
            co_return now == sink_status::sent;
        task<bool> room = wait_for_room(to);
        co_await std::move(room);
    }
}

task<void> subscription_state::wait_end(std::shared_ptr<subscription_state> of)
{
    const asio::any_io_executor here = co_await asio::this_coro::executor;
    const wait listed(of, here, false);
    if (of->is_open())
        co_await listed.event().async_wait();
}

// A task that is cancelled ends by what it has awaited, which is nothing to tell.
void subscription_state::on_ended(std::exception_ptr thrown) noexcept
{
    {
        const std::lock_guard alone(mutex_);
        running_.reset(); // there is nothing to cancel any more
    }
    try {
        if (thrown && !(is_over_ && is_abort(thrown)))
            tell_failure(std::move(thrown));
    } catch (...) { // no memory to tell it
    }
    finish();
}

} // namespace partyline
