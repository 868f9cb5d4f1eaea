// soak_gateway: MCP sessions through gateways, each with a server of its own, that end in all ways; and looks for servers and
// descriptors that are left.

#include "life.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <random>
#include <string>
#include <vector>

#include <signal.h>

using namespace partyline::test;

namespace {

constexpr std::uint64_t usual_seed = 20'251'125;

// What becomes of servers and gateways in turn.
constexpr std::size_t kinds = 4;
constexpr std::uint64_t most_sessions = 100; // of one gateway

// One that lives as long as its session, or one that ends by itself behind the first call.
std::vector<std::string> server_of(std::uint64_t life)
{
    if (life % 2 == 0)
        return {PARTYLINE_MCP_FIXTURE};
    return {"/bin/sh", "-c", "sed -u 3q | \"$0\"", PARTYLINE_MCP_FIXTURE};
}

int signal_of(std::uint64_t life)
{
    return life / 2 % 2 == 0 ? SIGTERM : SIGKILL;
}

int run(std::uint64_t sessions, std::uint64_t seed)
{
    std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
    const auto start = std::chrono::steady_clock::now();
    std::mt19937_64 random(seed);
    const std::uint64_t of_each = std::clamp<std::uint64_t>(sessions / kinds, 1, most_sessions);
    std::uint64_t lives = 0;
    for (std::uint64_t left = sessions; left != 0; ++lives) {
        const std::uint64_t now = std::min(of_each, left);
        life one(server_of(lives), random);
        const std::uint64_t last = (now + 3) / 4;
        one.pass(now - last);
        one.end_by(signal_of(lives), last);
        left -= now;
    }
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    std::printf("%llu sessions of %llu gateways have ended in %.1f s, and nothing is left\n",
                static_cast<unsigned long long>(sessions), static_cast<unsigned long long>(lives), time.count());
    return 0;
}

} // namespace

int main(int argc, char** argv)
{
    ::signal(SIGPIPE, SIG_IGN);
    try {
        if (argc == 2 || argc == 3)
            return run(std::stoull(argv[1]), argc == 3 ? std::stoull(argv[2]) : usual_seed);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "soak_gateway: %s\n", e.what());
        return 1;
    }
    std::fprintf(stderr, "usage: soak_gateway SESSIONS [SEED]\n");
    return 2;
}
