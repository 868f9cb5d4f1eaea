#pragma once

#include <cstdint>

namespace partyline::test {

/// The main() of a test that does so many of something, by a seed that it prints: `NAME COUNTED [SEED]`. What `run`
/// throws is told, and a failure.
struct counted_run {
    const char* name;
    const char* counted; // in capital letters
    std::uint64_t usual_seed;
    int (*run)(std::uint64_t count, std::uint64_t seed);
};

int counted_main(int argc, char** argv, const counted_run& what);

} // namespace partyline::test
