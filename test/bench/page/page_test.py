"""Tests the scripts: python3 page_test.py PARTYLINE_BENCH."""

import copy
import json
import statistics
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True

import page
from chart import make_chart
from table import make_table, number

SCRIPT = Path(__file__).with_name("page.py")
README = f"Words\n\n{page.BEGIN}\nan old table\n\n{page.END}\n\nmore words\n"
README += f"{page.BEGIN_MCP}\na third table\n\n{page.END_MCP}\n"
README += f"{page.BEGIN_HTTP}\na fourth table\n\n{page.END_HTTP}\n"
README += f"{page.BEGIN_WEBSOCKET}\na fifth table\n\n{page.END_WEBSOCKET}\n"
README += f"{page.BEGIN_HTTPS}\na sixth table\n\n{page.END_HTTPS}\n"
README += f"{page.BEGIN_PROFILED}\nanother table\n\n{page.END_PROFILED}\n"


def make_server(name, kind, cpu, ratio=None, **more):
    rounds = [{"cpu_us": us, "per_second": 1e6 / us} for us in cpu]
    median = {figure: statistics.median(each[figure] for each in rounds) for figure in rounds[0]}
    server = {"name": name, "kind": kind, "command": name, "requests": 200000, "rounds": rounds, "median": median}
    return {**server, "ratio": ratio and dict(zip(("median", "min", "max"), ratio)), "targets": [], **more}


def make_target(figure, at_most, reached):
    return {"figure": figure, "at_most": at_most, "reached": reached}


YARDSTICK = make_server("yardstick", "yardstick", [1, 1, 1])
CAT = make_server("cat", "floor", [0.06, 0.05, 0.07], [0.06, 0.05, 0.07])
PEER = make_server("peer & co 1.0", "peer", [150, 120, 100], [120, 100, 150])
OURS = make_server("partyline", "partyline", [0.5, 0.4, 0.65], [0.5, 0.4, 0.65], command="partyline --max-batch=2")
OURS["targets"] = [make_target("ratio", 0.6, True), make_target("cpu_us", 0.45, False)]
STARTED = make_server("partyline", "partyline", [5, 4, 3], targets=[make_target("cpu_us", 5, True)])
ECHO = {"name": "echo", "title": "Echo of 16 bytes", "unit": "request", "shown": ["cpu_us", "per_second"]}
ECHO = {**ECHO, "reference": "yardstick", "rows": [YARDSTICK, CAT, OURS, PEER]}
START = {"name": "start", "title": "Start", "unit": "start", "shown": ["cpu_us"], "reference": "", "rows": [STARTED]}
MACHINE = {"cpu": "A Fast <CPU>", "cores": 2, "kernel": "Linux 6", "compiler": "g++ 12.2.0", "boost": "1.81.0"}
RESULTS = {"partyline": "0.1.0", "date": "2026-01-02T03:04:05Z", "seed": 42, "quick": False, "transport": "pipes"}
RESULTS["machine"] = {**MACHINE, "libc": "glibc 2.36", "pinned": True, "profiled": False}
RESULTS |= {"remarks": ["Without peers."], "workloads": [ECHO, START]}
TABLE = """\
partyline 0.1.0, 2026-01-02T03:04:05Z. A Fast <CPU>, 2 cores; Linux 6; g++ 12.2.0, Boost 1.81.0, glibc 2.36; \
over pipes; client and server pinned to a core each; seed 42.
Medians of the rounds, with the smallest and largest in parentheses.
Without peers.

### Echo of 16 bytes

| server        | requests × rounds | CPU per request, µs | requests per second | × yardstick      | target                                                             |
|---------------|-------------------|---------------------|---------------------|------------------|--------------------------------------------------------------------|
| yardstick     | 200,000 × 3       | 1.00 (1.00–1.00)    | 1,000,000           | 1                |                                                                    |
| cat           | 200,000 × 3       | 0.06 (0.05–0.07)    | 16,666,667          | 0.06 (0.05–0.07) |                                                                    |
| partyline     | 200,000 × 3       | 0.50 (0.40–0.65)    | 2,000,000           | 0.50 (0.40–0.65) | ratio ≤ 0.60: reached; CPU per request, µs ≤ 0.45: **not reached** |
| peer & co 1.0 | 200,000 × 3       | 120 (100–150)       | 8,333               | 120 (100–150)    |                                                                    |

With options: `partyline --max-batch=2` (partyline)

### Start

| server    | requests × rounds | CPU per start, µs | target          |
|-----------|-------------------|-------------------|-----------------|
| partyline | 200,000 × 3       | 4.00 (3.00–5.00)  | ≤ 5.00: reached |
"""


