// The request for a subscription.
#include "rpc/subscriptions/streamed_subscription.hpp"
#include "rpc/subscriptions/subscription_kind.hpp"
#include "rpc/subscriptions/subscription_run.hpp"

#include <partyline/rpc/detail/subscriber.hpp>

#include <boost/json/object.hpp>

#include <memory>
#include <utility>

namespace json = boost::json;

namespace partyline::detail {
namespace {

[[noreturn]] void refuse(const char* why)
{
    throw rpc_error(error_codes::invalid_request, why);
}

void check(request_context& context)
{
    if (context.id().empty())
        refuse("A notification cannot subscribe: nobody would know the id");
    if (context.is_in_batch())
        refuse("A request in a batch cannot subscribe: send it by itself");
}

session_subscriptions& subscriptions_in(attachments& session)
{
    if (const kept_subscriptions* const known = session.find<kept_subscriptions>())
        return **known;
    return *session.attach(kept_subscriptions(std::make_shared<session_subscriptions>()));
}

std::shared_ptr<subscription_state> open(const std::shared_ptr<const subscription_kind>& kind, request_context& context,
                                         empty_optionals empty)
{
    attachments* const session = context.session_values();
    if (const std::shared_ptr<session_link> link = context.link(); link && session)
        return link->is_open() ? subscriptions_in(*session).open(kind, link, empty) : nullptr;
    auto slot = std::make_shared<const subscription_slot>(kind->streams); // counted first: there may be several threads
    if (*kind->streams > kind->options.max_streams)
        return nullptr;
    return std::make_shared<streamed_subscription>(kind, 1, empty, std::move(slot));
}

} // namespace

subscription_start::subscription_start(const std::shared_ptr<const subscription_kind>& kind, request_context& context)
    : context_(context)
{
    check(context);
    state_ = open(kind, context, context.binding().empty.value_or(empty_optionals::left_out));
    if (!state_) {
        const subscription_options& how = kind->options;
        const bool is_by_session = context.link() != nullptr;
        throw rpc_error(error_codes::server_busy, "As many subscriptions are open as may be",
                        json::object{{"limit", is_by_session ? "max_per_session" : "max_streams"},
                                     {"value", is_by_session ? how.max_per_session : how.max_streams}});
    }
}

subscription_start::~subscription_start()
{
    if (!is_accepted_)
        state_->end();
}

void subscription_start::keep(task<void> serving)
{
    serving_ = std::make_shared<subscription_run>(context_.get_executor(), std::move(serving), state_->slot());
}

task<std::uint64_t> subscription_start::accept()
{
    task<std::uint64_t> answered = state_->accept(context_, std::move(serving_));
    is_accepted_ = true;
    return answered;
}

} // namespace partyline::detail
