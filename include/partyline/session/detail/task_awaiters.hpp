#pragma once

#include <partyline/session/detail/awaitable_runner.hpp>
#include <partyline/session/detail/task_promise.hpp>

#include <boost/asio/associated_allocator.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/system/error_code.hpp>
#include <boost/system/system_error.hpp>

#include <concepts>
#include <coroutine>
#include <exception>
#include <new>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

namespace partyline::detail {

/// Completes the operation that a task awaits, once; if it is destroyed without completing, the task can't go on.
/// Movable.
template <class Awaiter>
class bare_completion {
public:
    using cancellation_slot_type = boost::asio::cancellation_slot;
    using allocator_type = task_allocator<std::byte>;

    explicit bare_completion(Awaiter& of) noexcept : of_(&of) {}
    bare_completion(bare_completion&& other) noexcept : of_(std::exchange(other.of_, nullptr)) {}
    bare_completion& operator=(bare_completion&&) = delete;
    ~bare_completion()
    {
        if (of_) [[unlikely]]
            of_->on_lost();
    }

    cancellation_slot_type get_cancellation_slot() const noexcept { return of_->runner().task_slot(); }
    allocator_type get_allocator() const noexcept { return {}; }

    // For its results alone: an operation may complete in one of two ways, and finds out which.
    template <class... T>
        requires std::constructible_from<typename Awaiter::result_tuple, T...>
    void operator()(T&&... results)
    {
        std::exchange(of_, nullptr)->on_completed(std::forward<T>(results)...);
    }
    void fail() { std::exchange(of_, nullptr)->on_failed(); }

protected:
    Awaiter* of_;
};

/// The completion of an operation that runs elsewhere and is to complete where the task runs.
template <class Awaiter>
class homing_completion : public bare_completion<Awaiter> {
public:
    using executor_type = task_executor;
    using bare_completion<Awaiter>::bare_completion;

    executor_type get_executor() const noexcept { return task_executor(this->of_->runner()); }
};

/// The results of an operation, and their form for the coroutine that awaits it.
template <class Signature>
struct operation_results;

template <class R, class... T>
struct operation_results<R(T...)> {
    using tuple = std::tuple<std::decay_t<T>...>;
    static constexpr std::size_t count = sizeof...(T);

    template <class Failure>
    static constexpr bool begins_with = [] {
        if constexpr (count == 0)
            return false;
        else
            return std::is_same_v<std::tuple_element_t<0, tuple>, Failure>;
    }();
    static constexpr bool fails_by_code = begins_with<boost::system::error_code>;
    static constexpr bool fails_by_exception = begins_with<std::exception_ptr>;

    template <class... Results>
    static bool is_cancel(const boost::system::error_code& failed, const Results&...) noexcept
    {
        return failed == boost::asio::error::operation_aborted;
    }
    template <class... Results>
    static bool is_cancel(const std::exception_ptr& thrown, const Results&...) noexcept
    {
        try {
            if (thrown)
                std::rethrow_exception(thrown);
        } catch (const boost::system::system_error& failed) {
            return is_cancel(failed.code());
        } catch (...) { // something else
        }
        return false;
    }

    static auto unpack(tuple&& all)
    {
        constexpr std::size_t first = fails_by_code || fails_by_exception ? 1 : 0;
        if constexpr (fails_by_code) {
            if (std::get<0>(all))
                throw boost::system::system_error(std::get<0>(all));
        } else if constexpr (fails_by_exception) {
            if (std::get<0>(all))
                std::rethrow_exception(std::get<0>(std::move(all)));
        }
        if constexpr (count == first)
            return;
        else if constexpr (count == first + 1)
            return std::get<first>(std::move(all));
        else if constexpr (first == 0)
            return std::move(all);
        else
            return std::apply([](auto&, auto&... rest) { return std::make_tuple(std::move(rest)...); }, all);
    }
};

/// The completion signature of an operation, where it is not given: void.
template <class Operation, class Signature>
struct operation_signature {
    using type = Signature;
};
template <class Operation>
struct operation_signature<Operation, void> : boost::asio::completion_signature_of<Operation> {};

/// Awaits an operation.
template <class Operation, class Signature>
class operation_awaiter {
    using results = operation_results<typename operation_signature<Operation, Signature>::type>;

public:
    using result_tuple = typename results::tuple;

    operation_awaiter(Operation&& operation, task_promise_base& promise) noexcept
        : operation_(std::forward<Operation>(operation)), promise_(promise)
    {
    }
    operation_awaiter(const operation_awaiter&) = delete;
    operation_awaiter& operator=(const operation_awaiter&) = delete;

    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> frame) noexcept { begin<homing_completion>(frame); }
    auto await_resume()
    {
        promise_.throw_if_failed();
        return results::unpack(std::move(*results_));
    }

    // For its completion.
    task_runner& runner() const noexcept { return *promise_.runner; }
    template <class... T>
    void on_completed(T&&... all)
    {
        // An awaitable, whose signature is said, ends by itself.
        if constexpr (results::fails_by_code || (results::fails_by_exception && std::is_void_v<Signature>)) {
            if (runner().may_drop() && results::is_cancel(all...)) [[unlikely]]
                return runner().drop();
        }
        try {
            results_.emplace(std::forward<T>(all)...);
        } catch (...) {
            promise_.error = std::current_exception();
        }
        runner().resume(frame_);
    }
    void on_failed() { runner().resume(frame_); }
    void on_lost() noexcept
    {
        if (is_beginning_)
            is_lost_ = true;
        else if (std::exchange(has_thrown_, false)) [[unlikely]]
            fail_later();
        else
            runner().lose();
    }

