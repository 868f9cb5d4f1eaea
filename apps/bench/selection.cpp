#include "selection.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace bench {
namespace {

constexpr std::size_t slower = 20;          // peers are up to 200 times slower than the yardstick,
constexpr std::size_t least_requests = 100; // which has to be enough for them to warm up

bool is_users_place(const contender& server)
{
    return server.which == program::echo_server;
}

bool is_baseline(const contender& server)
{
    return server.which == program::cat || server.which == program::yardstick;
}

// The user's server takes the place of partyline-echo; only partyline's own has more methods than that.
void put_users_server(workload& measured, const options& wanted)
{
    std::vector<contender> kept;
    for (contender& server : measured.contenders) {
        if (is_users_place(server)) {
            server.which = program::users;
            server.name = wanted.server;
            server.command = wanted.server;
            server.how = wanted.how;
            server.echo_method = server.work.method = wanted.method;
            server.options.clear();
            server.targets.clear();
        } else if (!is_baseline(server)) {
            continue;
        }
        kept.push_back(std::move(server));
    }
    measured.contenders = std::move(kept);
}

contender make_contender(const peer& other, const workload& measured)
{
    job work = measured.reference.empty() ? measured.contenders.front().work : measured.reference.front().work;
    work.echoes = false;
    if (work.requests > least_requests)
        work.requests = std::max(least_requests, work.requests / slower);
    constexpr std::size_t enough = 15; // Go's go on with the time of day and the commit
    return {.name = other.name + " " + other.version.substr(0, enough),
            .which = program::peer,
            .work = std::move(work),
            .command = other.command,
            .origin = other.name + " " + other.version,
            .how = other.how};
}

bool has_users_place(const workload& measured)
{
    return std::any_of(measured.contenders.begin(), measured.contenders.end(), is_users_place);
}

std::vector<workload> pick(std::vector<workload> all, const std::vector<std::string>& names)
{
    if (names.empty())
        return all;
    std::vector<workload> picked;
    for (const std::string& name : names) {
        const auto found = std::find_if(all.begin(), all.end(), [&](const workload& w) { return w.name == name; });
        if (found == all.end())
            throw std::invalid_argument("there is no workload '" + name + "'; --list names them");
        picked.push_back(*found);
    }
    return picked;
}

void leave_out(selection& chosen, const options& wanted)
{
    for (const workload& measured : chosen.workloads) {
        if (has_users_place(measured))
            continue;
        if (!wanted.workloads.empty())
            throw std::invalid_argument("the workload '" + measured.name + "' takes methods of partyline's own server");
        chosen.remarks.push_back("Without " + measured.name + ", which takes methods of partyline's own server.");
    }
    std::erase_if(chosen.workloads, [](const workload& measured) { return !has_users_place(measured); });
}

} // namespace

selection select(std::vector<workload> all, const options& wanted, const std::vector<peer>& peers)
{
    selection chosen{pick(std::move(all), wanted.workloads), {}};
    if (!wanted.server.empty()) {
        leave_out(chosen, wanted);
        for (workload& measured : chosen.workloads)
            put_users_server(measured, wanted);
    }
    for (workload& measured : chosen.workloads) {
        for (const peer& other : peers) {
            if (measured.has_peers)
                measured.contenders.push_back(make_contender(other, measured));
        }
    }
    if (peers.empty())
        chosen.remarks.push_back("Without peers: `bash cmake/setup.sh peers` sets them up.");
    return chosen;
}

} // namespace bench
