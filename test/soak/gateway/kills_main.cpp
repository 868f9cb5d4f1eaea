// soak_kills: kills the servers behind gateways, while clients call all the time, and accounts for each request.

#include "siege.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <exception>
#include <list>
#include <stdexcept>
#include <string>

#include <signal.h>

using namespace partyline::test;

namespace {

constexpr std::array kinds{siege::server::plain, siege::server::own, siege::server::shared};
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

void finish(siege& one, totals& all)
{
    one.finish();
    const visit_counts& counts = one.counts();
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
    std::list<siege> sieges;
    for (; sieges.size() != gateways && kills != 0; kills -= std::min(kills, most_kills_of_one)) {
        sieges.emplace_back(kinds[sieges.size() % kinds.size()], seed + sieges.size(),
                            std::min(kills, most_kills_of_one));
        all.kills += std::min(kills, most_kills_of_one);
    }
    while (!std::all_of(sieges.begin(), sieges.end(), [](const siege& each) { return each.is_over(); })) {
        for (siege& each : sieges)
            each.turn();
    }
    for (siege& each : sieges)
        finish(each, all);
}

int run(std::uint64_t kills, std::uint64_t seed)
{
    std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
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
    ::signal(SIGPIPE, SIG_IGN);
    try {
        if (argc == 2 || argc == 3)
            return run(std::stoull(argv[1]), argc == 3 ? std::stoull(argv[2]) : usual_seed);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "soak_kills: %s\n", e.what());
        return 1;
    }
    std::fprintf(stderr, "usage: soak_kills KILLS [SEED]\n");
    return 2;
}
