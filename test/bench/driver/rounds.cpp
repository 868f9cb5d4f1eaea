#include "rounds.hpp"

#include "commands.hpp"
#include "cores.hpp"
#include "support/test_certificates.hpp"
#include "wire.hpp"

#include <partyline/config.hpp>

#include <algorithm>
#include <ctime>
#include <optional>
#include <ostream>
#include <stdexcept>

namespace bench {
namespace {

row make_row(const contender& server)
{
    return {.name = server.name,
            .kind = facts_of(server.which).kind,
            .command = shown_command(server),
            .method = server.work.method,
            .requests = server.work.requests,
            .targets = server.targets};
}

// The reference comes first.
section make_section(const workload& measured)
{
    section made{measured.name, measured.title, measured.unit, measured.shown, measured.compared(), {}, {}};
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

bool needs_certificate(const workload& measured)
{
    const auto& all = measured.contenders;
    return std::any_of(all.begin(), all.end(),
                       [](const contender& server) { return facts_of(server.served).is_encrypted; });
}

bool needs_access(const workload& measured)
{
    const auto& all = measured.contenders;
    return std::any_of(all.begin(), all.end(),
                       [](const contender& server) { return server.shows != credentials::none; });
}

const partyline::test::certificate_text of_loopback = {
    .common_name = "partyline-bench", .addresses = {"127.0.0.1"}, .signed_by = partyline::test::signer::itself};

class round_runner {
public:
    round_runner(const selection& chosen, const options& wanted) : wanted_(wanted)
    {
        if (std::any_of(chosen.workloads.begin(), chosen.workloads.end(), needs_certificate))
            certificate_ = certificates_.emplace().make("bench", of_loopback);
        if (std::any_of(chosen.workloads.begin(), chosen.workloads.end(), needs_access))
            access_.emplace();
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
        double before = note(into.rows[0], run(measured, reference, seed), measured.compared());
        for (std::size_t i = 0; i < measured.contenders.size(); ++i) {
            const double figure =
                note(into.rows[i + 1], run(measured, measured.contenders[i], seed), measured.compared());
            const double after = note(into.rows[0], run(measured, reference, seed), measured.compared());
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
            return measure(
                make_spec(server, wanted_, certificate_ ? &*certificate_ : nullptr, access_ ? &*access_ : nullptr),
                around, work);
        } catch (const std::runtime_error& failed) {
            throw failure("workload " + measured.name + ", " + server.name + ": " + failed.what());
        }
    }

    const options& wanted_;
    surroundings around_;
    std::optional<access_files> access_;
    std::optional<partyline::test::test_certificates> certificates_;
    std::optional<partyline::tls::certificate_files> certificate_; // where servers are measured that have to show one
};

} // namespace

results run_rounds(const selection& chosen, const options& wanted, std::ostream& log)
{
    const round_runner runner(chosen, wanted);
    results all;
    all.partyline = PARTYLINE_VERSION_STRING;
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
