// The request for a subscription.
#include "rpc/subscriptions/subscription_kind.hpp"
#include "rpc/subscriptions/subscription_run.hpp"
#include "rpc/subscriptions/subscription_state.hpp"

#include <partyline/rpc/detail/subscriber.hpp>

#include <boost/json/object.hpp>

#include <memory>
#include <utility>

namespace json = boost::json;

namespace partyline::detail {
namespace {

/// Attached to the request, it goes when that has its answer. Where that is an error, as of middleware, there is no
/// subscription.
class begin_when_answered {
public:
    begin_when_answered(request_context& context, std::shared_ptr<subscription_state> of,
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
            of_->accept(std::move(serving_));
        else
            of_->end();
    }

private:
    request_context& context_;
    std::shared_ptr<subscription_state> of_;
    std::shared_ptr<subscription_run> serving_; // null for a plain function
};

[[noreturn]] void refuse(const char* why)
{
    throw rpc_error(error_codes::invalid_request, why);
}

void check(request_context& context)
{
    if (context.id().empty())
        refuse("A notification cannot subscribe: nobody would know the id");
    if (!context.link())
        refuse("A subscription needs a session: a WebSocket, a socket, or standard input and output");
    if (context.is_in_batch())
        refuse("A request in a batch cannot subscribe: send it by itself");
}

} // namespace

subscription_start::subscription_start(const std::shared_ptr<const subscription_kind>& kind, request_context& context)
    : context_(context)
{
    check(context);
    const std::shared_ptr<session_link> its = context.link();
    const empty_optionals empty = context.binding().empty.value_or(empty_optionals::left_out);
    if (const std::shared_ptr<session_subscriptions> all = kind->registry->of(its))
        state_ = all->open(kind, its, empty);
    if (!state_)
        throw rpc_error(error_codes::server_busy, "As many subscriptions are open as may be",
                        json::object{{"limit", kind->options.max_per_session}});
}

subscription_start::~subscription_start()
{
    if (!is_accepted_)
        state_->end();
}

void subscription_start::keep(task<void> serving)
{
    serving_ = std::make_shared<subscription_run>(context_.get_executor(), std::move(serving), state_->seat());
}

std::uint64_t subscription_start::accept()
{
    context_.attach(begin_when_answered(context_, state_, std::move(serving_)));
    is_accepted_ = true;
    return state_->id();
}

} // namespace partyline::detail
