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
                                       std::uint64_t id, empty_optionals empty)
    : group_member(of->facts), kind_(std::move(of)), place_(std::move(place)), to_(std::move(to)), id_(id),
      empty_(empty)
{
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
    if (is_over_)
        return sink_status::closed;
    return send(what) ? sink_status::sent : sink_status::full;
}

// Called under the lock of the queue. Before it begins, what is queued waits for that.
bool subscription_state::wake()
{
    if (!has_begun_)
        return true;
    return to_->post([self = shared_from_base()](live_session& now) { self->deliver(now); });
}

// The answer with the id is on its way: what is posted now comes after it.
void subscription_state::accept() noexcept
{
    try {
        bool is_posted = false;
        try_twice([&] { is_posted = to_->post([self = shared_from_base()](live_session& now) { self->begin(now); }); });
        if (!is_posted)
            end();
    } catch (...) {
        to_->log("no memory to begin a subscription: it ends");
        end();
    }
}

void subscription_state::begin(live_session& now) noexcept
{
    start_task();
    has_begun_ = true;
    try {
        deliver(now);
    } catch (...) {
        end();
    }
}

void subscription_state::start_task() noexcept
{
    const std::shared_ptr<subscription_run> serving = std::move(pending_);
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
    on_thrown(std::make_exception_ptr(rpc_error(error_codes::server_busy, "Server busy")));
}

void subscription_state::cancel_task() noexcept
{
    std::shared_ptr<subscription_run> serving; // goes after the lock: its end may come here, too
    const std::lock_guard alone(mutex_);
    serving = running_.lock();
    if (serving)
        serving->cancel();
}

// Where there is no room, the session keeps one notification until there is; the others stay in the queue meanwhile.
void subscription_state::deliver(live_session& now)
{
    while (!is_dropped_) {
        const broadcast_ptr next = front();
        if (!next)
            break;
        const bool has_room = now.has_room();
        pop();
        wake_waiters(true);
        pass_on(*next, now, !has_room);
        if (!has_room)
            return;
    }
    broadcast_ptr last;
    {
        const std::lock_guard alone(mutex_);
        last = std::move(last_);
    }
    if (last && !is_dropped_.exchange(true))
        pass_on(*last, now, false);
    if (is_dropped_)
        clear();
}

void subscription_state::pass_on(const broadcast_text& what, live_session& now, bool goes_on_then)
{
    now.notify(what.method,
               what.params())([self = shared_from_base(), goes_on_then](error_code failed, const call_result<void>&) {
        if (failed)
            self->note_unsent(failed);
        if (goes_on_then)
            self->wake_again();
    });
}

void subscription_state::note_unsent(error_code why) const noexcept
{
    if (why == errc::session_closed || !to_->is_open())
        return;
    try {
        to_->log("a notification of subscription " + std::to_string(id_) + " was not sent: " + why.message());
    } catch (...) { // no memory to tell it
    }
}

void subscription_state::finish(broadcast_ptr last) noexcept
{
    {
        const std::lock_guard alone(mutex_);
        if (is_over_.exchange(true))
            return;
        last_ = std::move(last);
    }
    cancel_task();
    wake_waiters(false);
    wake_again();
    place_->forget(id_);
}

void subscription_state::end() noexcept
{
    is_over_ = true;
    is_dropped_ = true;
    clear();
    cancel_task();
    wake_waiters(false);
    place_->forget(id_);
}

} // namespace partyline
