"""The results as Markdown, aligned so that a terminal shows them well too."""

import math
import statistics

HEADINGS = {
    "cpu_us": "CPU per {unit}, µs",
    "per_second": "{unit}s per second",
    "wall_ms": "time, ms",
    "peak_mib": "peak memory, MiB",
    "peak_per_message": "peak memory ÷ message",
    "p50_us": "p50, µs",
    "p90_us": "p90, µs",
    "p99_us": "p99, µs",
    "max_us": "max, µs",
    "memory_bytes": "memory per request beyond its params, bytes",
    "session_bytes": "memory per {unit}, bytes",
    "each_bytes": "memory per {unit}, bytes",
    "start_ms": "time, ms",
    "idle_ms": "CPU time, ms",
    "ratio": "ratio",
}


def make_table(results):
    return preface(results) + "".join(section(workload) for workload in results["workloads"])


def preface(results):
    machine = results["machine"]
    lines = [
        f"partyline {results['partyline']}, {results['date']}{', a quick look' if results['quick'] else ''}. "
        f"{machine['cpu']}, {machine['cores']} cores; {machine['kernel']}; {machine['compiler']}"
        f"{' by a profile' if machine['profiled'] else ''}, "
        f"Boost {machine['boost']}, {machine['libc']}; over {results['transport']}; client and server "
        f"{'pinned to a core each' if machine['pinned'] else '**not pinned**'}; seed {results['seed']}.",
        "Medians of the rounds, with the smallest and largest in parentheses.",
        *results["remarks"],
    ]
    return "\n".join(lines) + "\n"


def section(workload):
    rows = [head_cells(workload)] + [row_cells(workload, server) for server in workload["rows"]]
    return f"\n### {workload['title']}\n\n{draw(rows)}{given_options(workload)}"


def head_cells(workload):
    head = ["server", "requests × rounds"] + [heading(figure, workload) for figure in workload["shown"]]
    if workload["reference"]:
        head.append("× " + workload["reference"])
    if has_targets(workload):
        head.append("target")
    return head


def row_cells(workload, server):
    cells = [server["name"], f"{server['requests']:,} × {len(server['rounds'])}"]
    for figure in workload["shown"]:
        has_spread = figure == workload["shown"][0] and len(server["rounds"]) > 1
        cells.append(spread_of_rounds(server, figure) if has_spread else number(server["median"][figure]))
    if workload["reference"]:
        cells.append(spread(**server["ratio"]) if server["ratio"] else "1")
    if has_targets(workload):
        cells.append("; ".join(judgement(target, workload, server) for target in server["targets"]))
    return cells


def heading(figure, workload):
    return HEADINGS[figure].format(unit=workload["unit"])


def has_targets(workload):
    return any(server["targets"] for server in workload["rows"])


def judgement(target, workload, server):
    figure = target["figure"]
    is_clear = figure == workload["shown"][0] and len(server["targets"]) == 1
    name = "ratio " if figure == "ratio" else "" if is_clear else heading(figure, workload) + " "
    return f"{name}≤ {number(target['at_most'])}: {'reached' if target['reached'] else '**not reached**'}"


def spread_of_rounds(server, figure):
    values = [figures[figure] for figures in server["rounds"]]
    return spread(statistics.median(values), min(values), max(values))


def spread(median, min, max):
    return f"{number(median)} ({number(min)}–{number(max)})"


def number(value):
    """Three digits that matter; large numbers whole, with commas."""
    if abs(value) >= 99.95:
        return f"{math.floor(value + 0.5):,}"  # not the even one of two
    return f"{value:.1f}" if abs(value) >= 9.995 else f"{value:.2f}"


def draw(rows):
    widths = [max(map(len, column)) for column in zip(*rows)]
    lines = ["| " + " | ".join(map(str.ljust, cells, widths)) + " |\n" for cells in rows]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|\n")
    return "".join(lines)


def given_options(workload):
    """What is not as by default; each command line once, with those whose it is."""
    names = {}
    for server in workload["rows"]:
        if server["kind"] == "partyline" and " " in server["command"]:
            names.setdefault(server["command"], []).append(server["name"])
    return "".join(f"\nWith options: `{command}` ({', '.join(of)})\n" for command, of in names.items())
