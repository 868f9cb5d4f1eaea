"""What a run of `bash cmake/setup.sh test` took, part by part, and whether the tree has become dearer than recorded:

    python3 ledger.py calibrate FOLDER   compiles a fixed source, so that processor time can be told from the machine's speed
    python3 ledger.py report FOLDER      prints the parts and the slowest tests; fails where a part is over its budget
    python3 ledger.py record FOLDER      records what this run took as the budget, for machines of its kind

FOLDER has, for each part, NAME.part: for each piece of it, its seconds by the clock, then what the builtin `times` of bash says
(pieces that run beside another part count, so the minutes add up to more than the run);
NAME.xml where CTest has written one; and `calibration`, a number for each time.

The budget is in units: processor time of the part, divided by that of the calibration. So the speed of a machine cancels out, and
so does what neighbours take away as long as they do so all the time. Where they don't, the calibrations differ: the dearest one
counts, which errs on the side of passing, and beyond MOST_UNREST nothing is judged at all. Waiting is printed, not judged, and a
compiler cache can only make a part cheaper: the budget is recorded with an empty one.
"""

import json
import os
import platform
import re
import subprocess
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

RECORD = Path(__file__).with_name("recorded.json")
SLOWEST = 30
DEARER = 1.15  # of a build
# Of tests, much of whose processor time goes into starting programs, polling and system calls: the same tests differ by
# a tenth from run to run on a quiet machine, and by more beside another one.
DEARER_TESTS = 1.30
LEAST = 20  # seconds of processor time: less is not worth a judgement
MOST_UNREST = 1.25  # the dearest calibration, by the cheapest

# Templates, inlining and code generation, with headers that every compiler has.
CALIBRATION = """
#include <algorithm>
#include <functional>
#include <map>
#include <regex>
#include <string>
#include <variant>
#include <vector>
template<int n>
std::string one(const std::map<std::string, std::vector<int>>& all)
{
    std::string text = std::regex_replace(std::to_string(n), std::regex("[0-9]+"), "x");
    for (const auto& [name, numbers] : all)
        text += name + std::to_string(std::count(numbers.begin(), numbers.end(), n));
    std::variant<int, std::string> value = text;
    return std::visit([](const auto& it) { return std::to_string(sizeof(it)); }, value) + (n > 0 ? one<n - 1>(all) : "");
}
template<>
std::string one<-1>(const std::map<std::string, std::vector<int>>&) { return {}; }
int main() { return static_cast<int>(one<40>({}).size()); }
"""


def processors():
    return len(os.sched_getaffinity(0))


def machine():
    """What the figures depend on, besides the tree and the speed."""
    compilers = []
    for compiler in ("c++", "clang++-19"):
        try:
            said = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True).stdout
            compilers.append(said.splitlines()[0])
        except (OSError, subprocess.CalledProcessError):
            compilers.append(f"no {compiler}")
    return f"{platform.machine()}, {processors()} processors, {', '.join(compilers)}"


def calibrate(folder):
    """As many compilers at once as a build has."""
    before = os.times()
    command = ["c++", "-std=c++20", "-O1", "-x", "c++", "-c", "-o", "/dev/null", "-"]
    running = [subprocess.Popen(command, stdin=subprocess.PIPE, text=True) for _ in range(processors())]
    for one in running:
        one.communicate(CALIBRATION)
    if any(one.returncode for one in running):
        sys.exit("ledger: the source for the calibration does not compile")
    after = os.times()
    cost = after.children_user + after.children_system - before.children_user - before.children_system
    with open(folder / "calibration", "a", encoding="utf-8") as file:
        file.write(f"{cost / len(running):.3f}\n")


def read_calibrations(folder):
    path = folder / "calibration"
    return [float(line) for line in path.read_text().split()] if path.exists() else []


def seconds_of(text):
    """1m2.5s, as bash writes it."""
    minutes, seconds = re.fullmatch(r"(\d+)m([\d.,]+)s", text).groups()
    return 60 * int(minutes) + float(seconds.replace(",", "."))