    // An exception of the operation's start is thrown where the operation is awaited, once the completion is gone: a
    // coroutine of Asio's that could not be started is destroyed later, by a function that was posted.
    template <template <class> class Completion>
    void begin(std::coroutine_handle<> frame) noexcept
    {
        task_runner& by = runner();
        if (by.must_interrupt()) [[unlikely]]
            return by.interrupt(promise_, frame);
        frame_ = frame;
        is_beginning_ = true;
        try {
            std::forward<Operation>(operation_)(Completion<operation_awaiter>(*this));
        } catch (...) {
            by.forget_cancel();
            promise_.error = std::current_exception();
            is_beginning_ = false;
            has_thrown_ = !is_lost_;
            return is_lost_ ? by.go_on(frame) : void();
        }
        is_beginning_ = false;
        if (is_lost_) [[unlikely]]
            by.lose();
    }

private:
    void fail_later() noexcept
    {
        try {
            boost::asio::post(runner().task_home(),
                              [late = bare_completion<operation_awaiter>(*this)]() mutable { late.fail(); });
        } catch (const std::bad_alloc&) { // then the task is lost, by the completion that goes away
        }
    }

    Operation&& operation_;
    task_promise_base& promise_;
    std::coroutine_handle<> frame_;
    bool is_beginning_ = false;
    bool is_lost_ = false;
    bool has_thrown_ = false; // and its completion is still there
    std::optional<typename results::tuple> results_;
};

/// Awaits another task of the same runner.
class frame_awaiter {
public:
    frame_awaiter(task_promise_base* child, std::coroutine_handle<> frame, task_promise_base& parent) noexcept
        : child_(child), child_frame_(frame), parent_(parent)
    {
    }

    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> frame) noexcept
    {
        task_runner& by = *parent_.runner;
        if (by.must_interrupt()) [[unlikely]]
            return by.interrupt(parent_, frame);
        if (!child_) [[unlikely]]
            return by.go_on(frame); // throws there
        child_->awaited_by = frame;
        child_->runner = &by;
        by.go_on(child_frame_);
    }
    void await_resume()
    {
        parent_.throw_if_failed();
        if (!child_) [[unlikely]]
            throw_empty_task();
    }

private:
    task_promise_base* child_;
    std::coroutine_handle<> child_frame_;
    task_promise_base& parent_;
};

/// A coroutine of Asio's as an operation: it runs beside the task, and completes where it runs.
template <class T>
class awaitable_operation final : public awaitable_job {
public:
    using signature = void(std::exception_ptr);
    using completion = bare_completion<operation_awaiter<awaitable_operation, signature>>;

    awaitable_operation(boost::asio::awaitable<T>&& child, task_runner& by) noexcept : child_(std::move(child)), by_(by)
    {
    }
    ~awaitable_operation()
    {
        if (done_) [[unlikely]] {
            by_.task_slot().clear();
            by_.beside().forget();
        }
    }

    void operator()(completion&& done)
    {
        done_.emplace(std::move(done));
        by_.beside().start(by_.task_home(), by_.task_slot(), *this);
    }

    T take_result()
    {
        if constexpr (!std::is_void_v<T>)
            return std::move(*result_);
    }

private:
    struct nothing {};
    using kept = std::conditional_t<std::is_void_v<T>, nothing,
                                    std::optional<std::conditional_t<std::is_void_v<T>, nothing, T>>>;

    boost::asio::awaitable<void> run() override
    {
        if constexpr (std::is_void_v<T>)
            return std::move(child_);
        else
            return keep(std::move(child_), result_);
    }
    template <class Kept>
    static boost::asio::awaitable<void> keep(boost::asio::awaitable<T> child, Kept& result)
    {
        result.emplace(co_await std::move(child));
    }
    void on_run(std::exception_ptr thrown) override { take_completion()(std::move(thrown)); }
    void on_run_lost() noexcept override { const completion lost = take_completion(); }

    completion take_completion() noexcept
    {
        by_.task_slot().clear();
        completion taken = std::move(*done_);
        done_.reset();
        return taken;
    }

    boost::asio::awaitable<T> child_;
    task_runner& by_;
    std::optional<completion> done_; // while it runs
    [[no_unique_address]] kept result_;
};

/// Awaits such a coroutine.
template <class T>
class awaitable_awaiter {
    using operation = awaitable_operation<T>;

public:
    /// `is_nothing`: it has nothing to do, and is not started.
    awaitable_awaiter(boost::asio::awaitable<T>&& child, task_promise_base& parent, bool is_nothing = false) noexcept
        : is_nothing_(is_nothing), operation_(std::move(child), *parent.runner), awaiter_(std::move(operation_), parent)
    {
    }
    awaitable_awaiter(const awaitable_awaiter&) = delete;
    awaitable_awaiter& operator=(const awaitable_awaiter&) = delete;

    bool await_ready() const noexcept { return is_nothing_; }
    void await_suspend(std::coroutine_handle<> frame) noexcept { awaiter_.template begin<bare_completion>(frame); }
    T await_resume()
    {
        if (!is_nothing_)
            awaiter_.await_resume();
        return operation_.take_result();
    }

private:
    const bool is_nothing_;
    operation operation_;
    operation_awaiter<operation, typename operation::signature> awaiter_;
};

} // namespace partyline::detail
