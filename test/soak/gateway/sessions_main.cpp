// soak_gateway: MCP sessions through gateways, each with a server of its own, that end in all ways; and looks for
// servers and descriptors that are left.

#include "counted_main.hpp"
#include "gateway_run.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

using namespace partyline::test;

namespace {

constexpr std::uint64_t usual_seed = 20'251'125;

// What becomes of servers and gateways in turn.
constexpr std::size_t kinds = 4;
constexpr std::uint64_t most_sessions = 100; // of one gateway

// One that lives as long as its session, or one that ends by itself behind the first call.
std::vector<std::string> server_of(std::uint64_t number)
{
    if (number % 2 == 0)
        return {PARTYLINE_MCP_FIXTURE};
    return {"/bin/sh", "-c", "sed -u 3q | \"$0\"", PARTYLINE_MCP_FIXTURE};
}

int signal_of(std::uint64_t number)
{
    return number / 2 % 2 == 0 ? SIGTERM : SIGKILL;
}

int run(std::uint64_t sessions, std::uint64_t seed)
{
    const auto start = std::chrono::steady_clock::now();
    std::mt19937_64 random(seed);
    const std::uint64_t of_each = std::clamp<std::uint64_t>(sessions / kinds, 1, most_sessions);
    std::uint64_t gateways = 0;
    for (std::uint64_t left = sessions; left != 0; ++gateways) {
        const std::uint64_t now = std::min(of_each, left);
        gateway_run one(server_of(gateways), random);
        const std::uint64_t last = (now + 3) / 4;
        one.pass(now - last);
        one.end_by(signal_of(gateways), last);
        left -= now;
    }
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    std::printf("%llu sessions of %llu gateways have ended in %.1f s, and nothing is left\n",
                static_cast<unsigned long long>(sessions), static_cast<unsigned long long>(gateways), time.count());
    return 0;
}

} // namespace

int main(int argc, char** argv)
{
    return counted_main(argc, argv, {"soak_gateway", "SESSIONS", usual_seed, run});
}
