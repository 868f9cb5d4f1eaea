#include "mcp/client/operation.hpp"

#include "mcp/answers/failed_call.hpp"
#include "session/calls/posted_completion.hpp"

#include <partyline/mcp/client/answers.hpp>
#include <partyline/mcp/client/listed.hpp>
#include <partyline/session/detail/spawned_task.hpp>

#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/dispatch.hpp>

#include <exception>
#include <memory>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace asio = boost::asio;

namespace partyline::mcp {

class client; // that a supervised client gives

namespace {

using partyline::detail::code_handler;
using partyline::detail::exception_handler;
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
class running_operation : public spawned_task {
public:
    running_operation(task<T> work, asio::any_completion_handler<void(Result...)> told,
                      const asio::any_io_executor& home)
        : spawned_task(home), work_(std::move(work)), done_(std::move(told), home)
    {
    }

    void begin()
    {
        done_.on_cancel([of = weak_from_this()] { cancel_at_home(of); });
        launch();
    }

protected:
    ~running_operation() = default;

    void tell(Result... results) { done_(shared_from_this(), std::move(results)...); }

private:
    virtual void tell_outcome(task_promise<T>& ended) = 0;

    coroutine first() const noexcept override { return {*task_access::promise(work_), task_access::frame(work_)}; }

    void complete() override
    {
        const task<T> ended = std::move(work_); // and whoever is told sees that its arguments are gone
        tell_outcome(*task_access::promise(ended));
    }

    task<T> work_;
    completion<Result...> done_;
};

/// One that is told an error code.
template <class T>
class result_operation final : public running_operation<T, error_code, call_result<T>> {
    using running_operation<T, error_code, call_result<T>>::running_operation;

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
class throwing_operation final : public running_operation<T, std::exception_ptr, T> {
    using running_operation<T, std::exception_ptr, T>::running_operation;

    void tell_outcome(task_promise<T>& ended) override
    {
        this->tell(ended.error, ended.error ? T() : std::move(*ended.result));
    }
};

template <>
class throwing_operation<void> final : public running_operation<void, std::exception_ptr> {
    using running_operation<void, std::exception_ptr>::running_operation;

    void tell_outcome(task_promise<void>& ended) override { tell(ended.error); }
};

/// One that is still to be started.
template <class T>
class task_source final : public partyline::detail::operation_source<T> {
public:
    task_source(asio::any_io_executor home, task<T> work) noexcept : home_(std::move(home)), work_(std::move(work)) {}

private:
    void start(code_handler<T> done) override { begin<result_operation<T>>(std::move(done)); }
    void start_throwing(exception_handler<T> done) override { begin<throwing_operation<T>>(std::move(done)); }

    template <class Running>
    void begin(auto done)
    {
        std::make_shared<Running>(std::move(work_), std::move(done), home_)->begin();
    }

    const asio::any_io_executor home_;
    task<T> work_;
};

} // namespace

template <class T>
operation<T> operation_of(asio::any_io_executor home, task<T> work)
{
    return partyline::detail::operation_access::make<T>(
        std::make_unique<task_source<T>>(std::move(home), std::move(work)));
}

template operation<void> operation_of(asio::any_io_executor, task<void>);
template operation<tool_answer> operation_of(asio::any_io_executor, task<tool_answer>);
template operation<resource_answer> operation_of(asio::any_io_executor, task<resource_answer>);
template operation<prompt_answer> operation_of(asio::any_io_executor, task<prompt_answer>);
template operation<completion_answer> operation_of(asio::any_io_executor, task<completion_answer>);
template operation<json_text> operation_of(asio::any_io_executor, task<json_text>);
template operation<boost::json::object> operation_of(asio::any_io_executor, task<boost::json::object>);
template operation<std::shared_ptr<client>> operation_of(asio::any_io_executor, task<std::shared_ptr<client>>);

template operation<page<tool_info>> operation_of(asio::any_io_executor, task<page<tool_info>>);
template operation<page<resource_info>> operation_of(asio::any_io_executor, task<page<resource_info>>);
template operation<page<resource_template_info>> operation_of(asio::any_io_executor,
                                                              task<page<resource_template_info>>);
template operation<page<prompt_info>> operation_of(asio::any_io_executor, task<page<prompt_info>>);
template operation<std::vector<tool_info>> operation_of(asio::any_io_executor, task<std::vector<tool_info>>);
template operation<std::vector<resource_info>> operation_of(asio::any_io_executor, task<std::vector<resource_info>>);
template operation<std::vector<resource_template_info>> operation_of(asio::any_io_executor,
                                                                     task<std::vector<resource_template_info>>);
template operation<std::vector<prompt_info>> operation_of(asio::any_io_executor, task<std::vector<prompt_info>>);

} // namespace partyline::mcp
