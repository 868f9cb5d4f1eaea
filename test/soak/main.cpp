// soak: talks to a server until it has had a given number of answers, accounts for each, and watches its memory.

#include "soak.hpp"
#include "steady_memory.hpp"
#include "support/mebibyte.hpp"
#include "support/sanitized.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <string>

#include <signal.h>

using partyline::test::request_mix;
using partyline::test::soak;

namespace {

constexpr std::size_t window = 2'000;
constexpr std::uint64_t seed = 20'030'401; // the same requests in every run

void print(const request_mix& client, double seconds)
{
    const request_mix::figures& n = client.counts();
    const auto number = [](std::uint64_t value) { return static_cast<unsigned long long>(value); };
    std::printf("%llu requests answered in %.1f s (%.0f a second):\n", number(client.answered()), seconds,
                static_cast<double>(client.answered()) / seconds);
    std::printf("%llu results (in %llu batches and alone), %llu cancelled, %llu cancelled too late, %llu errors, "
                "%llu bad lines; and %llu notifications; %llu parts of long results\n",
                number(n.results), number(n.batches), number(n.cancelled), number(n.cancelled_too_late),
                number(n.errors), number(n.bad_lines), number(n.notifications), number(n.parts));
}

// Whether it has kept to a bound while nobody read: that of the outbox, what handlers have at hand, and what the heap
// makes of both. What there was to say is twice as much.
bool is_bounded(std::size_t before, std::size_t after, std::size_t peak)
{
    const std::size_t margin = 32 * partyline::test::mebibyte;
    std::printf("with a peer that lags: %zu KiB at the end, %zu KiB at most; allowed growth %zu KiB\n", after / 1024,
                peak / 1024, margin / 1024);
    return partyline::test::is_sanitized || peak <= before + margin;
}

int run(const std::string& server, std::uint64_t requests)
{
    const auto start = std::chrono::steady_clock::now();
    soak conversation(server, window, seed);
    conversation.run(std::min<std::uint64_t>(100'000, requests / 2));
    const std::size_t early = conversation.resident_bytes();
    conversation.run(requests / 5 * 4);
    const std::size_t late = conversation.resident_bytes();
    conversation.begin_lags();
    conversation.run(requests);
    const std::size_t end = conversation.resident_bytes();
    const std::size_t peak = conversation.peak_resident_bytes();
    conversation.finish();

    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    print(conversation.client(), time.count());
    const bool steady = partyline::test::is_steady(early, late, std::max(early / 20, partyline::test::mebibyte));
    const bool bounded = is_bounded(late, end, peak);
    if (steady && bounded)
        return 0;
    std::fprintf(stderr, "soak: the server's memory has grown\n");
    return 1;
}

} // namespace

int main(int argc, char** argv)
{
    ::signal(SIGPIPE, SIG_IGN);
    try {
        if (argc == 3)
            return run(argv[1], std::stoull(argv[2]));
    } catch (const std::exception& e) {
        std::fprintf(stderr, "soak: %s\n", e.what());
        return 1;
    }
    std::fprintf(stderr, "usage: soak SERVER REQUESTS\n");
    return 2;
}
