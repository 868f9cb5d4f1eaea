#include "running_gateway.hpp"

#include "support/process_state.hpp"

#include <utility>

namespace partyline::test {
namespace {

std::vector<std::string> at_any_port(std::vector<std::string> words)
{
    words.insert(words.begin(), {"--listen", "127.0.0.1:0"});
    return words;
}

} // namespace

running_gateway::running_gateway(std::vector<std::string> words)
    : program_(PARTYLINE_GATEWAY, at_any_port(std::move(words)))
{
}

std::vector<pid_t> running_gateway::servers() const
{
    return children_of(program_.process().id());
}

std::vector<pid_t> running_gateway::wait_for_servers(std::size_t count)
{
    std::vector<pid_t> found;
    run_until(context, [&] {
        found = servers();
        return found.size() == count;
    });
    return found;
}

} // namespace partyline::test
