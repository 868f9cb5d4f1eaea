// One request that makes a server send many notifications, as events or as lines.

#include "bench/driver/notification_check.hpp"
#include "measure.hpp"
#include "trial.hpp"

#include <chrono>
#include <string>

namespace bench::http {
namespace {

// The reply comes last, and with it the stream ends.
void ask(trial& run, connection& over, std::string_view text, std::size_t messages)
{
    const std::size_t responses = over.replies().responses();
    const bool is_lines = run.spec().served == service::tcp;
    run.wire().send(over, text);
    const auto is_done = [&] {
        return run.wire().received().size() >= messages && (is_lines || over.replies().responses() > responses);
    };
    run.wire().run(is_done, [](connection&) {});
}

} // namespace

figures notified(trial& run, const job& job)
{
    using clock = std::chrono::steady_clock;
    random_source random(job.seed);
    caller from = run.open();
    from.how.takes_events = true;
    run.mark();
    clock::duration time{};
    for (std::size_t i = 0; i < job.requests; ++i) {
        const request_set call({.method = job.method, .fill = job.fill}, random);
        const std::string text = request_of(from.how, body_of(call, 0));
        const auto begin = clock::now();
        ask(run, *from.over, text, job.at_once + 1);
        time += clock::now() - begin;
        check_notifying_call(call, run.wire().received(), job.at_once);
    }
    const auto count = static_cast<double>(job.requests * job.at_once);
    const std::chrono::duration<double> seconds = time;
    const std::chrono::duration<double, std::micro> cpu = run.finish();
    return {{"cpu_us", cpu.count() / count}, {"per_second", count / seconds.count()}};
}

} // namespace bench::http
