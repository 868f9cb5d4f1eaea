// One request that makes a server send many notifications.

#include "measure.hpp"
#include "notification_check.hpp"

#include <chrono>

namespace bench {

figures notifying(trial& run, const job& job)
{
    using clock = std::chrono::steady_clock;
    random_source random(job.seed);
    clock::duration time{};
    for (std::size_t i = 0; i < job.requests; ++i) {
        const request_set call({.method = job.method, .fill = job.fill, .how = run.server().how}, random);
        const auto begin = clock::now();
        run.wire().exchange(call.text(), job.at_once + 1);
        time += clock::now() - begin;
        check_notifying_call(call, run.wire().received(), job.at_once);
    }
    const auto count = static_cast<double>(job.requests * job.at_once);
    const std::chrono::duration<double> seconds = time;
    const std::chrono::duration<double, std::micro> cpu = run.finish();
    return {{"cpu_us", cpu.count() / count}, {"per_second", count / seconds.count()}};
}

} // namespace bench