class Table(unittest.TestCase):
    def test_it_says_where_and_how_and_what(self):
        self.maxDiff = None
        self.assertEqual(make_table(RESULTS), TABLE)

    def test_what_is_not_as_it_should_be_stands_out(self):
        table = make_table({**RESULTS, "quick": True, "machine": {**RESULTS["machine"], "pinned": False}})
        self.assertIn("**not pinned**", table)
        self.assertIn("a quick look", table)

    def test_numbers_have_the_digits_that_matter(self):
        small = {0: "0.00", 9.994: "9.99", 9.996: "10.0", 99.94: "99.9"}
        for value, text in {**small, 99.96: "100", 1400.5: "1,401", -1234.2: "-1,234"}.items():
            self.assertEqual(number(value), text)


class Chart(unittest.TestCase):
    def test_there_is_a_bar_for_each_server_the_cheapest_first(self):
        chart = make_chart(RESULTS)
        self.assertTrue(chart.startswith("<svg ") and chart.endswith("</svg>\n"))
        places = [chart.index(f">{name}<") for name in ("cat", "partyline", "yardstick", "peer &amp; co 1.0")]
        self.assertEqual(places, sorted(places))
        self.assertIn("A Fast &lt;CPU>", chart)

    def test_its_scale_is_logarithmic(self):
        """0.05 to 1000 are shown on an axis from 330 to 800: a decade is as wide as the next."""
        chart = make_chart(RESULTS)
        self.assertIn('class="peer" x="330" y="140" width="383"', chart)  # 470 * (2 + lg 120) / 5
        self.assertIn('class="partyline" x="330" y="84" width="160"', chart)
        for tick in ("0.01", "0.1", "1", "10", "100", "1000"):
            self.assertIn(f">{tick}<", chart)

    def test_a_server_that_took_no_time_at_all_has_a_place_in_it(self):
        results = copy.deepcopy(RESULTS)
        results["workloads"][0]["rows"][1]["ratio"]["median"] = 0
        self.assertIn('class="floor" x="330" y="56" width="0.00"', make_chart(results))

    def test_without_the_echo_there_is_none(self):
        with self.assertRaisesRegex(ValueError, "without the workload echo"):
            make_chart({**RESULTS, "workloads": [START]})


class Pretty(unittest.TestCase):
    def test_small_things_take_a_line_and_large_ones_an_indented_block(self):
        value = {"a": [1, 2.5, "x\n"], "b": {"c": None, "d": {}}, "e": []}
        text = '{\n  "a": [1, 2.5, "x\\n"],\n  "b": {\n    "c": null,\n    "d": {}\n  },\n  "e": []\n}'
        self.assertEqual(page.pretty(value), text)
        self.assertEqual(json.loads(text), value)

    def test_numbers_have_six_digits(self):
        for value, text in {0.123456789: "0.123457", 1234567.0: "1.23457e+06", 12345678901: "12345678901"}.items():
            self.assertEqual(page.pretty(value), text)


