#pragma once

#include "mcp/answers/failed_call.hpp"
#include "mcp/client/client_core.hpp"
#include "mcp/client/time_limit.hpp"

#include <partyline/async/async_event.hpp>
#include <partyline/session/clean_up.hpp>
#include <partyline/session/task.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/steady_timer.hpp>

#include <cstddef>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <utility>
#include <vector>

namespace partyline::mcp {

/// Several tasks of one operation at work. (Asio 1.26: parallel_group has their ends come by the system executor, where
/// what they throw ends the process.)
template <class T>
struct joined_tasks {
    struct one {
        boost::asio::cancellation_signal cancel;
        std::optional<T> made;
    };

    joined_tasks(const boost::asio::any_io_executor& where, std::size_t count, const time_limit& limit)
        : changed(where, limit.end()), all_ended(where), all(count)
    {
    }

    boost::asio::steady_timer changed; // expires with the time; cancelled when a task or the conversation has ended
    async_event all_ended;
    boost::asio::cancellation_signal end_watch; // cancels the wait for the conversation's end
    std::vector<one> all;
    std::size_t left = 0;
    std::exception_ptr thrown; // by the first task that threw
};

/// The end of one of them; it has come also where it is never told, for want of memory.
template <class T>
class task_end {
public:
    task_end(std::shared_ptr<joined_tasks<T>> of, std::size_t number) noexcept : of_(std::move(of)), number_(number)
    {
        ++of_->left;
        of_->all_ended.reset();
    }
    task_end(task_end&&) noexcept = default;
    ~task_end()
    {
        if (!of_)
            return;
        if (--of_->left == 0)
            of_->all_ended.set();
        of_->changed.cancel();
    }

    void operator()(std::exception_ptr thrown, T made)
    {
        if (!thrown)
            of_->all[number_].made.emplace(std::move(made));
        else if (!of_->thrown)
            of_->thrown = std::move(thrown);
    }

private:
    std::shared_ptr<joined_tasks<T>> of_;
    const std::size_t number_;
};

/// Has the end of the conversation wake whoever waits for the tasks.
template <class T>
class end_watch {
public:
    end_watch(client_core& of, std::shared_ptr<joined_tasks<T>> woken) : woken_(std::move(woken))
    {
        of.wait_end(boost::asio::bind_cancellation_slot(woken_->end_watch.slot(),
                                                        [woken = woken_](error_code) { woken->changed.cancel(); }));
    }
    end_watch(const end_watch&) = delete;
    end_watch& operator=(const end_watch&) = delete;
    ~end_watch() { woken_->end_watch.emit(boost::asio::cancellation_type::terminal); }

private:
    const std::shared_ptr<joined_tasks<T>> woken_; // the wait has its signal for longer than this lives
};

template <class T>
task<void> run_joined(std::shared_ptr<client_core> of, std::vector<task<T>>& work,
                      std::shared_ptr<joined_tasks<T>> busy, const char* late)
{
    const end_watch<T> watch(*of, busy);
    for (std::size_t i = 0; i != work.size(); ++i)
        co_spawn(of->get_executor(), std::move(work[i]),
                 boost::asio::bind_cancellation_slot(busy->all[i].cancel.slot(), task_end<T>(busy, i)));
    while (busy->left != 0 && !busy->thrown && !of->has_ended()) {
        const auto [woken] = co_await busy->changed.async_wait(boost::asio::as_tuple(boost::asio::deferred));
        if (!woken)
            throw failed_call(errc::timeout, late);
    }
    if (busy->thrown)
        std::rethrow_exception(busy->thrown);
    if (busy->left != 0)
        throw failed_call(of->end_reason());
}

template <class T>
task<void> end_joined(std::shared_ptr<joined_tasks<T>> busy)
{
    for (auto& each : busy->all)
        each.cancel.emit(boost::asio::cancellation_type::all);
    while (busy->left != 0)
        co_await busy->all_ended.async_wait(boost::asio::as_tuple(boost::asio::deferred));
}

/// Runs tasks of an operation, all at a time, and gives what they make, in their order. What one of them throws is
/// thrown; `failed_call` with errc::timeout and `late` when the time is over, with the reason of the end when the
/// conversation ends. However it ends, tasks that are still busy are cancelled, and have ended by then.
template <class T>
task<std::vector<T>> join_tasks(std::shared_ptr<client_core> of, std::vector<task<T>> work, time_limit limit,
                                const char* late)
{
    if (of->has_ended())
        throw failed_call(of->end_reason());
    const auto busy = std::make_shared<joined_tasks<T>>(of->get_executor(), work.size(), limit);
    task<void> running = run_joined(of, work, busy, late);
    co_await with_clean_up(std::move(running), end_joined(busy));
    std::vector<T> all;
    for (auto& each : busy->all) {
        if (!each.made)
            throw std::bad_alloc(); // its end was never told
        all.push_back(std::move(*each.made));
    }
    co_return all;
}

} // namespace partyline::mcp
