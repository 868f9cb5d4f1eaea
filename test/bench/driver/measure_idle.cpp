// What connections and sessions hold that have nothing to do.

#include "measure.hpp"

#include <chrono>
#include <thread>

namespace bench {
namespace {

constexpr std::chrono::seconds put_away(3); // after that a server has, what it has for those that go on

figures memory_of(trial& run, std::size_t count, std::size_t before)
{
    const auto grown = static_cast<double>(run.process().resident_bytes()) - static_cast<double>(before);
    run.finish();
    return {{"each_bytes", grown / static_cast<double>(count)}};
}

} // namespace

void open_idle(trial& run, const job& job)
{
    if (job.idle == 0)
        return;
    random_source random(job.seed);
    const request_set asked({.method = "echo", .fill = text_of(16), .count = job.idle}, random);
    for (std::size_t i = 0; i < job.idle; ++i) {
        const caller one = run.open();
        run.exchange(*one.over, request_of(one.how, asked.body(i)));
    }
    run.check(asked);
    std::this_thread::sleep_for(put_away);
}

figures holding_connections(trial& run, const job& job)
{
    const std::size_t before = run.process().resident_bytes();
    open_idle(run, job);
    return memory_of(run, job.idle, before);
}

figures holding_streams(trial& run, const job& job)
{
    const std::size_t before = run.process().resident_bytes();
    for (std::size_t i = 0; i < job.idle; ++i) {
        const caller one = run.open(protocol::mcp_handshake);
        const std::size_t heads = one.over->replies().heads();
        const std::string get = get_of(one.how);
        run.wire().send(*one.over, get);
        run.wire().run(0, [&] { return one.over->replies().heads() > heads; });
    }
    run.wire().received().clear();
    std::this_thread::sleep_for(put_away);
    return memory_of(run, job.idle, before);
}

} // namespace bench
