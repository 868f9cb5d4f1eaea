#include "rpc/subscriptions/subscription_state.hpp"

#include "rpc/subscriptions/subscription_run.hpp"
#include "session/persistent_post.hpp"

#include <partyline/protocol/errc.hpp>
#include <partyline/session/session_link.hpp>

#include <boost/json/object.hpp>

#include <exception>
#include <string>
#include <utility>

namespace json = boost::json;

namespace partyline {

subscription_state::subscription_state(std::shared_ptr<const subscription_kind> of,
                                       std::shared_ptr<session_subscriptions> place, std::shared_ptr<session_link> to,
                                       std::uint64_t id, empty_optionals empty,
                                       std::shared_ptr<const subscription_seat> seat)
    : notified_member(of->facts), kind_(std::move(of)), place_(std::move(place)), to_(std::move(to)), id_(id),
      empty_(empty), seat_(std::move(seat))
{
}

std::shared_ptr<const subscription_seat> subscription_state::seat() noexcept
{
    const std::lock_guard alone(mutex_);
    return seat_;
}

broadcast_ptr subscription_state::write(const char* member, const json::value& value) const
{
    json::object params;
    params.reserve(2);
    params["subscription"] = id_;
    params[member] = value;
    return make_broadcast(kind_->names.notification, std::move(params));
}

sink_status subscription_state::offer(const broadcast_ptr& what)
{
    const std::lock_guard alone(mutex_); // its end comes before this, or after it
    if (!is_open())
        return sink_status::closed;
    return send(what) ? sink_status::sent : sink_status::full;
}

// Called under the lock of the queue. Before it begins, what is queued waits for that.
bool subscription_state::wake()
{
    if (!has_begun_)
        return true;
    bool is_posted = false;
    try_twice([&] { is_posted = to_->post([self = shared_from_base()](live_session& now) { self->deliver(now); }); });
    return is_posted;
}

// The answer with the id is on its way: what is posted now comes after it. (The task goes with what is posted.)
void subscription_state::accept(std::shared_ptr<subscription_run> serving) noexcept
{
    try {
        bool is_posted = false;
        try_twice([&] {
            is_posted =
                to_->post([self = shared_from_base(), serving](live_session& now) { self->begin(now, serving); });
        });
        if (!is_posted)
            end();
    } catch (...) {
        to_->log("no memory to begin a subscription: it ends");
        end();
    }
}

void subscription_state::begin(live_session& now, const std::shared_ptr<subscription_run>& serving) noexcept
{
    start_task(serving);
    has_begun_ = true;
    try {
        deliver(now);
    } catch (...) {
        end();
    }
}

void subscription_state::start_task(const std::shared_ptr<subscription_run>& serving) noexcept
{
    if (!serving)
        return;
    try {
        const std::lock_guard alone(mutex_); // a cancel comes after the start
        if (is_over_)
            return;
        serving->launch(shared_from_base());
        running_ = serving;
        return;
    } catch (...) { // and told without the lock
    }
    on_ended(std::make_exception_ptr(rpc_error(error_codes::server_busy, "Server busy")));
}

void subscription_state::cancel_task() noexcept
{
    std::shared_ptr<subscription_run> serving; // goes after the lock: its end may come here, too
    const std::lock_guard alone(mutex_);
    serving = running_.lock();
    if (serving)
        serving->cancel();
}

void subscription_state::on_empty(live_session& now)
{
    broadcast_ptr last;
    {
        const std::lock_guard alone(mutex_);
        if (!is_over_)
            return;
        last = std::move(last_);
        seat_.reset();
    }
    if (last)
        pass_on(*last, now, false);
}

// What is missing where a session has no room is not to be missed silently.
void subscription_state::on_unsent(error_code why) noexcept
{
    if (why == errc::session_closed || !to_->is_open())
        return;
    try {
        to_->log("a notification of subscription " + std::to_string(id_) + " was not sent: " + why.message());
    } catch (...) { // no memory to tell it
    }
    if (why == errc::too_many_calls)
        end();
}

// True where it has not been over yet.
bool subscription_state::take_over(broadcast_ptr last) noexcept
{
    const std::lock_guard alone(mutex_);
    if (is_over_)
        return false;
    is_over_ = true;
    last_ = std::move(last);
    return true;
}

void subscription_state::finish(broadcast_ptr last) noexcept
{
    if (!take_over(std::move(last)))
        return;
    cancel_task();
    wake_waiters(false);
    wake_again();
    place_->forget(id_);
}

void subscription_state::end() noexcept
{
    {
        const std::lock_guard alone(mutex_);
        is_over_ = true;
        last_.reset();
        seat_.reset();
    }
    clear();
    cancel_task();
    wake_waiters(false);
    place_->forget(id_);
}

} // namespace partyline
