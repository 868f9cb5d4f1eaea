#include "command_runner.hpp"

#include "bounded_output.hpp"
#include "command_start.hpp"

#include <partyline/session/clean_up.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>

#include <array>
#include <csignal>
#include <utility>

namespace asio = boost::asio;

namespace tools {
namespace {

using partyline::task;
using clock = std::chrono::steady_clock;

void adopt(asio::posix::stream_descriptor& by, descriptor& what)
{
    by.assign(what.get());
    what.release();
    by.non_blocking(true);
}

// One command, from its start to its end.
class running_command {
public:
    running_command(const asio::any_io_executor& executor, command what, const command_limits& limits,
                    output_lines::line_hook on_line)
        : what_(std::move(what)), limits_(limits), output_(executor), end_(executor), timer_(executor),
          lines_(std::move(on_line)), kept_(limits.output_bytes)
    {
    }

    // Within its time.
    task<void> run()
    {
        start();
        co_await watch(clock::now() + limits_.time);
        result_.has_timed_out = !group_.has_ended();
        lines_.finish();
    }

    // Whatever is left then is ended.
    task<void> end()
    {
        is_telling_ = false;
        if (!group_.has_ended()) {
            group_.signal(SIGTERM);
            co_await watch(clock::now() + limits_.grace);
        }
        group_.signal(SIGKILL);
        constexpr std::chrono::seconds patience(5); // with the kernel
        co_await watch(clock::now() + patience);
        result_.end = group_.reap();
    }

    command_result take_result()
    {
        result_.output = kept_.text();
        result_.bytes_left_out = kept_.bytes_left_out();
        return std::move(result_);
    }

private:
    void start()
    {
        started_command started = start_command(what_.program, std::move(what_.words), what_.folder);
        group_ = std::move(started.group);
        adopt(output_, started.output);
        adopt(end_, started.end);
    }

    // Until it ends, or until then. Others may hold the pipe longer: they are not waited for.
    task<void> watch(clock::time_point until)
    {
        timer_.expires_at(until);
        while (!group_.has_ended() && clock::now() < until) {
            co_await wait_for_news();
            read_output();
        }
        read_output();
    }

    task<void> wait_for_news()
    {
        using asio::experimental::make_parallel_group;
        constexpr auto readable = asio::posix::stream_descriptor::wait_read;
        const asio::experimental::wait_for_one first;
        if (output_.is_open()) {
            auto any =
                make_parallel_group(output_.async_wait(readable, asio::deferred),
                                    end_.async_wait(readable, asio::deferred), timer_.async_wait(asio::deferred));
            co_await any.async_wait(first, asio::deferred);
        } else {
            auto any =
                make_parallel_group(end_.async_wait(readable, asio::deferred), timer_.async_wait(asio::deferred));
            co_await any.async_wait(first, asio::deferred);
        }
    }

    // What is there by now; not for ever, where it is written as quickly.
    void read_output()
    {
        constexpr int enough = 64;
        for (int i = 0; i < enough && output_.is_open(); ++i) {
            boost::system::error_code failed;
            const std::size_t count = output_.read_some(asio::buffer(piece_), failed);
            if (failed == asio::error::would_block)
                return;
            if (failed)
                output_.close(failed); // nobody writes any more
            else
                take({piece_.data(), count});
        }
    }

    void take(std::string_view piece)
    {
        kept_.add(piece);
        if (is_telling_)
            lines_.feed(piece);
    }

    command what_;
    command_limits limits_;
    command_group group_;
    asio::posix::stream_descriptor output_;
    asio::posix::stream_descriptor end_;
    asio::steady_timer timer_;
    output_lines lines_;
    bounded_output kept_;
    bool is_telling_ = true;
    std::array<char, 16384> piece_;
    command_result result_;
};

} // namespace

task<command_result> run_command(command what, command_limits limits, output_lines::line_hook on_line)
{
    const asio::any_io_executor executor = co_await asio::this_coro::executor;
    running_command running(executor, std::move(what), limits, std::move(on_line));
    co_await partyline::with_clean_up(running.run(), running.end());
    co_return running.take_result();
}

} // namespace tools
