// soak_http: POSTs to a server over many connections, of which half break off anywhere; accounts for each POST, and
// looks at what is left in the end.

#include "client_pool.hpp"
#include "steady_memory.hpp"
#include "support/http_program.hpp"
#include "support/mebibyte.hpp"
#include "support/process_state.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>

#include <signal.h>

using namespace partyline::test;

namespace {

constexpr std::size_t connections = 64;
// Its heap depends on how many long bodies have been under way at once.
constexpr std::size_t heap_margin = 16 * mebibyte;
constexpr std::uint64_t usual_seed = 20'250'618; // the same POSTs in every run

void print(const client_counts& n, double seconds)
{
    const auto number = [](std::uint64_t value) { return static_cast<unsigned long long>(value); };
    std::printf("%llu POSTs in %.1f s (%.0f a second) over %llu connections, of which %llu were left early:\n",
                number(n.posts), seconds, static_cast<double>(n.posts) / seconds, number(n.connections),
                number(n.left));
    std::printf("%llu answered, %llu given up by their clients; %llu messages of progress\n", number(n.answered),
                number(n.abandoned), number(n.told));
}

void require(bool is_so, const char* what)
{
    if (!is_so)
        throw std::runtime_error(what);
}

// Throws unless the server ends as it was told, and has told of nothing.
void end(http_program& server)
{
    server.process().signal(SIGTERM);
    require(server.process().wait_exit() == 128 + SIGTERM, "the server has not ended as it should");
    require(server.errors().read_rest().empty(), "the server has logged something");
}

// What the server can tell of a run that has failed.
void print_end_of(http_program& server)
{
    const bool has_ended = server.process().exits_within(std::chrono::seconds(1));
    if (has_ended)
        std::fprintf(stderr, "soak_http: the server has ended with %d\n", server.process().wait_exit());
    else
        server.process().signal(SIGKILL);
    std::fprintf(stderr, "soak_http: the server had said: %s\n", server.errors().read_rest().c_str());
}

// With no connection left: bodies that are under way are no growth.
std::size_t resident_after(std::uint64_t posts, client_pool& clients, const http_program& server)
{
    clients.run(posts);
    clients.finish();
    return server.process().resident_bytes();
}

void run_posts(http_program& server, std::uint64_t posts, std::uint64_t seed)
{
    const auto start = std::chrono::steady_clock::now();
    const pid_t id = server.process().id();
    const std::size_t descriptors = descriptors_of(id);
    client_pool clients(server.port(), connections, post_mix(seed), any_plan);
    const std::size_t early = resident_after(std::min<std::uint64_t>(100'000, posts / 2), clients, server);
    const std::size_t late = resident_after(posts, clients, server);

    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    const client_counts& counts = clients.counts();
    print(counts, time.count());
    require(counts.answered + counts.abandoned == counts.posts, "not every POST is accounted for");
    require(has_at_most_descriptors_soon(id, descriptors), "the server keeps descriptors");
    require(is_steady(early, late, heap_margin), "the server's memory has grown");
}

int run(const std::string& program, std::uint64_t posts, std::uint64_t seed)
{
    std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
    http_program server(program, {"--http", "127.0.0.1:0"});
    try {
        run_posts(server, posts, seed);
        end(server);
        return 0;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "soak_http: %s\n", e.what());
    }
    print_end_of(server);
    return 1;
}

} // namespace

int main(int argc, char** argv)
{
    ::signal(SIGPIPE, SIG_IGN);
    try {
        if (argc == 3 || argc == 4)
            return run(argv[1], std::stoull(argv[2]), argc == 4 ? std::stoull(argv[3]) : usual_seed);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "soak_http: %s\n", e.what());
        return 1;
    }
    std::fprintf(stderr, "usage: soak_http SERVER POSTS [SEED]\n");
    return 2;
}
