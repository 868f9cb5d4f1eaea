#include "testing/fake_request.hpp"

#include "session/calls/posted_completion.hpp"
#include "testing/recorder.hpp"

#include <partyline/protocol/byte_buffer.hpp>
#include <partyline/protocol/exception_text.hpp>
#include <partyline/protocol/limits.hpp>
#include <partyline/protocol/writer.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

#include <utility>

namespace asio = boost::asio;
namespace json = boost::json;

namespace partyline::test::detail {
namespace {

task<void> run_handler(task<void> handler, std::shared_ptr<handler_run> run)
{
    run->has_started = true;
    co_await std::move(handler);
}

// Nothing for what can't be sent.
std::optional<json::value> read(const std::string& method, const call_params& params)
{
    std::string text;
    if (method.empty() || params.append_to(text, limits().depth))
        return std::nullopt;
    return value_or_text(json_view::checked(text));
}

response failure(errc why, std::string details = {})
{
    return response::failure{why, std::move(details)};
}

response write_answer(const json::value& result)
{
    byte_buffer text;
    if (const auto problem = write_value(text, result, limits().depth))
        return failure(errc::bad_reply, "the answer has no JSON text: " + problem->reason);
    return json_text(std::string(text.view()));
}

} // namespace

void fake_request::spawn(task<void> handler, const std::shared_ptr<handler_run>& run)
{
    run->owner = weak_from_this();
    std::erase_if(runs_, [](const std::weak_ptr<handler_run>& old) { return old.expired(); });
    runs_.push_back(run);
    const auto done = [run](std::exception_ptr thrown) {
        run->thrown = std::move(thrown);
        run->is_done = true;
    };
    co_spawn(loop.context().get_executor(), run_handler(std::move(handler), run),
             asio::bind_cancellation_slot(run->cancel.slot(), done));
}

void fake_request::post_cancel()
{
    asio::post(loop.context(), [late = weak_from_this()] {
        if (const auto request = late.lock())
            request->emit_cancel();
    });
}

void fake_request::emit_cancel()
{
    const auto runs = runs_; // a handler that ends may start another one
    for (const std::weak_ptr<handler_run>& late : runs) {
        const auto run = late.lock();
        if (run && run->has_started && !run->is_done)
            run->cancel.emit(asio::cancellation_type::all);
    }
}

// Nothing where it is never answered.
std::optional<response> fake_request::answer(const std::string& name, const call_params& params)
{
    const std::optional<json::value> given = read(name, params);
    if (!given)
        return failure(errc::bad_params);
    calls.push_back({name, *given});
    const auto found = answers.find(name);
    if (found == answers.end())
        return failure(errc::session_closed, "the fake context has no on_call(\"" + name + "\")");
    if (!found->second)
        return std::nullopt;
    try {
        return write_answer(found->second(*given));
    } catch (const rpc_error& error) {
        return response(error.error());
    } catch (const std::exception& problem) {
        return failure(errc::bad_reply, "on_call(\"" + name + "\") threw: " + exception_text(problem));
    }
}

// `unanswered`: the method that leaves it waiting until it is cancelled; empty when all is answered.
template <class Handler, class Reply>
void fake_request::complete(const std::string& unanswered, Handler done, error_code failed, Reply reply)
{
    using told = completion<error_code, Reply>;
    const auto call = std::make_shared<told>(std::move(done), loop.context().get_executor());
    if (unanswered.empty())
        return (*call)(call, failed, std::move(reply));
    const auto place = unanswered_.insert(unanswered_.end(), {unanswered, call});
    call->on_cancel([this, place, reply] {
        const auto waiting = std::static_pointer_cast<told>(place->completion);
        unanswered_.erase(place);
        (*waiting)(waiting, asio::error::operation_aborted, reply);
    });
}

void fake_request::ask(const std::string& name, const call_params& params, call_handler done)
{
    const std::optional<response> reply = answer(name, params);
    const response aborted = response::failure{asio::error::operation_aborted, {}};
    complete(reply ? "" : name, std::move(done), reply ? reply->code() : error_code(), reply.value_or(aborted));
}

void fake_request::ask(const call_batch& batch, batch_handler done)
{
    std::vector<response> replies;
    std::string unanswered;
    error_code failed; // of the first that did
    for (const call_batch::element& element : batch.elements()) {
        if (!element.is_call) {
            record_notification(element.method, element.params);
            continue;
        }
        const std::optional<response> reply = answer(element.method, element.params);
        if (!reply)
            unanswered = element.method;
        replies.push_back(reply.value_or(response::failure{asio::error::operation_aborted, {}}));
        if (!failed)
            failed = replies.back().code();
    }
    complete(unanswered, std::move(done), failed, std::move(replies));
}

error_code fake_request::record_notification(const std::string& name, const call_params& params)
{
    std::optional<json::value> given = read(name, params);
    if (!given)
        return errc::bad_params;
    notifications.push_back({name, std::move(*given)});
    return {};
}

std::string fake_request::unanswered_text() const
{
    std::string text;
    for (const unanswered_call& call : unanswered_)
        text.append(text.empty() ? "; never answered: \"" : ", \"").append(call.method).append("\"");
    return text;
}

} // namespace partyline::test::detail
