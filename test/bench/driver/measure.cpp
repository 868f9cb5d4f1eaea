#include "measure.hpp"

#include "bench/driver/http/trial.hpp"
#include "command_line/percentile.hpp"
#include "wire.hpp"

#include <algorithm>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace bench {
namespace {

using clock = std::chrono::steady_clock;
using command_line::percentile;
using microseconds = std::chrono::duration<double, std::micro>;
using exact_milliseconds = std::chrono::duration<double, std::milli>;

constexpr double mebibyte = 1 << 20;

request_set make_requests(const job& job, const server_spec& server)
{
    random_source random(job.seed);
    const request_recipe recipe{.method = job.method,
                                .fill = job.fill,
                                .count = job.requests,
                                .batch = job.how == pipelined ? job.at_once : 0,
                                .how = server.how,
                                .echoes = job.echoes,
                                .like = job.like};
    return request_set(recipe, random);
}

double cpu_per_request(trial& run, const job& job)
{
    return microseconds(run.finish()).count() / static_cast<double>(job.requests);
}

template <class Trial, class Style>
figures measure_in(const server_spec& server, const surroundings& around, const job& job, Style how)
{
    Trial run(server, around);
    try {
        run.begin();
        return how(run, job);
    } catch (const std::runtime_error& failed) {
        throw failure(failed.what() + run.last_words());
    }
}

figures measure_once(const server_spec& server, const surroundings& around, const job& job)
{
    if (server.served == service::streams)
        return measure_in<trial>(server, around, job, job.how);
    return measure_in<http::trial>(server, around, job, job.over_port);
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

figures pipelined(trial& run, const job& job)
{
    const request_set requests = make_requests(job, run.server());
    run.wire().received().make_room(requests.text().size() + requests.text().size() / 8);
    const auto begin = clock::now();
    run.wire().exchange(requests.text(), requests.messages());
    const exact_milliseconds time = clock::now() - begin;
    const auto peak = static_cast<double>(run.process().peak_bytes());
    run.check(requests);

    const auto count = static_cast<double>(job.requests);
    return {{"cpu_us", cpu_per_request(run, job)},
            {"per_second", count / time.count() * 1000},
            {"wall_ms", time.count() / count},
            {"peak_mib", peak / mebibyte},
            {"peak_per_message", peak / static_cast<double>(requests.params_bytes())}};
}

figures ping_pong(trial& run, const job& job)
{
    const request_set requests = make_requests(job, run.server());
    std::vector<double> times;
    times.reserve(job.requests);
    for (std::size_t i = 0; i < requests.messages(); ++i) {
        const auto begin = clock::now();
        run.wire().exchange(requests.message(i), 1);
        times.push_back(microseconds(clock::now() - begin).count());
    }
    run.check(requests);
    std::sort(times.begin(), times.end());
    return {{"cpu_us", cpu_per_request(run, job)},
            {"p50_us", percentile(times, 50)},
            {"p90_us", percentile(times, 90)},
            {"p99_us", percentile(times, 99)},
            {"max_us", times.back()}};
}

figures starting(trial& run, const job&)
{
    run.finish();
    return {{"start_ms", exact_milliseconds(run.start_time()).count()}};
}

figures idle(trial& run, const job& job)
{
    const auto before = run.process().cpu_time();
    std::this_thread::sleep_for(std::chrono::milliseconds(job.at_once));
    const exact_milliseconds used = run.process().cpu_time() - before;
    run.finish();
    return {{"idle_ms", used.count()}};
}

} // namespace bench
