#include "selection.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace bench {
namespace {

constexpr std::size_t slower = 20;          // peers are up to 200 times slower than the yardstick,
constexpr std::size_t least_requests = 100; // which has to be enough for them to warm up

bool is_users_place(const contender& server)
{
    return server.which == program::echo_server && server.served == service::streams;
}

bool is_baseline(const contender& server)
{
    const std::string kind = facts_of(server.which).kind;
    return kind == "floor" || kind == "yardstick";
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

// The reference's, unless that is asked in another protocol.
const job& work_for(const peer& other, const workload& measured)
{
    const bool is_references = !measured.reference.empty() && measured.reference.front().spoken == other.spoken;
    return is_references ? measured.reference.front().work : measured.contenders.front().work;
}

bool takes(const workload& measured, const peer& other)
{
    const contender& first = measured.contenders.front();
    return measured.has_peers && first.spoken == other.spoken && first.served == other.served &&
           (first.which == program::gateway) == other.is_gateway;
}

contender make_contender(const peer& other, const workload& measured)
{
    job work = work_for(other, measured);
    work.echoes = false;
    if (work.requests > least_requests)
        work.requests = std::max(least_requests, work.requests / slower);
    constexpr std::size_t enough = 15; // Go's go on with the time of day and the commit
    return {.name = other.name + " " + other.version.substr(0, enough),
            .which = other.is_gateway ? program::peer_gateway : program::peer,
            .work = std::move(work),
            .command = other.command,
            .origin = other.name + " " + other.version,
            .how = other.how,
            .spoken = other.spoken,
            .served = other.served};
}

// Whether there was one.
bool add_peers(workload& measured, const std::vector<peer>& peers)
{
    const std::size_t before = measured.contenders.size();
    for (const peer& other : peers) {
        if (takes(measured, other))
            measured.contenders.push_back(make_contender(other, measured));
    }
    return measured.contenders.size() != before;
}

bool has_users_place(const workload& measured)
{
    return std::any_of(measured.contenders.begin(), measured.contenders.end(), is_users_place);
}

// One of that name, or several whose names go on from there: "mcp" is all of "mcp-call", "mcp-list" and so on.
bool is_meant(const workload& one, const std::string& name, bool is_a_name)
{
    return is_a_name ? one.name == name : one.name.starts_with(name + '-');
}

std::vector<workload> pick(std::vector<workload> all, const std::vector<std::string>& names)
{
    if (names.empty())
        return all;
    std::vector<workload> picked;
    for (const std::string& name : names) {
        const bool is_a_name = std::any_of(all.begin(), all.end(), [&](const workload& w) { return w.name == name; });
        const std::size_t before = picked.size();
        std::copy_if(all.begin(), all.end(), std::back_inserter(picked),
                     [&](const workload& w) { return is_meant(w, name, is_a_name); });
        if (picked.size() == before)
            throw std::invalid_argument("there is no workload '" + name + "'; --list names them");
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
        if (!add_peers(measured, peers) && measured.has_peers && !peers.empty())
            chosen.remarks.push_back("Without peers in " + measured.name +
                                     ": `bash cmake/setup.sh peers` sets them up.");
    }
    if (peers.empty())
        chosen.remarks.push_back("Without peers: `bash cmake/setup.sh peers` sets them up.");
    return chosen;
}

} // namespace bench
