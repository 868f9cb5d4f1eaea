#include <partyline/mcp/detail/call_handler.hpp>

#include "mcp/server/calls/served_call.hpp"
#include "protocol/json/scratch_buffer.hpp"

#include <stdexcept>
#include <utility>

namespace partyline::mcp::detail {
namespace {

// Runs the handler's own task, and makes the answer of what becomes of it. The task is a local, since that is gone
// before any parameter is, and what it holds may use the call up to then.
task<json_text> serve(std::unique_ptr<served_call> call, partyline::detail::task_root begun, std::exception_ptr failed)
{
    partyline::detail::task_root work = std::move(begun);
    try {
        if (!failed)
            co_await work;
    } catch (...) {
        failed = std::current_exception();
    }
    scratch_buffer answer; // not before: others write while the task waits
    call_output out(*call, answer.get());
    try {
        if (!failed)
            work.deliver(call->rpc(), out);
    } catch (...) {
        failed = std::current_exception();
    }
    work.reset(); // what it holds goes before the answer
    call->finish(out, failed);
    co_return json_text(json_view::checked(answer.get().view()));
}

void deliver_text(partyline::detail::task_promise_base& ended, const request_context&, result_writer& out)
{
    out.write(static_cast<partyline::detail::task_promise<json_text>&>(ended).take());
}

} // namespace

void call_handler::call(request_context& rpc, json_view params, result_writer& out)
{
    served_call call(rpc, *of_);
    scratch_buffer answer;
    call_output made(call, answer.get());
    std::exception_ptr failed;
    try {
        constexpr bool may_ask = false;
        invoke(call.context(), call.open(params, may_ask), made);
    } catch (...) {
        failed = std::current_exception();
    }
    call.finish(made, failed);
    out.write(json_view::checked(answer.get().view()));
}

partyline::detail::task_root call_handler::start(request_context& rpc, json_view params)
{
    auto call = std::make_unique<served_call>(rpc, *of_);
    partyline::detail::task_root work;
    std::exception_ptr failed;
    try {
        constexpr bool may_ask = true;
        const json_view arguments = call->open(params, may_ask);
        work = begin(call->context(), arguments);
        call->note_begun();
    } catch (...) {
        failed = std::current_exception();
    }
    return {serve(std::move(call), std::move(work), std::move(failed)), &deliver_text};
}

void call_handler::note_begun(context& c) noexcept
{
    c.call().note_begun();
}

void call_handler::invoke(context&, json_view, call_output&)
{
    throw std::logic_error("this handler is a coroutine");
}

partyline::detail::task_root call_handler::begin(context&, json_view)
{
    throw std::logic_error("this handler is no coroutine");
}

} // namespace partyline::mcp::detail
