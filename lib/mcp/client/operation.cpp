#include "mcp/answers/failed_call.hpp"
#include "mcp/client/client_core.hpp"
#include "session/calls/posted_completion.hpp"

#include <partyline/mcp/detail/client_operation.hpp>
#include <partyline/session/detail/spawned_task.hpp>

#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/dispatch.hpp>

#include <exception>
#include <memory>
#include <type_traits>
#include <utility>
#include <variant>

namespace asio = boost::asio;

namespace partyline::mcp::detail {
namespace {

using partyline::detail::spawned_task;
using partyline::detail::task_access;
using partyline::detail::task_promise;

void cancel_at_home(const std::weak_ptr<spawned_task>& of)
{
    if (const auto self = of.lock())
        asio::dispatch(self->task_home(), [self] { self->cancel(asio::cancellation_type::all); });
}

/// An operation under way: its task, and whoever is told what that came to.
template <class T, class... Result>
class operation : public spawned_task {
public:
    operation(task<T> work, asio::any_completion_handler<void(Result...)> told, const asio::any_io_executor& home)
        : spawned_task(home), work_(std::move(work)), done_(std::move(told), home)
    {
    }

    void begin()
    {
        done_.on_cancel([of = weak_from_this()] { cancel_at_home(of); });
        launch();
    }

protected:
    ~operation() = default;

    void tell(Result... results) { done_(shared_from_this(), std::move(results)...); }

private:
    virtual void tell_outcome(task_promise<T>& ended) = 0;

    coroutine first() const noexcept override { return {*task_access::promise(work_), task_access::frame(work_)}; }

    void complete() override
    {
        done_.forget_cancel();
        const task<T> ended = std::move(work_); // and whoever is told sees that its arguments are gone
        tell_outcome(*task_access::promise(ended));
    }

    task<T> work_;
    completion<Result...> done_;
};

/// One that is told an error code.
template <class T>
class result_operation final : public operation<T, error_code, call_result<T>> {
    using operation<T, error_code, call_result<T>>::operation;

    void tell_outcome(task_promise<T>& ended) override
    {
        call_result<T> outcome = outcome_of(ended);
        const error_code failed = outcome.code();
        this->tell(failed, std::move(outcome));
    }

    static call_result<T> outcome_of(task_promise<T>& ended)
    {
        if (ended.error)
            return result_of<T>(ended.error);
        if constexpr (std::is_void_v<T>)
            return std::monostate();
        else
            return std::move(*ended.result);
    }
};

/// One that is told an exception.
template <class T>
class throwing_operation final : public operation<T, std::exception_ptr, T> {
    using operation<T, std::exception_ptr, T>::operation;

    void tell_outcome(task_promise<T>& ended) override
    {
        this->tell(ended.error, ended.error ? T() : std::move(*ended.result));
    }
};

template <>
class throwing_operation<void> final : public operation<void, std::exception_ptr> {
    using operation<void, std::exception_ptr>::operation;

    void tell_outcome(task_promise<void>& ended) override { tell(ended.error); }
};

} // namespace

template <class T>
void start_operation(std::shared_ptr<client_core> core, task<T> work, operation_handler<T> done)
{
    std::make_shared<result_operation<T>>(std::move(work), std::move(done), core->get_executor())->begin();
}

template <class T>
void start_throwing(std::shared_ptr<client_core> core, task<T> work, throwing_operation_handler<T> done)
{
    std::make_shared<throwing_operation<T>>(std::move(work), std::move(done), core->get_executor())->begin();
}

#define PARTYLINE_MCP_OPERATION(...)                                                                                   \
    template void start_operation<__VA_ARGS__>(std::shared_ptr<client_core>, task<__VA_ARGS__>,                        \
                                               operation_handler<__VA_ARGS__>);                                        \
    template void start_throwing<__VA_ARGS__>(std::shared_ptr<client_core>, task<__VA_ARGS__>,                         \
                                              throwing_operation_handler<__VA_ARGS__>);

PARTYLINE_MCP_OPERATION(void)
PARTYLINE_MCP_OPERATION(tool_answer)
PARTYLINE_MCP_OPERATION(resource_answer)
PARTYLINE_MCP_OPERATION(prompt_answer)
PARTYLINE_MCP_OPERATION(completion_answer)
PARTYLINE_MCP_OPERATION(json_text)
PARTYLINE_MCP_OPERATION(page<tool_info>)
PARTYLINE_MCP_OPERATION(page<resource_info>)
PARTYLINE_MCP_OPERATION(page<resource_template_info>)
PARTYLINE_MCP_OPERATION(page<prompt_info>)
PARTYLINE_MCP_OPERATION(std::vector<tool_info>)
PARTYLINE_MCP_OPERATION(std::vector<resource_info>)
PARTYLINE_MCP_OPERATION(std::vector<resource_template_info>)
PARTYLINE_MCP_OPERATION(std::vector<prompt_info>)

#undef PARTYLINE_MCP_OPERATION

} // namespace partyline::mcp::detail