class Folder(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)
        self.readme = self.folder / "README.md"
        self.readme.write_text(README)

    def test_what_is_written_follows_from_the_digits_that_are_kept(self):
        page.write(self.folder, RESULTS)
        page.check(self.folder)
        table = TABLE.replace("16,666,667", "16,666,700")
        self.assertEqual(page.read(self.readme), README.replace("an old table\n", table))
        self.assertEqual(page.read(self.folder / "chart.svg"), make_chart(RESULTS))

    def test_whatever_is_typed_is_named(self):
        page.write(self.folder, RESULTS)
        for name, old, new in (
            ("README.md", "| 0.50 ", "| 0.40 "),
            ("chart.svg", ">0.50<", ">0.40<"),
            ("results.json", '"seed": 42', '"seed":  42'),
        ):
            file = self.folder / name
            text = page.read(file)
            self.assertIn(old, text)
            file.write_text(text.replace(old, new), encoding="utf-8")
            with self.assertRaisesRegex(ValueError, f"^{name} in .*: not what follows from results.json"):
                page.check(self.folder)
            file.write_text(text, encoding="utf-8")

    def test_the_build_by_a_profile_has_results_and_a_table_of_its_own(self):
        profiled = {**RESULTS, "machine": {**RESULTS["machine"], "profiled": True}, "workloads": [START]}
        page.write(self.folder, RESULTS)
        before = page.read(self.readme)
        page.write(self.folder, profiled)
        kept = {name: page.read(self.folder / name) for name in ("results.json", "chart.svg")}
        self.assertEqual(kept, {"results.json": page.pretty(RESULTS) + "\n", "chart.svg": make_chart(RESULTS)})
        self.assertEqual(page.read(self.readme), before.replace("another table\n", make_table(profiled)))
        self.assertIn("g++ 12.2.0 by a profile, Boost", make_table(profiled))
        page.check(self.folder)
        self.readme.write_text(page.read(self.readme).replace("by a profile, Boost", "Boost"), encoding="utf-8")
        with self.assertRaisesRegex(ValueError, "^README.md in .*: not what follows from results-pgo.json"):
            page.check(self.folder)
        page.write_anew(self.folder)
        page.check(self.folder)

    def test_mcp_has_results_and_a_table_of_its_own(self):
        mcp = {**START, "name": "mcp-call"}
        page.write(self.folder, {**RESULTS, "workloads": [ECHO, mcp, START]})
        self.assertEqual(page.read(self.folder / "results.json"), page.pretty(RESULTS) + "\n")
        alone = {**RESULTS, "workloads": [mcp]}
        self.assertEqual(page.read(self.folder / "results-mcp.json"), page.pretty(alone) + "\n")
        self.assertIn(f"{page.BEGIN_MCP}\n{make_table(alone)}\n{page.END_MCP}", page.read(self.readme))
        before = page.read(self.readme)
        page.write(self.folder, {**alone, "seed": 43})
        self.assertEqual(page.read(self.readme), before.replace(make_table(alone), make_table({**alone, "seed": 43})))
        page.check(self.folder)

    def test_what_listens_on_a_port_has_too_and_is_not_over_pipes(self):
        for name, file, marks in (
            ("http-post", "results-http.json", (page.BEGIN_HTTP, page.END_HTTP)),
            ("websocket-echo", "results-websocket.json", (page.BEGIN_WEBSOCKET, page.END_WEBSOCKET)),
            ("https-post", "results-https.json", (page.BEGIN_HTTPS, page.END_HTTPS)),
        ):
            workload = {**START, "name": name}
            page.write(self.folder, {**RESULTS, "workloads": [ECHO, workload]})
            alone = {**RESULTS, "transport": "TCP on loopback", "workloads": [workload]}
            self.assertEqual(page.read(self.folder / file), page.pretty(alone) + "\n")
            self.assertIn(f"{marks[0]}\n{make_table(alone)}\n{marks[1]}", page.read(self.readme))
        page.check(self.folder)

    def test_a_page_without_the_marks_stays_as_it_is(self):
        for text in ("", page.BEGIN, page.END + page.BEGIN):
            self.readme.write_text(text)
            with self.assertRaisesRegex(ValueError, "README.md lacks the lines"):
                page.write(self.folder, RESULTS)
            self.assertEqual(page.read(self.readme), text)
            self.assertFalse((self.folder / "chart.svg").exists())


def run_script(*arguments, given=""):
    command = [sys.executable, SCRIPT, *arguments]
    return subprocess.run(command, input=given.encode(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)


class Program(unittest.TestCase):
    def test_it_makes_table_and_chart_of_what_the_bench_prints(self):
        look = [BENCH, "--quick", "--rounds", "1", "--peers", "none", "--workload", "echo", "start"]
        printed = subprocess.run(look, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout.decode()
        results = json.loads(printed)
        for action, make in (("table", make_table), ("chart", make_chart)):
            made = run_script(action, given=printed)
            self.assertEqual(made.returncode, 0, made.stderr)
            self.assertEqual(made.stdout.decode(), make(results))
        self.assertIn("### Echo of 16 bytes, pipelined\n", make_table(results))

    def test_what_is_no_result_is_told(self):
        for given in ("", "{}", "[]", '{"partyline":1}', "not JSON"):
            told = run_script("table", given=given)
            self.assertEqual((told.returncode, told.stdout), (1, b""))
            self.assertIn(b"standard input is not what partyline-bench prints", told.stderr)
        told = run_script("chart", "/no/such/file")
        self.assertEqual((told.returncode, told.stdout), (1, b""))
        self.assertIn(b"/no/such/file", told.stderr)
        self.assertNotIn(b"Traceback", told.stderr)

    def test_wrong_usage_is_told_with_exit_code_2(self):
        for arguments in ((), ("draw",), ("check",), ("write",), ("table", "a", "b")):
            self.assertEqual(run_script(*arguments).returncode, 2)


if __name__ == "__main__":
    BENCH = sys.argv.pop()
    unittest.main()
