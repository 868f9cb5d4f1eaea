#include "wait_tool.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>

#include <algorithm>
#include <chrono>

namespace asio = boost::asio;

namespace tools {

partyline::task<wait_result> wait_tool(wait_arguments what, tool_progress& progress)
{
    using steady = std::chrono::steady_clock;
    const asio::any_io_executor executor = co_await asio::this_coro::executor;
    const std::chrono::duration<double> wanted(what.seconds);
    const steady::time_point begun = steady::now();
    const steady::time_point end = begun + std::chrono::ceil<steady::duration>(wanted);
    asio::steady_timer timer(executor);
    for (steady::time_point next = begun; next < end;) {
        next = std::min(next + std::chrono::seconds(1), end);
        timer.expires_at(next);
        co_await timer.async_wait(asio::deferred);
        const std::chrono::duration<double> passed = next - begun;
        progress.report(passed.count(), wanted.count(), "waiting");
    }
    const std::chrono::duration<double> took = steady::now() - begun;
    co_return wait_result{took.count()};
}

} // namespace tools