def read_parts(folder):
    """For each part, in the order of their ends: its name, its seconds, its processor time."""
    parts = []
    for path in sorted(folder.glob("*.part"), key=lambda path: path.stat().st_mtime_ns):
        words = path.read_text().split()
        seconds = sum(int(word) for word in words if word.isdigit())
        parts.append((path.stem, seconds, sum(seconds_of(word) for word in words if not word.isdigit())))
    return parts


def read_tests(folder):
    """For each test, the slowest first: its seconds, its name, its part."""
    tests = []
    for path in folder.glob("*.xml"):
        for case in xml.parse(path).getroot().iter("testcase"):
            tests.append((float(case.get("time")), case.get("name"), path.stem))
    return sorted(tests, reverse=True)


def allowed(part):
    return DEARER_TESTS if part.startswith("test") else DEARER


def units(parts, calibrations):
    return {name: round(cost / max(calibrations), 1) for name, _, cost in parts if cost >= LEAST}


def judge(parts, calibrations, budget):
    """The sentences about parts that are over the budget, and one that says why nothing is judged."""
    if not calibrations:
        return [], "there was no calibration"
    if max(calibrations) > MOST_UNREST * min(calibrations):
        return [], f"the machine's speed varied: the calibrations took {min(calibrations)} to {max(calibrations)} s"
    if budget is None:
        return [], f"nothing is recorded for {machine()}"
    over = []
    for name, taken in units(parts, calibrations).items():
        if name in budget and taken > budget[name] * allowed(name):
            over.append(f"{name} took {taken} units, {100 * (taken / budget[name] - 1):.0f} % more than the {budget[name]} "
                        f"recorded; {100 * (allowed(name) - 1):.0f} % are allowed")
    return over, None


def print_parts(parts, calibrations, budget):
    print(f"{'part':<24}{'minutes':>9}{'processor':>11}{'units':>9}{'recorded':>10}")
    in_units = units(parts, calibrations) if calibrations else {}
    for name, seconds, cost in parts:
        print(f"{name:<24}{seconds / 60:>9.1f}{cost / 60:>11.1f}{in_units.get(name, ''):>9}{(budget or {}).get(name, ''):>10}")


def print_tests(tests):
    if tests:
        print(f"\nThe {min(SLOWEST, len(tests))} slowest of {len(tests)} tests, {sum(test[0] for test in tests) / 60:.1f} min in all:")
    for seconds, name, part in tests[:SLOWEST]:
        print(f"{seconds:>8.1f} s  {name} ({part})")


def report(folder, record):
    parts, calibrations = read_parts(folder), read_calibrations(folder)
    budget = json.loads(record.read_text())["machines"].get(machine())
    print_parts(parts, calibrations, budget)
    print_tests(read_tests(folder))
    over, why_not = judge(parts, calibrations, budget)
    if why_not:
        print(f"\nledger: not compared with the budget: {why_not}")
    for sentence in over:
        print(f"ledger: {sentence}", file=sys.stderr)
    if over:
        sys.exit(f"ledger: where that is worth it: python3 test/ledger/ledger.py record {folder}, after a run from nothing with an "
                 "empty compiler cache, and commit recorded.json with the reason")


def write_record(folder, record):
    calibrations = read_calibrations(folder)
    if len(calibrations) < 2 or max(calibrations) > MOST_UNREST * min(calibrations):
        sys.exit("ledger: a record takes a whole run, whose calibrations at its beginning and its end agree")
    everything = json.loads(record.read_text())
    everything["machines"][machine()] = units(read_parts(folder), calibrations)
    record.write_text(json.dumps(everything, indent=2, sort_keys=True) + "\n")


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in ("calibrate", "report", "record"):
        sys.exit("usage: ledger.py calibrate|report|record FOLDER")
    folder = Path(sys.argv[2])
    if sys.argv[1] == "calibrate":
        calibrate(folder)
    elif sys.argv[1] == "report":
        report(folder, RECORD)
    else:
        write_record(folder, RECORD)


if __name__ == "__main__":
    main()
