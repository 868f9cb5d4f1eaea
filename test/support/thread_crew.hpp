#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include <deque>
#include <thread>

namespace partyline::test {

/// Several threads that run one io_context, until this object goes and nothing is left to do.
class thread_crew {
public:
    explicit thread_crew(int count = 4)
    {
        for (int i = 0; i < count; ++i)
            running_.emplace_back([this] { context.run(); });
    }
    thread_crew(const thread_crew&) = delete;
    thread_crew& operator=(const thread_crew&) = delete;
    ~thread_crew() { join(); }

    /// Waits until nothing is left to do.
    void join()
    {
        work_.reset();
        for (std::thread& one : running_)
            one.join();
        running_.clear();
    }

    boost::asio::io_context context;

private:
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_{context.get_executor()};
    std::deque<std::thread> running_;
};

} // namespace partyline::test
