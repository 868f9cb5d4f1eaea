#include "measure.hpp"

#include "command_line/percentile.hpp"
#include "reply_check.hpp"

#include <algorithm>
#include <stdexcept>
#include <thread>
#include <vector>

namespace bench {
namespace {

using clock = std::chrono::steady_clock;
using command_line::percentile;
using exact_milliseconds = std::chrono::duration<double, std::milli>;

figures measure_once(const server_spec& server, const surroundings& around, const job& job)
{
    trial run(server, around);
    try {
        run.begin();
        return job.how(run, job);
    } catch (const std::runtime_error& failed) {
        throw failure(failed.what() + run.process().last_words());
    }
}

} // namespace

figures measure(const server_spec& server, const surroundings& around, job job)
{
    constexpr int slowest = 16;
    for (; job.slowness <= slowest; job.slowness *= 2) {
        figures measured = measure_once(server, around, job);
        if (!measured.empty())
            return measured;
    }
    throw failure(grouped(job.at_once) + " requests were never under way at once; is the machine very busy?");
}

request_set make_requests(const job& job, random_source& random)
{
    return request_set({.method = job.method,
                        .fill = job.fill,
                        .count = job.requests,
                        .batch = job.batch,
                        .echoes = job.echoes,
                        .like = job.like},
                       random);
}

double cpu_us_each(trial& run, std::size_t count)
{
    return microseconds(run.finish()).count() / static_cast<double>(count);
}

figures ping_pong(trial& run, const job& job)
{
    random_source random(job.seed);
    const request_set requests = make_requests(job, random);
    const caller one = run.open();
    const post_set posts({one.how}, requests);
    std::vector<double> times;
    times.reserve(job.requests);
    for (std::size_t i = 0; i < requests.messages(); ++i) {
        const auto begin = clock::now();
        run.exchange(*one.over, posts.text(0, i, 1));
        times.push_back(microseconds(clock::now() - begin).count());
    }
    run.check(requests);
    std::sort(times.begin(), times.end());
    return {{"cpu_us", cpu_us_each(run, job.requests)},
            {"p50_us", percentile(times, 50)},
            {"p90_us", percentile(times, 90)},
            {"p99_us", percentile(times, 99)},
            {"max_us", times.back()}};
}

// Over HTTP the reply comes last, and with it the response ends.
figures notifying(trial& run, const job& job)
{
    random_source random(job.seed);
    caller from = run.open();
    from.how.takes_events = true;
    const inbox& received = run.wire().received();
    run.mark();
    clock::duration time{};
    for (std::size_t i = 0; i < job.requests; ++i) {
        const request_set call({.method = job.method, .fill = job.fill}, random);
        const std::string text = request_of(from.how, call.body(0));
        const std::size_t before = from.over->answers();
        const auto begin = clock::now();
        run.wire().send(*from.over, text);
        run.wire().run(job.at_once + 1, [&] { return received.size() > job.at_once && from.over->answers() > before; });
        time += clock::now() - begin;
        check_notifying_call(call, run.wire().received(), job.at_once);
    }
    const std::size_t count = job.requests * job.at_once;
    const std::chrono::duration<double> seconds = time;
    return {{"cpu_us", cpu_us_each(run, count)}, {"per_second", static_cast<double>(count) / seconds.count()}};
}

figures starting(trial& run, const job&)
{
    run.finish();
    return {{"start_ms", exact_milliseconds(run.start_time()).count()}};
}

figures idle(trial& run, const job& job)
{
    run.mark();
    std::this_thread::sleep_for(std::chrono::milliseconds(job.at_once));
    const exact_milliseconds used = run.used();
    run.finish();
    return {{"idle_ms", used.count()}};
}

} // namespace bench
