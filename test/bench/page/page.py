"""Makes the table and the chart of what partyline-bench has printed, and keeps the page in step with it."""

import argparse
import json
import sys
from pathlib import Path

sys.dont_write_bytecode = True  # nothing is to lie beside the sources that is none

from chart import make_chart
from table import make_table

BEGIN = "<!-- The table: written by the target bench_report. -->\n"
END = "<!-- The end of the table. -->"
BEGIN_MCP = "<!-- The table of MCP: written by the target bench_report. -->\n"
END_MCP = "<!-- The end of the table of MCP. -->"
BEGIN_HTTP = "<!-- The table of HTTP: written by the target bench_report. -->\n"
END_HTTP = "<!-- The end of the table of HTTP. -->"
BEGIN_WEBSOCKET = "<!-- The table of WebSocket: written by the target bench_report. -->\n"
END_WEBSOCKET = "<!-- The end of the table of WebSocket. -->"
BEGIN_HTTPS = "<!-- The table of TLS: written by the target bench_report. -->\n"
END_HTTPS = "<!-- The end of the table of TLS. -->"
BEGIN_PROFILED = "<!-- The table of the build by a profile: written by its target bench_report. -->\n"
END_PROFILED = "<!-- The end of the table of the build by a profile. -->"
RESULTS = "results.json"
RESULTS_MCP = "results-mcp.json"  # so that it can be measured by itself
RESULTS_HTTP = "results-http.json"  # likewise
RESULTS_WEBSOCKET = "results-websocket.json"
RESULTS_HTTPS = "results-https.json"
RESULTS_PROFILED = "results-pgo.json"  # apart: no figure of one build is to stand among those of the other
MARKS = {
    RESULTS: (BEGIN, END),
    RESULTS_MCP: (BEGIN_MCP, END_MCP),
    RESULTS_HTTP: (BEGIN_HTTP, END_HTTP),
    RESULTS_WEBSOCKET: (BEGIN_WEBSOCKET, END_WEBSOCKET),
    RESULTS_HTTPS: (BEGIN_HTTPS, END_HTTPS),
    RESULTS_PROFILED: (BEGIN_PROFILED, END_PROFILED),
}
PARTS = {
    "mcp": RESULTS_MCP,
    "http": RESULTS_HTTP,
    "access": RESULTS_HTTP,
    "websocket": RESULTS_WEBSOCKET,
    "https": RESULTS_HTTPS,
}
ON_PORTS = {RESULTS_HTTP, RESULTS_WEBSOCKET, RESULTS_HTTPS}


def pretty(value, indent="\n"):
    """JSON to be read and compared by people: indented, small things on one line, numbers with six digits."""
    if isinstance(value, float):
        return f"{value:.6g}"
    if not isinstance(value, (dict, list)):
        return json.dumps(value, ensure_ascii=False)
    inner = indent + "  "
    if isinstance(value, dict):
        parts = [f"{pretty(key)}: {pretty(member, inner)}" for key, member in value.items()]
    else:
        parts = [pretty(element, inner) for element in value]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    if fits_one_line(value):
        return opening + ", ".join(parts) + closing
    return opening + inner + ("," + inner).join(parts) + indent + closing


def fits_one_line(value):
    has_few = isinstance(value, list) or len(value) <= 8
    members = value.values() if isinstance(value, dict) else value
    return has_few and not any(isinstance(member, (dict, list)) for member in members)


def replace_table(page, table, begins, ends):
    """The page with the table between the two marks."""
    before, begin, rest = page.partition(begins)
    _, end, after = rest.partition(ends)
    if not end:
        raise ValueError("README.md lacks the lines between which the table stands")
    return f"{before}{begin}\n{table}\n{end}{after}"


def parts_of(results):
    """The results that each file of them has."""
    if results["machine"]["profiled"]:
        return {RESULTS_PROFILED: results}
    parts = {name: [] for name in MARKS if name != RESULTS_PROFILED}
    for workload in results["workloads"]:
        parts[part_of(workload["name"])].append(workload)
    all = {name: {**results, "workloads": workloads} for name, workloads in parts.items() if workloads}
    for name in all.keys() & ON_PORTS:
        all[name]["transport"] = "TCP on loopback"  # whatever connects the others
    return all


def part_of(workload):
    beginning = workload.partition("-")[0]
    return PARTS.get(beginning, RESULTS)


def files_of(folder, results):
    """What the folder's files are to hold, by name."""
    files = {"README.md": read(folder / "README.md")}
    for name, part in parts_of(results).items():
        files[name] = pretty(part) + "\n"
        kept = json.loads(files[name])  # the page follows from the digits that are kept
        files["README.md"] = replace_table(files["README.md"], make_table(kept), *MARKS[name])
        if name == RESULTS:
            files["chart.svg"] = make_chart(kept)
    return files


def write(folder, results):
    for name, text in files_of(folder, results).items():
        (folder / name).write_text(text, encoding="utf-8")


def write_anew(folder):
    for results in kept_results(folder):
        write(folder, load(results))


def check(folder):
    for results in kept_results(folder):
        files = files_of(folder, load(results))
        typed = [name for name, text in files.items() if read(folder / name) != text]
        if typed:
            raise ValueError(
                f"{', '.join(typed)} in {folder}: not what follows from {results.name}. Nothing of that is to be typed: "
                "`cmake --build --preset release --target bench_page` writes it anew"
            )


def kept_results(folder):
    """The default build's results, and what else has been measured."""
    return [folder / RESULTS] + [folder / name for name in MARKS if name != RESULTS and (folder / name).exists()]


def read(file):
    return file.read_text(encoding="utf-8")


def load(file):
    """What partyline-bench has printed into the file; none: standard input."""
    try:
        results = json.loads(read(file) if file else sys.stdin.buffer.read())
        if results["machine"] and results["workloads"]:
            return results
    except (ValueError, TypeError, KeyError):
        pass
    raise ValueError(f"{file or 'standard input'} is not what partyline-bench prints")


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__)
    actions = parser.add_subparsers(dest="action", required=True)
    for action, does in (("table", "print the table as Markdown"), ("chart", "print the chart as SVG")):
        actions.add_parser(action, help=does).add_argument(
            "results", type=Path, nargs="?", help="what partyline-bench has printed; by default standard input"
        )
    writing = actions.add_parser("write", help="write the results, the chart and the tables of README.md")
    writing.add_argument("folder", type=Path)
    writing.add_argument("results", type=Path, nargs="?", help="by default those that the folder has")
    checking = actions.add_parser("check", help="fail when the others do not follow from results.json")
    checking.add_argument("folder", type=Path)
    return parser.parse_args(arguments)


def run(wanted):
    if wanted.action == "check":
        check(wanted.folder)
    elif wanted.action == "write":
        write(wanted.folder, load(wanted.results)) if wanted.results else write_anew(wanted.folder)
    else:
        make = make_table if wanted.action == "table" else make_chart
        sys.stdout.buffer.write(make(load(wanted.results)).encode())


def main():
    wanted = parse(sys.argv[1:])
    try:
        run(wanted)
    except (OSError, ValueError) as e:
        sys.exit(f"page.py: {e}")


if __name__ == "__main__":
    main()
