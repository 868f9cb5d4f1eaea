#include "test_threads.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

namespace partyline::test {
namespace {

bool has_threads(std::string_view program)
{
    program.remove_prefix(program.rfind('/') + 1);
    return program == "partyline-echo" || program == "partyline-gateway" || program == "partyline-tools";
}

bool listens(const std::vector<std::string>& words)
{
    constexpr std::array<std::string_view, 7> sockets{
        "--listen", "--listen-inherited", "--http", "--http-unix", "--http-inherited", "--tcp", "--unix"};
    const auto end = std::ranges::find(words, "--"); // what follows is another program's
    return std::any_of(words.begin(), end,
                       [&](const std::string& word) { return std::ranges::find(sockets, word) != sockets.end(); });
}

} // namespace

std::size_t test_threads()
{
    const char* const count = std::getenv("PARTYLINE_TEST_THREADS"); // NOLINT(concurrency-mt-unsafe): nobody sets it
    return count ? std::stoul(count) : 1;
}

std::vector<std::string> by_test_threads(const std::string& program, std::vector<std::string> words)
{
    const std::size_t count = test_threads();
    const bool says_it = std::ranges::find(words, "--threads") != words.end();
    if (count != 1 && !says_it && has_threads(program) && listens(words))
        words.insert(words.begin(), {"--threads", std::to_string(count)});
    return words;
}

} // namespace partyline::test
