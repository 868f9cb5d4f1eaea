#include "gateway_run.hpp"

#include "gateway_log.hpp"
#include "support/process_state.hpp"

#include <stdexcept>

#include <signal.h>

namespace partyline::test {
namespace {

std::vector<std::string> command_of(const std::vector<std::string>& server)
{
    std::vector<std::string> words{"--session-idle", "1", "--"};
    words.insert(words.end(), server.begin(), server.end());
    return words;
}

} // namespace

gateway_run::gateway_run(std::vector<std::string> server, std::mt19937_64& random)
    : random_(random), gateway_(command_of(server)), descriptors_(descriptors_of(gateway_.process().id()))
{
}

void gateway_run::pass(std::size_t sessions)
{
    for (; sessions != 0; --sessions) {
        end_any_way(gateway_, random_);
        read_log(gateway_.errors());
    }
    wait_until_nothing_is_left();
}

void gateway_run::wait_until_nothing_is_left()
{
    gateway_.wait_for_servers(0);
    if (!has_at_most_descriptors_soon(gateway_.process().id(), descriptors_))
        throw std::runtime_error("the gateway keeps descriptors of sessions that have ended");
    read_log(gateway_.errors());
}

void gateway_run::end_by(int signal, std::size_t sessions)
{
    for (; sessions != 0; --sessions) {
        alive_.emplace_back(gateway_);
        if (random_() % 2 == 0)
            alive_.back().begin_slow_call();
    }
    const std::vector<pid_t> servers = descendants_of(gateway_.process().id());
    if (servers.empty() && !alive_.empty())
        throw std::runtime_error("sessions have no servers");
    gateway_.process().signal(signal);
    if (signal == SIGTERM) {
        for (live_session& each : alive_) // what is under way is still answered
            each.finish();
    }
    if (gateway_.process().wait_exit() != (signal == SIGKILL ? -SIGKILL : 128 + signal))
        throw std::runtime_error("the gateway has not ended as it should");
    for (const pid_t server : servers) {
        if (!is_gone_soon(server))
            throw std::runtime_error("a server has outlived its gateway");
    }
    read_log(gateway_.errors());
    alive_.clear();
}

} // namespace partyline::test
