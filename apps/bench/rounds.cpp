#include "rounds.hpp"

#include "cores.hpp"
#include "failure.hpp"
#include "quote.hpp"

#include <algorithm>
#include <ctime>
#include <ostream>

namespace bench {
namespace {

const char* kind_of(program which)
{
    switch (which) {
    case program::cat: return "floor";
    case program::yardstick:
    case program::beast: return "yardstick";
    case program::peer:
    case program::peer_gateway: return "peer";
    case program::users: return "server";
    default: return "partyline";
    }
}

const char* file_of(program which)
{
    switch (which) {
    case program::cat: return "cat";
    case program::yardstick: return "yardstick";
    case program::beast: return "beast-http";
    case program::gateway: return "partyline-gateway";
    case program::echo_server: return "partyline-echo";
    case program::mcp_server: return "partyline-bench-mcp-server";
    default: return "partyline-bench-server";
    }
}

std::string listening_options(service served)
{
    switch (served) {
    case service::streams: break;
    case service::tcp: return " --tcp 127.0.0.1:0";
    case service::http_rpc:
    case service::http_mcp: return " --http 127.0.0.1:0";
    }
    return "";
}

// `place` makes a command of the name of a program's file.
template <class Place>
std::string command_behind(const contender& gateway, Place place)
{
    if (gateway.served == service::http_mcp)
        return place(file_of(program::mcp_server)) + " --mcp";
    return place(file_of(program::echo_server));
}

template <class Place>
std::string command_of(const contender& server, Place place)
{
    const std::string file = place(file_of(server.which));
    if (server.which == program::beast)
        return file;
    const std::string options = server.options.empty() ? "" : " " + server.options;
    if (server.which == program::gateway)
        return file + " --http 127.0.0.1:0" + options + " -- " + command_behind(server, place);
    return file + listening_options(server.served) + options;
}

// As the reader is told: where the programs lie is this machine's affair.
std::string shown_command(const contender& server)
{
    if (!server.origin.empty())
        return server.origin;
    if (server.which == program::users)
        return server.command;
    return command_of(server, [](const char* name) { return std::string(name); });
}

server_spec make_spec(const contender& server, const options& wanted)
{
    if (server.which == program::cat)
        return {.command = "cat"};
    const auto place = [&](const char* name) { return shell_word(wanted.programs + "/" + name); };
    std::string command = server.command.empty() ? command_of(server, place) : server.command;
    if (server.which == program::peer_gateway)
        command += " " + command_behind(server, place);
    server_spec made{.command = command,
                     .how = server.how,
                     .echo_method = server.echo_method,
                     .spoken = server.spoken,
                     .served = server.served};
    if (server.which == program::beast)
        made.echo_method.reset(); // it gives back what it gets
    return made;
}

row make_row(const contender& server)
{
    row made;
    made.name = server.name;
    made.kind = kind_of(server.which);
    made.command = shown_command(server);
    made.method = server.work.method;
    made.requests = server.work.requests;
    made.targets = server.targets;
    return made;
}

// The reference comes first.
section make_section(const workload& measured)
{
    section made{measured.name, measured.title, measured.unit, measured.shown, measured.compared, {}, {}};
    for (const contender& server : measured.reference) {
        made.reference = server.name;
        made.rows.push_back(make_row(server));
    }
    for (const contender& server : measured.contenders)
        made.rows.push_back(make_row(server));
    return made;
}

std::string now()
{
    const std::time_t time = std::time(nullptr);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&time));
    return text;
}

std::string transport_of(const selection& chosen, const options& wanted)
{
    const auto is_on_port = [](const workload& one) { return one.contenders.front().served != service::streams; };
    if (std::all_of(chosen.workloads.begin(), chosen.workloads.end(), is_on_port))
        return "TCP on loopback";
    return wanted.over == transport::pipes ? "pipes" : "socket pairs";
}

class round_runner {
public:
    round_runner(const options& wanted) : wanted_(wanted)
    {
        around_.over = wanted.over;
        around_.patience = wanted.timeout;
        const std::vector<int> cores = usable_cores();
        if (wanted.is_pinned && cores.size() > 1) {
            around_.client_cores = {cores.front()};
            around_.server_cores = {cores.back()};
        }
    }

    bool is_pinned() const noexcept { return !around_.client_cores.empty(); }

    void run(const workload& measured, std::uint64_t seed, section& into) const
    {
        if (measured.reference.empty()) {
            for (std::size_t i = 0; i < measured.contenders.size(); ++i)
                into.rows[i].rounds.push_back(run(measured, measured.contenders[i], seed));
            return;
        }
        const contender& reference = measured.reference.front();
        double before = note(into.rows[0], run(measured, reference, seed), measured.compared);
        for (std::size_t i = 0; i < measured.contenders.size(); ++i) {
            const double figure =
                note(into.rows[i + 1], run(measured, measured.contenders[i], seed), measured.compared);
            const double after = note(into.rows[0], run(measured, reference, seed), measured.compared);
            into.rows[i + 1].ratios.push_back(figure / ((before + after) / 2));
            before = after;
        }
    }

private:
    static double note(row& into, figures measured, const std::string& compared)
    {
        into.rounds.push_back(std::move(measured));
        return into.rounds.back().at(compared);
    }

    figures run(const workload& measured, const contender& server, std::uint64_t seed) const
    {
        surroundings around = around_;
        if (!measured.is_pinned)
            around.client_cores = around.server_cores = {};
        job work = server.work;
        work.seed = seed;
        try {
            return measure(make_spec(server, wanted_), around, work);
        } catch (const failure& failed) {
            throw failure("workload " + measured.name + ", " + server.name + ": " + failed.what());
        }
    }

    const options& wanted_;
    surroundings around_;
};

} // namespace

results run_rounds(const selection& chosen, const options& wanted, std::ostream& log)
{
    const round_runner runner(wanted);
    results all;
    all.partyline = PARTYLINE_VERSION;
    all.date = now();
    all.seed = wanted.seed;
    all.rounds = wanted.rounds;
    all.quick = wanted.is_quick;
    all.transport = transport_of(chosen, wanted);
    all.machine = describe_machine(runner.is_pinned());
    all.remarks = chosen.remarks;
    for (const workload& measured : chosen.workloads)
        all.workloads.push_back(make_section(measured));

    random_source seeds(wanted.seed);
    for (std::size_t round = 0; round < wanted.rounds; ++round) {
        for (std::size_t i = 0; i < chosen.workloads.size(); ++i) {
            const std::uint64_t seed = seeds.next();
            if (round >= chosen.workloads[i].max_rounds)
                continue;
            log << "round " << round + 1 << " of " << wanted.rounds << ": " << chosen.workloads[i].name << std::endl;
            runner.run(chosen.workloads[i], seed, all.workloads[i]);
        }
    }
    summarise(all);
    return all;
}

} // namespace bench
