// What connections and sessions hold that have nothing to do.

#include "idle_connections.hpp"
#include "measure.hpp"
#include "trial.hpp"

#include <chrono>
#include <thread>

namespace bench::http {
namespace {

figures memory_of(trial& run, std::size_t count, std::size_t before)
{
    const auto grown = static_cast<double>(run.process().resident_bytes()) - static_cast<double>(before);
    run.finish();
    return {{"each_bytes", grown / static_cast<double>(count)}};
}

} // namespace

figures holding_connections(trial& run, const job& job)
{
    const std::size_t before = run.process().resident_bytes();
    open_idle(run, job.idle, job.seed);
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
        run.wire().run([&] { return one.over->replies().heads() > heads; }, [](connection&) {});
    }
    run.wire().received().clear();
    std::this_thread::sleep_for(std::chrono::seconds(3)); // as in open_idle()
    return memory_of(run, job.idle, before);
}

} // namespace bench::http
