#pragma once

#include <partyline/session/task.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>

#include <chrono>
#include <exception>
#include <optional>
#include <stdexcept>
#include <utility>

namespace tools::test {

inline constexpr std::chrono::seconds patience(20);

/// A task that runs on the test's thread, and may be cancelled.
template <class T>
class running_task {
public:
    explicit running_task(partyline::task<T> what)
    {
        auto handler = [this](std::exception_ptr thrown, T made) {
            thrown_ = thrown;
            made_.emplace(std::move(made));
        };
        partyline::co_spawn(context.get_executor(), std::move(what),
                            boost::asio::bind_cancellation_slot(cancel_.slot(), std::move(handler)));
    }

    void cancel() { cancel_.emit(boost::asio::cancellation_type::terminal); }

    /// Runs until that is so. Throws when it takes too long.
    template <class Condition>
    void run_until(Condition is_so)
    {
        const auto deadline = std::chrono::steady_clock::now() + patience;
        while (!is_so()) {
            if (std::chrono::steady_clock::now() > deadline)
                throw std::runtime_error("it has not come about in time");
            if (context.run_one_for(std::chrono::milliseconds(50)) == 0)
                context.restart();
        }
    }

    bool has_ended() const { return made_.has_value(); }
    T result()
    {
        run_until([this] { return has_ended(); });
        if (thrown_)
            std::rethrow_exception(thrown_);
        return std::move(*made_);
    }

    boost::asio::io_context context;

private:
    boost::asio::cancellation_signal cancel_;
    std::exception_ptr thrown_;
    std::optional<T> made_;
};

template <class T>
T run_task(partyline::task<T> what)
{
    return running_task<T>(std::move(what)).result();
}

} // namespace tools::test
