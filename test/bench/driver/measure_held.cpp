// Many requests under way at once, or many sessions: how much memory they hold, and what it costs to bring requests to
// their end.

#include "measure.hpp"
#include "reply_check.hpp"

#include <algorithm>
#include <chrono>

namespace bench {
namespace {

using std::chrono::milliseconds;

bool answers_last_request(std::string_view message)
{
    return message.find(R"("id":"last")") != std::string_view::npos;
}

// Sends all, and one that is answered at once: then all that were sent before it have been started. False when one of
// these was answered before.
bool start_all(trial& run, const caller& by, const request_set& requests)
{
    const std::string last = request_of(by.how, R"({"jsonrpc":"2.0","id":"last","method":"echo","params":{}})");
    const post_set posts({by.how}, requests);
    run.exchange(*by.over, std::string(posts.text(0, 0, requests.messages())) + last);
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
    const caller by = run.open();
    const milliseconds delay = job.slowness * delay_for(job.at_once);
    run.wire().expect_silence(delay);
    const std::size_t before = run.process().resident_bytes();
    double memory = 0;
    for (std::size_t done = 0; done < job.requests; done += job.at_once) {
        const std::size_t count = std::min(job.at_once, job.requests - done);
        const request_set requests({.method = job.method, .fill = delay_of(delay), .count = count}, random);
        if (!start_all(run, by, requests))
            return {};
        memory = std::max(memory, memory_per_request(run, before, requests));
        inbox& received = run.wire().received();
        received.drop_first();
        run.exchange(*by.over, "", requests.messages() - received.size());
        run.check(requests);
    }
    return {{"cpu_us", cpu_us_each(run, job.requests)}, {"memory_bytes", memory}};
}

figures cancelled(trial& run, const job& job)
{
    random_source random(job.seed);
    const caller by = run.open();
    const request_set requests = make_requests(job, random);
    std::string cancels;
    for (std::size_t i = 0; i < job.requests; ++i)
        cancels += request_of(by.how, cancel_of(requests.ids()[i]));
    const std::size_t memory_before = run.process().resident_bytes();
    inbox& received = run.wire().received();
    if (!start_all(run, by, requests))
        throw failure("answered a request that was to wait for its cancel: " + quote(received[0]));
    const double memory = memory_per_request(run, memory_before, requests);
    received.drop_first();

    run.mark();
    run.exchange(*by.over, cancels, requests.messages());
    const microseconds cpu = run.used();
    reply_check replies(requests, job.error);
    replies.note_all(received);
    replies.finish();
    received.clear();
    run.finish();
    return {{"cpu_us", cpu.count() / static_cast<double>(job.requests)}, {"memory_bytes", memory}};
}

figures holding_sessions(trial& run, const job& job)
{
    random_source random(job.seed);
    const caller by = run.open();
    const request_set request = make_requests(job, random);
    const auto before = static_cast<double>(run.process().resident_bytes());
    run.exchange(*by.over, request_of(by.how, request.body(0)));
    const auto now = static_cast<double>(run.process().resident_bytes());
    run.check(request);
    run.finish();
    return {{"session_bytes", (now - before) / static_cast<double>(job.at_once)}};
}

} // namespace bench
