#include "served_program.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <csignal>
#include <stdexcept>
#include <thread>
#include <utility>

#include <poll.h>

namespace partyline::test {
namespace {

words joined(words first, const words& second)
{
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

} // namespace

words service_program::command(const words& options) const
{
    return joined(joined(before, options), after);
}

std::vector<service_program> http_programs()
{
    return {{PARTYLINE_ECHO, {"--http", "0"}},
            {PARTYLINE_TOOLS, {"--root", "/tmp", "--http", "0"}},
            {PARTYLINE_GATEWAY, {"--http", "0"}, {"--", PARTYLINE_ECHO}}};
}

std::vector<service_program> all_programs()
{
    std::vector<service_program> all = http_programs();
    all.push_back({PARTYLINE_MCP_FIXTURE, {"--http", "127.0.0.1:0"}, {}, 0});
    return all;
}

served_program::served_program(const service_program& what, const words& options)
    : program_(what.path, what.command(options)), client_(context_, program_.port())
{
}

served_program::served_program(const std::string& starter, words own, const service_program& what, const words& options)
    : program_(starter, joined(joined(std::move(own), {what.path}), what.command(options))),
      client_(context_, program_.port())
{
}

bool served_program::has_said()
{
    pollfd state{program_.errors().fd(), POLLIN, 0};
    return ::poll(&state, 1, 0) == 1;
}

void served_program::ask_for(int number)
{
    client_.request("GET", "/n" + std::to_string(number));
    BOOST_TEST_REQUIRE(client_.response().status == 404);
}

int served_program::end()
{
    client_.close(); // else it is waited for, for a second
    process().signal(SIGTERM);
    return process().wait_exit();
}

void wait_until(const std::function<bool()>& done)
{
    const auto end = std::chrono::steady_clock::now() + patience;
    while (!done()) {
        if (std::chrono::steady_clock::now() > end)
            throw std::runtime_error("what was waited for has not come");
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

} // namespace partyline::test
