"""The rules of the specifications and of SECURITY.md that this project keeps, and the tests that carry their names."""

import re
from dataclasses import dataclass, field
from pathlib import Path

REVISIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"]
LEVELS = ["MUST", "MUST NOT", "SHOULD", "SHOULD NOT"]
SIDES = ["server", "client", "both"]
KINDS = ["author", "host", "absent", "left out", "not kept"]

HEADING = re.compile(r"### (\S+): (.*)")
RULE_ID = re.compile(r"(jsonrpc|mcp|security)(\.[a-z0-9_]+)+")
EXCUSE = re.compile(r"No test, ([a-z ]+): (.+)")
MARKER = re.compile(r"\s*(?://|#) rule: (.*)")
SUITE = re.compile(r"\s*BOOST_(?:AUTO|FIXTURE)_TEST_SUITE\(\s*(\w+)")
SUITE_END = re.compile(r"\s*BOOST_AUTO_TEST_SUITE_END\(")
CASE = re.compile(r"\s*BOOST_(?:AUTO|FIXTURE|DATA)_TEST_CASE\(\s*(\w+)(.*)")
COMMAND = re.compile(r"\s*add_test\(NAME (\S+)")
VARIABLE = re.compile(r"\$\{\w+\}")
PROGRAM = re.compile(r"partyline_add_test(?:_program)?\(\s*(\w+)([^)]*)\)")
SHARED_SOURCES = re.compile(r"set\((\w+)_sources([^)]*)\)") # of a program and of others like it


@dataclass
class Rule:
    """One rule: `where` is its place in the manifest, `tests` are those that the manifest names for it."""

    name: str
    where: str
    text: str = ""
    excuse: str = ""
    tests: list[str] = field(default_factory=list)


class Faults(list):
    """What is wrong, as lines."""

    def add(self, where, what):
        self.append(f"{where}: {what}")


def check_heading(where, said, faults):
    parts = said.split(", ")
    revisions = parts[2] if len(parts) == 3 else "all"
    known = revisions in ("all", "legacy", "modern") or all(
        one in REVISIONS for one in revisions.removesuffix("+").split(" to "))
    if len(parts) not in (2, 3) or parts[0] not in SIDES or parts[1] not in LEVELS or not known:
        faults.add(where, f'"{said}" is no "<side>, <level>" or "<side>, <level>, <revisions>"')


def read_rules(folder, faults):
    """The rules of all files of a folder, by their names."""
    rules = {}
    for path in sorted(folder.glob("*.md")):
        current = None
        for number, line in enumerate(path.read_text().splitlines(), 1):
            where = f"{path.name}:{number}"
            if heading := HEADING.fullmatch(line):
                current = Rule(heading[1], where)
                if not RULE_ID.fullmatch(current.name) or current.name in rules:
                    faults.add(where, f"{current.name} is no name of a rule, or another rule has it")
                check_heading(where, heading[2], faults)
                rules[current.name] = current
            elif line.startswith("#"):
                current = None
                if line.startswith("###"):
                    faults.add(where, f'"{line}" is no "### <name>: <side>, <level>"')
            elif current:
                read_line(current, where, line, faults)
    return rules


def read_line(rule, where, line, faults):
    if line.startswith("- "):
        rule.tests.append(line.removeprefix("- "))
    elif line.startswith("No test"):
        excuse = EXCUSE.fullmatch(line)
        rule.excuse = excuse[1] if excuse else "?"
        if rule.excuse not in KINDS:
            faults.add(where, "a reason is written \"No test, <kind>: <why>\"; kinds are " + ", ".join(KINDS))
    elif line and not line.startswith("Kept otherwise: "):
        rule.text += line


def programs_of(folder):
    """The test program of each source."""
    programs = {}
    for path in folder.rglob("CMakeLists.txt"):
        text = path.read_text()
        for name, words in PROGRAM.findall(text) + SHARED_SOURCES.findall(text):
            for word in re.sub(r"#.*", "", words).split():
                if word.endswith(".cpp"):
                    programs.setdefault((path.parent / word).resolve(), name)
    return programs


def read_markers(folder, faults):
    """The tests of each rule that a test's comment names: `// rule: mcp.cancel.silent, mcp.cancel.stop`."""
    programs = programs_of(folder)
    tests = {}
    for path in sorted([*folder.rglob("*_test.cpp"), *folder.rglob("CMakeLists.txt")]):
        program = programs.get(path.resolve())
        for name, where, rule in markers_in(path, folder, faults):
            if path.suffix == ".cpp" and not program:
                faults.add(where, "no test program has this source")
            tests.setdefault(rule, []).append(f"{program}: {name}" if program else f"ctest: {name}")
    return tests


def markers_in(path, folder, faults):
    """(test, place, rule) for each rule that a test of this file names."""
    suites, waiting = [], []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        where = f"{path.relative_to(folder)}:{number}"
        if marker := MARKER.fullmatch(line):
            waiting += [(where, name.strip()) for name in marker[1].rstrip(",").split(",")]
        elif suite := SUITE.match(line):
            suites.append(suite[1])
        elif SUITE_END.match(line):
            suites.pop()
        elif test := CASE.match(line) or COMMAND.match(line):
            if waiting and "disabled()" in line:
                faults.add(where, "a test that is disabled keeps no rule")
            name = VARIABLE.sub("*", test[1])
            for place, rule in waiting:
                yield "/".join([*suites, name]), place, rule
            waiting = []
        elif waiting and not line.lstrip().startswith(("//", "#")):
            faults.add(waiting[0][0], "no test follows this comment")
            waiting = []


def compare(rules, marked, faults):
    """Every rule has a test or a reason, and says the same as the tests do."""
    for name in sorted(set(marked) - set(rules)):
        faults.add(name, "the manifest has no such rule; named by " + ", ".join(sorted(marked[name])))
    for rule in rules.values():
        wanted = sorted(set(marked.get(rule.name, [])))
        if not rule.text:
            faults.add(rule.where, f"{rule.name} does not say what it wants")
        if rule.excuse and wanted:
            faults.add(rule.where, f"{rule.name} has a reason to have no test, and tests: " + ", ".join(wanted))
        elif not rule.excuse and not wanted:
            faults.add(rule.where, f"{rule.name} has neither a test nor a reason to have none")
        for test in sorted(set(rule.tests) - set(wanted)):
            faults.add(rule.where, f"{rule.name} names {test}, which is not there or does not name the rule")
        for test in sorted(set(wanted) - set(rule.tests)):
            faults.add(rule.where, f"{rule.name} does not name {test}, which names it")


def renew(folder, marked):
    """Writes the tests that name a rule into the manifest."""
    for path in sorted(folder.glob("*.md")):
        out, name = [], None

        def close():
            while out and name and not out[-1]:
                out.pop()
            if name:
                out.extend(f"- {test}" for test in sorted(set(marked.get(name, []))))
                out.append("")

        for line in path.read_text().splitlines():
            if line.startswith("#"):
                close()
                heading = HEADING.fullmatch(line)
                name = heading[1] if heading else None
            if not (name and line.startswith("- ")):
                out.append(line)
        close()
        path.write_text("\n".join(out).rstrip("\n") + "\n")


def load(tests):
    """The rules, what tests name, and what is wrong with either or between them; `tests` is the folder of all tests."""
    faults = Faults()
    rules = read_rules(tests / "manifest" / "rules", faults)
    marked = read_markers(tests, faults)
    compare(rules, marked, faults)
    return rules, marked, faults
