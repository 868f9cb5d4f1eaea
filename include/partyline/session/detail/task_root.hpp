#pragma once

#include <partyline/session/task.hpp>

#include <coroutine>
#include <utility>

namespace partyline {

class request_context;
class result_writer;

namespace detail {

/// The task that serves a request, whatever it returns: its frame, and how its result is handed on.
class task_root {
public:
    /// Hands the result on that this promise has. Throws what writing it throws.
    using deliver_function = void (*)(task_promise_base& ended, const request_context& context, result_writer& out);

    task_root() = default;
    template <class T>
    task_root(task<T>&& first, deliver_function how) noexcept
        : frame_(task_access::frame(first)), promise_(task_access::promise(first)), deliver_(how)
    {
        task_access::release(first);
    }
    task_root(task_root&& other) noexcept
        : frame_(std::exchange(other.frame_, nullptr)), promise_(other.promise_), deliver_(other.deliver_)
    {
    }
    task_root& operator=(task_root&& other) noexcept
    {
        reset();
        frame_ = std::exchange(other.frame_, nullptr);
        promise_ = other.promise_;
        deliver_ = other.deliver_;
        return *this;
    }
    ~task_root() { reset(); }

    /// Destroys it, and with it what it is suspended in.
    void reset() noexcept
    {
        if (frame_)
            std::exchange(frame_, nullptr).destroy();
    }

    explicit operator bool() const noexcept { return bool(frame_); }
    std::coroutine_handle<> frame() const noexcept { return frame_; }
    task_promise_base& promise() const noexcept { return *promise_; }
    void deliver(const request_context& context, result_writer& out) const { deliver_(*promise_, context, out); }

private:
    std::coroutine_handle<> frame_;
    task_promise_base* promise_ = nullptr;
    deliver_function deliver_ = nullptr;
};

inline frame_awaiter task_promise_base::await_transform(task_root& first) noexcept
{
    return {first ? &first.promise() : nullptr, first.frame(), *this};
}

} // namespace detail
} // namespace partyline
