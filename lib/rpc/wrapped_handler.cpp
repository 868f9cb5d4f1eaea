#include "rpc/wrapped_handler.hpp"

#include <stdexcept>
#include <utility>

namespace json = boost::json;

namespace partyline::detail {
namespace {

bool has_coroutines(const request_middleware_list& chain) noexcept
{
    for (std::size_t i = 0; i != chain.size(); ++i)
        if (chain[i].is_coroutine())
            return true;
    return false;
}

// Keeps what a plain handler writes.
class result_keeper final : public result_writer {
public:
    void write(const json::value& result) override { kept = result; }
    void write(json_view result) override { kept = json_text(result); }
    void write(const json_text& result) override { kept = result; }

    request_result kept;
};

void write_answer(request_result answer, result_writer& out)
{
    if (const json::value* const value = answer.if_value())
        out.write(*value);
    else
        out.write(*answer.if_text());
}

void deliver_answer(task_promise_base& ended, const request_context&, result_writer& out)
{
    write_answer(static_cast<task_promise<request_result>&>(ended).take(), out);
}

task<request_result> ready(request_result answer)
{
    co_return answer;
}

} // namespace

// What has awaited something hands its params on as text.
wrapped_handler::wrapped_handler(handler& target, const request_middleware_list& chain)
    : handler(has_coroutines(chain) ? kind::task : target.how(), target.takes_value() && !has_coroutines(chain)),
      target_(target), chain_(chain)
{
}

std::optional<request_result> wrapped_handler::ask_all(request_context& context, json_view params) const
{
    for (std::size_t i = 0; i != chain_.size(); ++i)
        if (std::optional<request_result> answer = chain_[i].before(context, params))
            return answer;
    return std::nullopt;
}

void wrapped_handler::call(request_context& context, json_view params, result_writer& out)
{
    if (std::optional<request_result> answer = ask_all(context, params))
        write_answer(std::move(*answer), out);
    else
        target_.call(context, params, out);
}

task_root wrapped_handler::start(request_context& context, json_view params)
{
    if (has_coroutines(chain_))
        return {run(context, std::string(params.text())), &deliver_answer};
    if (std::optional<request_result> answer = ask_all(context, params))
        return {ready(std::move(*answer)), &deliver_answer};
    return target_.start(context, params);
}

// Has the params in its frame: a middleware that has awaited something still hands them on.
task<request_result> wrapped_handler::run(request_context& context, std::string params) const
{
    co_return co_await proceed(context, json_view::checked(params), 0);
}

task<request_result> wrapped_handler::proceed(request_context& context, json_view params, std::size_t at) const
{
    for (; at != chain_.size(); ++at) {
        if (chain_[at].is_coroutine())
            return run_middleware(context, params, at);
        if (std::optional<request_result> answer = chain_[at].before(context, params))
            return ready(std::move(*answer));
    }
    return run_target(context, params);
}

task<request_result> wrapped_handler::run_middleware(request_context& context, json_view params, std::size_t at) const
{
    next_handler next(*this, context, params, at + 1);
    co_return co_await chain_[at].around(context, params, next);
}

task<request_result> wrapped_handler::run_target(request_context& context, json_view params) const
{
    if (target_.how() == kind::task)
        return run_task(context, target_.start(context, params));
    result_keeper out;
    target_.call(context, params, out);
    return ready(std::move(out.kept));
}

task<request_result> wrapped_handler::run_task(request_context& context, task_root target)
{
    co_await target;
    result_keeper out;
    target.deliver(context, out);
    co_return std::move(out.kept);
}

} // namespace partyline::detail
