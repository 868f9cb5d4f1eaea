#include "quote.hpp"
#include "report.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string_view>
#include <utility>
#include <vector>

namespace bench {
namespace {

using cells = std::vector<std::string>;

// Three digits that matter; large numbers whole, with commas.
std::string format(double number)
{
    if (std::abs(number) >= 99.95)
        return grouped(static_cast<unsigned long long>(std::llround(number)));
    char text[32];
    std::snprintf(text, sizeof text, std::abs(number) >= 9.995 ? "%.1f" : "%.2f", number);
    return text;
}

std::string format(const spread& values)
{
    return format(values.median) + " (" + format(values.min) + "–" + format(values.max) + ")";
}

std::string heading(const std::string& figure, const std::string& unit)
{
    const std::pair<std::string_view, std::string> all[] = {
        {"cpu_us", "CPU per " + unit + ", µs"},
        {"per_second", unit + "s per second"},
        {"wall_ms", "time, ms"},
        {"peak_mib", "peak memory, MiB"},
        {"peak_per_message", "peak memory ÷ message"},
        {"p50_us", "p50, µs"},
        {"p90_us", "p90, µs"},
        {"p99_us", "p99, µs"},
        {"max_us", "max, µs"},
        {"memory_bytes", "memory per request beyond its params, bytes"},
        {"start_ms", "time, ms"},
        {"idle_ms", "CPU time, ms"},
        {"ratio", "ratio"},
    };
    const auto found =
        std::find_if(std::begin(all), std::end(all), [&](const auto& entry) { return entry.first == figure; });
    return found == std::end(all) ? figure : found->second;
}

spread spread_of_rounds(const row& server, const std::string& figure)
{
    std::vector<double> values;
    for (const figures& round : server.rounds)
        values.push_back(round.at(figure));
    return spread_of(std::move(values));
}

std::string judge(const section& workload, const row& server)
{
    std::string text;
    for (const target& wanted : server.targets) {
        if (!text.empty())
            text += "; ";
        const bool names_it = server.targets.size() > 1 || wanted.figure != workload.shown.front();
        if (names_it && wanted.figure != "ratio")
            text += heading(wanted.figure, workload.unit) + " ";
        text += (wanted.figure == "ratio" ? "ratio ≤ " : "≤ ") + format(wanted.at_most) +
                (wanted.reached ? ": reached" : ": **not reached**");
    }
    return text;
}

bool has_targets(const section& workload)
{
    return std::any_of(workload.rows.begin(), workload.rows.end(),
                       [](const row& server) { return !server.targets.empty(); });
}

cells head_cells(const section& workload)
{
    cells head = {"server", "requests × rounds"};
    for (const std::string& figure : workload.shown)
        head.push_back(heading(figure, workload.unit));
    if (!workload.reference.empty())
        head.push_back("× " + workload.reference);
    if (has_targets(workload))
        head.push_back("target");
    return head;
}

cells row_cells(const section& workload, const row& server)
{
    cells made = {server.name, grouped(server.requests) + " × " + std::to_string(server.rounds.size())};
    for (const std::string& figure : workload.shown) {
        const bool has_spread = figure == workload.shown.front() && server.rounds.size() > 1;
        made.push_back(has_spread ? format(spread_of_rounds(server, figure)) : format(server.median.at(figure)));
    }
    if (!workload.reference.empty())
        made.push_back(server.ratio ? format(*server.ratio) : "1");
    if (has_targets(workload))
        made.push_back(judge(workload, server));
    return made;
}

// What one sees of UTF-8 text.
std::size_t width(std::string_view text)
{
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string draw(const std::vector<cells>& rows)
{
    std::vector<std::size_t> widths(rows.front().size());
    for (const cells& line : rows) {
        for (std::size_t i = 0; i < line.size(); ++i)
            widths[i] = std::max(widths[i], width(line[i]));
    }
    std::string text;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        for (std::size_t i = 0; i < widths.size(); ++i)
            text += "| " + rows[r][i] + std::string(widths[i] - width(rows[r][i]) + 1, ' ');
        text += "|\n";
        for (std::size_t i = 0; r == 0 && i < widths.size(); ++i)
            text += "|" + std::string(widths[i] + 2, '-') + (i + 1 == widths.size() ? "|\n" : "");
    }
    return text;
}

// What is not as by default; each command line once, with those whose it is.
std::string given_options(const section& workload)
{
    std::vector<std::pair<std::string, std::string>> commands;
    for (const row& server : workload.rows) {
        if (server.kind != "partyline" || server.command.find(' ') == std::string::npos)
            continue;
        const auto same = std::find_if(commands.begin(), commands.end(),
                                       [&](const auto& entry) { return entry.first == server.command; });
        if (same == commands.end())
            commands.emplace_back(server.command, server.name);
        else
            same->second += ", " + server.name;
    }
    std::string text;
    for (const auto& [command, servers] : commands)
        text += "\nWith options: `" + command + "` (" + servers + ")\n";
    return text;
}

std::string preface(const results& all)
{
    const machine& on = all.machine;
    std::string text = "partyline " + all.partyline + ", " + all.date + (all.quick ? ", a quick look" : "") + ". " +
                       on.cpu + ", " + std::to_string(on.cores) + " cores; " + on.kernel + "; " + on.compiler +
                       ", Boost " + on.boost + ", " + on.libc + "; over " + all.transport + "; client and server " +
                       (on.pinned ? "pinned to a core each" : "**not pinned**") + "; seed " + std::to_string(all.seed) +
                       ".\nMedians of the rounds, with the smallest and largest in parentheses.\n";
    for (const std::string& remark : all.remarks)
        text += remark + "\n";
    return text;
}

} // namespace

std::string make_table(const results& all)
{
    std::string text = preface(all);
    for (const section& workload : all.workloads) {
        std::vector<cells> rows = {head_cells(workload)};
        for (const row& server : workload.rows)
            rows.push_back(row_cells(workload, server));
        text += "\n### " + workload.title + "\n\n" + draw(rows) + given_options(workload);
    }
    return text;
}

} // namespace bench
