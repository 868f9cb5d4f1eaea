#include "counted_main.hpp"

#include <cstdio>
#include <exception>
#include <string>

#include <signal.h>

namespace partyline::test {

int counted_main(int argc, char** argv, const counted_run& what)
{
    ::signal(SIGPIPE, SIG_IGN);
    try {
        if (argc == 2 || argc == 3) {
            const std::uint64_t seed = argc == 3 ? std::stoull(argv[2]) : what.usual_seed;
            std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
            return what.run(std::stoull(argv[1]), seed);
        }
    } catch (const std::exception& e) {
        std::fprintf(stderr, "%s: %s\n", what.name, e.what());
        return 1;
    }
    std::fprintf(stderr, "usage: %s %s [SEED]\n", what.name, what.counted);
    return 2;
}

} // namespace partyline::test
