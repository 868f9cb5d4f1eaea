#include "rpc/subscriptions/notified_subscription.hpp"

#include "session/persistent_post.hpp"
#include "session/requests/error_replies.hpp"

#include <partyline/protocol/errc.hpp>
#include <partyline/protocol/printable.hpp>
#include <partyline/session/request_context.hpp>

#include <boost/json/object.hpp>

#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

namespace json = boost::json;

namespace partyline {
namespace {

/// Attached to the request, it goes when that has its answer. Where that is an error, as of middleware, there is no
/// subscription.
class begin_when_answered {
public:
    begin_when_answered(request_context& context, std::shared_ptr<notified_subscription> of,
                        std::shared_ptr<subscription_run> serving) noexcept
        : context_(context), of_(std::move(of)), serving_(std::move(serving))
    {
    }
    begin_when_answered(begin_when_answered&&) noexcept = default;
    ~begin_when_answered()
    {
        if (!of_)
            return;
        if (context_.has_result())
            of_->on_answered(serving_);
        else
            of_->end();
    }

private:
    request_context& context_;
    std::shared_ptr<notified_subscription> of_;
    std::shared_ptr<subscription_run> serving_; // null for a plain function
};

task<std::uint64_t> answer(std::uint64_t id)
{
    co_return id;
}

json::value error_value(const error_object& of)
{
    json::object error;
    error["code"] = of.code;
    error["message"] = of.message;
    if (of.data)
        error["data"] = *of.data;
    return error;
}

} // namespace

notified_subscription::notified_subscription(std::shared_ptr<const subscription_kind> of, std::uint64_t id,
                                             empty_optionals empty, std::shared_ptr<const subscription_slot> slot,
                                             std::shared_ptr<session_subscriptions> session,
                                             std::shared_ptr<session_link> to)
    : subscription_state(std::move(of), id, empty, std::move(slot)), session_(std::move(session)), to_(std::move(to))
{
}

task<std::uint64_t> notified_subscription::accept(request_context& context, std::shared_ptr<subscription_run> serving)
{
    task<std::uint64_t> answered = answer(id());
    context.attach(begin_when_answered(context, shared_from_base(), std::move(serving)));
    return answered;
}

// The answer with the id is on its way: what is posted now comes after it. (The task goes with what is posted.)
void notified_subscription::on_answered(const std::shared_ptr<subscription_run>& serving) noexcept
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

void notified_subscription::begin(live_session& now, const std::shared_ptr<subscription_run>& serving) noexcept
{
    start_task(serving);
    has_begun_ = true;
    try {
        deliver(now);
    } catch (...) {
        to_->log("no memory to begin a subscription: it ends");
        end();
    }
}

// Called under the lock of the queue. Before it begins, what is queued waits for that. (Twice for the memory of the
// function; the post itself is repeated within.)
bool notified_subscription::wake()
{
    if (!has_begun_)
        return true;
    bool is_posted = false;
    try_twice([&] { is_posted = to_->post([self = shared_from_base()](live_session& now) { self->deliver(now); }); });
    return is_posted;
}

void notified_subscription::on_empty(live_session& now)
{
    if (!try_finish())
        return;
    broadcast_ptr last;
    {
        const std::lock_guard alone(mutex());
        last = std::move(last_);
    }
    if (last)
        pass_on(*last, now, false);
}

// What is missing where a session has no room is not to be missed silently.
void notified_subscription::on_unsent(error_code why) noexcept
{
    const bool is_full = why == errc::too_many_calls;
    if (!is_full && why != errc::message_too_large && why != errc::bad_params)
        return; // the session ends, and this with it
    try {
        to_->log("a notification of subscription " + std::to_string(id()) + " was not sent: " + why.message());
    } catch (...) { // no memory to tell it
    }
    if (is_full)
        end();
}

void notified_subscription::on_over() noexcept
{
    session_->forget(id());
}

void notified_subscription::fail(const error_object& why)
{
    broadcast_ptr last = write("error", error_value(why));
    finish_by([&]() noexcept { last_ = std::move(last); });
}

void notified_subscription::tell_failure(std::exception_ptr thrown)
{
    const handler_failure what = describe_exception(std::move(thrown), cancel_cause::none, to_->exposes_errors());
    const std::string by = "the handler of a subscription by \"" + printable(kind().names.subscribe) + "\" ";
    if (!what.log.empty())
        to_->log(by + what.log);
    try {
        fail(what.error);
    } catch (const std::invalid_argument& failed) {
        to_->log(by + "threw an error that " + failed.what());
        fail(plain_internal_error());
    }
}

} // namespace partyline
