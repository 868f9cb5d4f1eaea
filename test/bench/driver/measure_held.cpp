// Many requests under way at once, or many sessions: how much memory they hold, and what it costs to bring requests to
// their end.

#include "measure.hpp"
#include "reply_check.hpp"
#include "wire.hpp"

#include <algorithm>
#include <chrono>

namespace bench {
namespace {

using std::chrono::milliseconds;
using microseconds = std::chrono::duration<double, std::micro>;

// A request that is answered at once: then all that were sent before it have been started.
std::string last_request(framing how)
{
    std::string text;
    append_framed(text, R"({"jsonrpc":"2.0","id":"last","method":"echo","params":{}})", how);
    return text;
}

bool answers_last_request(std::string_view message)
{
    return message.find(R"("id":"last")") != std::string_view::npos;
}

request_set make_requests(const std::string& method, const content& fill, std::size_t count, framing how,
                          random_source& random)
{
    return request_set({.method = method, .fill = fill, .count = count, .how = how}, random);
}

// Sends all, and waits until all are under way. False when one was answered before.
bool start_all(trial& run, const request_set& requests)
{
    run.wire().exchange(requests.text() + last_request(run.server().how), 1);
    return answers_last_request(run.wire().received()[0]);
}

double memory_per_request(trial& run, std::size_t before, const request_set& requests)
{
    const auto now = static_cast<double>(run.process().resident_bytes());
    return (now - static_cast<double>(before)) / static_cast<double>(requests.ids().count()) -
           static_cast<double>(requests.params_bytes());
}

// Long enough for `count` requests to be started before the first is due; too long costs nothing but time.
milliseconds delay_for(std::size_t count)
{
    return std::max(milliseconds(20), milliseconds(count / 100));
}

} // namespace

figures in_flight(trial& run, const job& job)
{
    random_source random(job.seed);
    const milliseconds delay = job.slowness * delay_for(job.at_once);
    run.wire().expect_silence(delay);
    const std::size_t before = run.process().resident_bytes();
    double memory = 0;
    for (std::size_t done = 0; done < job.requests; done += job.at_once) {
        const std::size_t count = std::min(job.at_once, job.requests - done);
        const request_set requests = make_requests(job.method, delay_of(delay), count, run.server().how, random);
        if (!start_all(run, requests))
            return {};
        memory = std::max(memory, memory_per_request(run, before, requests));
        inbox& received = run.wire().received();
        received.drop_first();
        run.wire().exchange("", requests.messages() - received.size());
        run.check(requests);
    }
    const double cpu = microseconds(run.finish()).count() / static_cast<double>(job.requests);
    return {{"cpu_us", cpu}, {"memory_bytes", memory}};
}

figures cancelled(trial& run, const job& job)
{
    random_source random(job.seed);
    const request_set requests = make_requests(job.method, job.fill, job.requests, run.server().how, random);
    const std::string cancels = make_cancels(requests.ids(), run.server().how);
    const std::size_t memory_before = run.process().resident_bytes();
    if (!start_all(run, requests))
        throw failure("answered a request that was to wait for its cancel: " + quote(run.wire().received()[0]));
    const double memory = memory_per_request(run, memory_before, requests);
    run.wire().received().drop_first();

    const auto cpu_before = run.process().cpu_time();
    run.wire().exchange(cancels, requests.messages());
    const microseconds cpu = run.process().cpu_time() - cpu_before;
    reply_check replies(requests, job.error);
    replies.note_all(run.wire().received());
    replies.finish();
    run.wire().received().clear();
    run.finish();
    return {{"cpu_us", cpu.count() / static_cast<double>(job.requests)}, {"memory_bytes", memory}};
}

figures holding_sessions(trial& run, const job& job)
{
    random_source random(job.seed);
    const request_set request = make_requests(job.method, job.fill, 1, run.server().how, random);
    const auto before = static_cast<double>(run.process().resident_bytes());
    run.wire().exchange(request.text(), 1);
    const auto now = static_cast<double>(run.process().resident_bytes());
    run.check(request);
    run.finish();
    return {{"session_bytes", (now - before) / static_cast<double>(job.at_once)}};
}

} // namespace bench
