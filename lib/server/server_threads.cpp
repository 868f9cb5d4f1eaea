#include "server/server_threads.hpp"

#include <boost/asio/execution_context.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <algorithm>
#include <list>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include <signal.h>

namespace asio = boost::asio;

namespace partyline {
namespace {

// Signals are for the threads of the program, which may wait for them.
class blocked_signals {
public:
    blocked_signals() noexcept
    {
        ::sigset_t all;
        sigfillset(&all);
        ::pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    ~blocked_signals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    blocked_signals(const blocked_signals&) = delete;
    blocked_signals& operator=(const blocked_signals&) = delete;

private:
    ::sigset_t before_{};
};

struct own_context final : asio::io_context {
    own_context() : asio::io_context(1) {}
    using asio::execution_context::shutdown;
};

struct context_thread {
    context_thread() : guard(context.get_executor())
    {
        const blocked_signals blocked;
        thread = std::thread([this] { run(); });
    }
    context_thread(const context_thread&) = delete;
    context_thread& operator=(const context_thread&) = delete;
    ~context_thread() { stop(); }

    // Where there was no memory for one connection, the others go on.
    void run()
    {
        for (bool is_over = false; !is_over;) {
            try {
                context.run();
                is_over = true;
            } catch (const std::bad_alloc&) {
            }
        }
    }

    void stop() noexcept
    {
        context.stop();
        if (thread.joinable())
            thread.join();
    }

    own_context context;
    asio::executor_work_guard<asio::io_context::executor_type> guard;
    std::thread thread;
    bool is_taken = true;
};

/// The threads of all servers of one execution context.
///
/// At the end of the context, what waits on all of them is destroyed before any of their contexts is: each may own
/// sockets of another one, or of the caller's.
class context_threads final : public asio::execution_context::service {
public:
    static asio::execution_context::id id; // NOLINT(readability-identifier-naming): Asio asks for it

    explicit context_threads(asio::execution_context& of) : service(of) {}

    asio::any_io_executor take()
    {
        const std::lock_guard lock(mutex_);
        const auto free = std::find_if(threads_.begin(), threads_.end(), [](const auto& one) { return !one.is_taken; });
        context_thread& taken = free == threads_.end() ? threads_.emplace_back() : *free;
        taken.is_taken = true;
        return taken.context.get_executor();
    }
    void give_back(const asio::any_io_executor& executor) noexcept
    {
        const std::lock_guard lock(mutex_);
        for (context_thread& one : threads_) {
            if (asio::any_io_executor(one.context.get_executor()) == executor)
                one.is_taken = false;
        }
    }

private:
    void shutdown() override
    {
        for (context_thread& one : threads_)
            one.stop();
        for (context_thread& one : threads_)
            one.context.shutdown();
    }

    std::mutex mutex_;
    std::list<context_thread> threads_;
};

asio::execution_context::id context_threads::id;

std::size_t checked(std::size_t count)
{
    if (count > server_threads::most)
        throw std::invalid_argument("server_options::threads is " + std::to_string(count) + ", and expected 0 to " +
                                    std::to_string(server_threads::most));
    return count != 0 ? count : std::max(std::thread::hardware_concurrency(), 1U);
}

} // namespace

server_threads::server_threads(asio::any_io_executor first, std::size_t count)
{
    const std::size_t all = checked(count);
    executors_.reserve(all);
    executors_.push_back(std::move(first));
    if (all == 1)
        return;
    // A context's services end in the reverse order: the one that timers and sockets wait by outlives the threads.
    const asio::steady_timer before(executors_.front());
    auto& threads = asio::use_service<context_threads>(executors_.front().context());
    try {
        while (executors_.size() != all)
            executors_.push_back(threads.take());
    } catch (...) {
        for (std::size_t i = 1; i != executors_.size(); ++i)
            threads.give_back(executors_[i]);
        throw;
    }
}

server_threads::~server_threads()
{
    if (executors_.size() == 1)
        return;
    auto& threads = asio::use_service<context_threads>(executors_.front().context());
    for (std::size_t i = 1; i != executors_.size(); ++i)
        threads.give_back(executors_[i]);
}

} // namespace partyline
