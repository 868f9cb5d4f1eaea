#include "fleet/front/forwarding.hpp"

#include "fleet/front/refusal.hpp"
#include "fleet/front/reply_way.hpp"

#include <partyline/rpc/method_table.hpp>
#include <partyline/session/task.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/system/system_error.hpp>

#include <utility>

namespace asio = boost::asio;

namespace partyline::fleet {
namespace {

/// A call whose client waits for it: it is cancelled where that does not wait any more.
class waited_call {
public:
    explicit waited_call(std::shared_ptr<reply_way> way) noexcept : way_(std::move(way)) {}
    ~waited_call()
    {
        if (!way_->has_ended())
            way_->cancel().emit(asio::cancellation_type::all);
    }
    waited_call(const waited_call&) = delete;
    waited_call& operator=(const waited_call&) = delete;

private:
    const std::shared_ptr<reply_way> way_;
};

response closed()
{
    call_settled how;
    how.outcome = front_outcome::closed;
    return refusal_of(how);
}

error_object too_slow()
{
    error_object error;
    error.code = error_codes::internal_error;
    error.message = "The client reads what it is told too slowly";
    return error;
}

void launch(front_service& by, fleet_call call, const std::shared_ptr<reply_way>& way)
{
    call.on_notification = [way](std::string method, json_text told) {
        asio::post(way->executor(), [way, one = reply_way::notification{std::move(method), std::move(told)}]() mutable {
            way->put(std::move(one));
        });
    };
    auto done = asio::bind_cancellation_slot(
        way->cancel().slot(), asio::bind_executor(way->executor(), [way](error_code failed, response reply) {
            way->end(failed, std::move(reply));
        }));
    by.start_call(std::move(call), call_completion::handler(std::move(done)));
}

task<json_text> forward_request(std::weak_ptr<front_service> to, request_context& context, json_text params)
{
    fleet_call call = call_of(context, std::move(params));
    const notification_filter all;
    response reply = co_await forward(std::move(to), context, std::move(call), all);
    if (const error_object* const told = reply.error())
        throw rpc_error(*told);
    co_return std::move(reply).value();
}

} // namespace

fleet_call call_of(request_context& context, json_text params)
{
    fleet_call made;
    made.method = context.method();
    made.params = std::move(params);
    made.id = context.id().text();
    if (!context.peer().principal.empty())
        made.peer = std::make_shared<const peer_identity>(context.peer());
    if (context.has_trace())
        made.traceparent = context.trace().traceparent();
    return made;
}

task<response> forward(std::weak_ptr<front_service> to, request_context& context, fleet_call call,
                       notification_filter passes)
{
    const std::shared_ptr<front_service> by = to.lock();
    if (!by)
        co_return closed();
    const auto way = std::make_shared<reply_way>(context.get_executor(), by->options().max_unread_bytes);
    const waited_call waited(way);
    launch(*by, std::move(call), way);
    do {
        co_await way->changed().async_wait();
        way->changed().reset();
        while (std::optional<reply_way::notification> next = way->take()) {
            if (!passes || passes(next->method, next->params))
                co_await context.notify(std::move(next->method), call_params(std::move(next->params)));
        }
        if (way->is_overfull())
            co_return too_slow();
    } while (!way->has_ended());
    if (way->failed())
        throw boost::system::system_error(way->failed());
    co_return std::move(way->reply());
}

std::shared_ptr<const dispatcher> make_forwarding(std::weak_ptr<front_service> by)
{
    method_table made;
    method_options how;
    how.on_cancel = cancelled_task::dropped;
    made.set_fallback(
        [by = std::move(by)](request_context& context, json_text params) {
            return forward_request(by, context, std::move(params));
        },
        how);
    return std::make_shared<const method_table>(std::move(made));
}

} // namespace partyline::fleet
