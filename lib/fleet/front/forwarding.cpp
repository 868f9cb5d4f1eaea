#include "fleet/front/forwarding.hpp"

#include "fleet/front/front_message.hpp"
#include "fleet/front/pending_reply.hpp"
#include "fleet/front/refusal.hpp"

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
    explicit waited_call(std::shared_ptr<pending_reply> pending) noexcept : pending_(std::move(pending)) {}
    ~waited_call()
    {
        if (!pending_->has_ended())
            pending_->cancel().emit(asio::cancellation_type::all);
    }
    waited_call(const waited_call&) = delete;
    waited_call& operator=(const waited_call&) = delete;

private:
    const std::shared_ptr<pending_reply> pending_;
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

void launch(front_service& by, fleet_call call, const std::shared_ptr<pending_reply>& pending)
{
    call.on_notification = [pending](std::string method, json_text told) {
        asio::post(pending->executor(),
                   [pending, one = pending_reply::notification{std::move(method), std::move(told)}]() mutable {
                       pending->put(std::move(one));
                   });
    };
    auto done = asio::bind_cancellation_slot(
        pending->cancel().slot(),
        asio::bind_executor(pending->executor(),
                            [pending](error_code failed, response reply) { pending->end(failed, std::move(reply)); }));
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
    made.client = client_of(context.peer());
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
    const auto pending = std::make_shared<pending_reply>(context.get_executor(), by->options().max_unread_bytes);
    const waited_call waited(pending);
    launch(*by, std::move(call), pending);
    do {
        co_await pending->changed().async_wait();
        pending->changed().reset();
        while (std::optional<pending_reply::notification> next = pending->take()) {
            if (!passes || passes(next->method, next->params))
                co_await context.notify(std::move(next->method), call_params(std::move(next->params)));
        }
        if (pending->is_overfull())
            co_return too_slow();
    } while (!pending->has_ended());
    if (pending->failed())
        throw boost::system::system_error(pending->failed());
    co_return std::move(pending->reply());
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
