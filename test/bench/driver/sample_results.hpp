#pragma once

#include <bench/results.hpp>

namespace bench::test {

/// What a small run might have come to.
inline results make_results()
{
    const auto server = [](std::string name, std::string kind, std::vector<double> cpu) {
        row made;
        made.name = std::move(name);
        made.kind = std::move(kind);
        made.command = made.name;
        made.method = "echo";
        made.requests = 200000;
        for (double us : cpu)
            made.rounds.push_back({{"cpu_us", us}, {"per_second", 1e6 / us}});
        return made;
    };
    results all;
    all.partyline = "0.1.0";
    all.date = "2026-01-02T03:04:05Z";
    all.seed = 42;
    all.rounds = 3;
    all.transport = "pipes";
    all.machine = {"A Fast <CPU>", 2, "Linux 6", "g++ 12.2.0", "1.81.0", "glibc 2.36", true};
    all.remarks = {"Without peers."};
    section echo{"echo", "Echo of 16 bytes", "request", {"cpu_us", "per_second"}, "cpu_us", "yardstick", {}};
    echo.rows = {server("yardstick", "yardstick", {1, 1, 1}), server("cat", "floor", {0.06, 0.05, 0.07}),
                 server("partyline", "partyline", {0.5, 0.4, 0.65}), server("peer & co 1.0", "peer", {150, 120, 100})};
    echo.rows[1].ratios = {0.06, 0.05, 0.07};
    echo.rows[2].ratios = {0.5, 0.4, 0.65};
    echo.rows[2].targets = {{"ratio", 0.6}, {"cpu_us", 0.45}};
    echo.rows[2].command = "partyline --max-batch=2";
    echo.rows[3].ratios = {150, 120, 100};
    section start{"start", "Start", "start", {"cpu_us"}, "", "", {server("partyline", "partyline", {5, 4, 3})}};
    start.rows[0].targets = {{"cpu_us", 5}};
    all.workloads = {echo, start};
    summarise(all);
    return all;
}

} // namespace bench::test
