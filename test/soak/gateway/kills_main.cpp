// soak_kills: kills the servers behind gateways, while clients call all the time, and accounts for each request.

#include "counted_main.hpp"
#include "server_killer.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <list>
#include <stdexcept>
#include <string>

using namespace partyline::test;

namespace {

constexpr std::array kinds{server_killer::server::plain, server_killer::server::own, server_killer::server::shared};
constexpr std::size_t gateways = 2 * kinds.size(); // at once

// More than eight starts in a minute are a server that is given up, and each one waits longer than the one before it.
constexpr std::size_t most_kills_of_one = 5;

constexpr std::uint64_t usual_seed = 20'261'125;

struct totals {
    std::uint64_t kills = 0;
    std::uint64_t answered = 0;
    std::uint64_t abandoned = 0;
    std::uint64_t failed = 0;
    std::chrono::steady_clock::duration longest_wait{};
};

void finish(server_killer& one, totals& all)
{
    one.finish();
    const client_counts& counts = one.counts();
    if (counts.answered + counts.abandoned != counts.posts)
        throw std::runtime_error("not every POST is accounted for");
    all.answered += counts.answered;
    all.abandoned += counts.abandoned;
    all.failed += counts.failed;
    all.longest_wait = std::max(all.longest_wait, counts.longest_wait);
}

// Kills so many at most.
void run_some(std::size_t kills, std::uint64_t seed, totals& all)
{
    std::list<server_killer> killers;
    for (; killers.size() != gateways && kills != 0; kills -= std::min(kills, most_kills_of_one)) {
        killers.emplace_back(kinds[killers.size() % kinds.size()], seed + killers.size(),
                             std::min(kills, most_kills_of_one));
        all.kills += std::min(kills, most_kills_of_one);
    }
    while (!std::all_of(killers.begin(), killers.end(), [](const server_killer& each) { return each.is_over(); })) {
        for (server_killer& each : killers)
            each.poll();
    }
    for (server_killer& each : killers)
        finish(each, all);
}

int run(std::uint64_t kills, std::uint64_t seed)
{
    const auto start = std::chrono::steady_clock::now();
    totals all;
    for (std::uint64_t round = 0; all.kills != kills; ++round)
        run_some(kills - all.kills, seed + gateways * round, all);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    const std::chrono::duration<double> longest = all.longest_wait;
    const auto number = [](std::uint64_t value) { return static_cast<unsigned long long>(value); };
    std::printf(
        "%llu servers killed in %.1f s; %llu POSTs answered, with %llu errors in them, and %llu given up by their "
        "clients; the longest took %.1f s\n",
        number(all.kills), time.count(), number(all.answered), number(all.failed), number(all.abandoned),
        longest.count());
    if (all.failed != 0)
        return 0;
    std::fprintf(stderr, "soak_kills: nothing was under way when servers were killed\n");
    return 1;
}

} // namespace

int main(int argc, char** argv)
{
    return counted_main(argc, argv, {"soak_kills", "KILLS", usual_seed, run});
}
