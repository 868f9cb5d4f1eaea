#include <partyline/session/detail/task_runner.hpp>

#include <partyline/session/detail/task_promise.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/system/system_error.hpp>

#include <stdexcept>

namespace asio = boost::asio;

namespace partyline::detail {

bool task_runner::is_at_home() const noexcept
{
    const auto* const plain = task_home().target<asio::io_context::executor_type>();
    return plain && plain->running_in_this_thread();
}

bool task_runner::start(task_promise_base& first, std::coroutine_handle<> frame, manner how) noexcept
{
    first.runner = this;
    next_ = frame;
    shields_ = 0;
    keepers_ = 0;
    ending_ = ending::none;
    is_cancelled_ = how.is_cancelled;
    drops_ = how.drops;
    return run();
}

void task_runner::cancel_task(asio::cancellation_type type)
{
    is_cancelled_ = true;
    if (shields_ == 0)
        signal_.emit(type);
}

void task_runner::interrupt(task_promise_base& awaiting, std::coroutine_handle<> frame) noexcept
{
    if (may_drop())
        return drop();
    awaiting.error = std::make_exception_ptr(boost::system::system_error(asio::error::operation_aborted));
    go_on(frame);
}

void throw_empty_task()
{
    throw std::logic_error("a task without a coroutine: it was moved from, or awaited before");
}

void throw_task_without_result()
{
    throw std::logic_error("a task has come to its end without co_return, and what it is to return is not there");
}

} // namespace partyline::detail
