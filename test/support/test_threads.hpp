#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace partyline::test {

/// How many threads servers have that tests start, where these do not say: 1, or what the environment says by
/// PARTYLINE_TEST_THREADS. Tests of bounds that are divided among the threads ask for one.
std::size_t test_threads();

/// The words of a program, with `--threads` where the environment says how many, it is one of ours that listens, and
/// the words do not say it.
std::vector<std::string> by_test_threads(const std::string& program, std::vector<std::string> words);

} // namespace partyline::test
