"""Tests the script: python3 ledger_test.py."""

import contextlib
import io
import json
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True

import ledger

TESTS = """<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="Linux-c++" tests="{count}" failures="0">
{cases}
</testsuite>
"""


class Ledgers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.record = self.folder / "recorded.json"
        self.budget({"build-release": 100, "test-release": 100})
        self.calibrations("2.0", "2.1", "2.0")

    def budget(self, parts):
        self.record.write_text(json.dumps({"machines": {ledger.machine(): parts}}))

    def calibrations(self, *seconds):
        (self.folder / "calibration").write_text("".join(f"{each}\n" for each in seconds))

    def part(self, name, seconds, user):
        # As bash writes it: the shell's own times, then those of its children.
        (self.folder / f"{name}.part").write_text(f"{seconds}\n0m0.000s 0m0.000s\n{user // 60}m{user % 60}.000s 0m0.000s\n")

    def write_tests(self, part, seconds):
        cases = [f'<testcase name="{name}" classname="{name}" time="{time}" status="run"/>' for name, time in seconds.items()]
        (self.folder / f"{part}.xml").write_text(TESTS.format(count=len(cases), cases="\n".join(cases)))

    def report(self):
        """What is printed, and the message of a failure."""
        out, err = io.StringIO(), io.StringIO()
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                ledger.report(self.folder, self.record)
        except SystemExit as failure:
            return out.getvalue() + err.getvalue(), str(failure)
        return out.getvalue() + err.getvalue(), None

    def test_a_part_that_costs_more_than_its_budget_fails(self):
        self.part("build-release", 150, 250)  # 119 units
        said, failure = self.report()
        self.assertIn("build-release took 119.0 units, 19 % more than the 100 recorded; 15 % are allowed", said)
        self.assertIn("ledger.py record", failure)

    def test_a_part_within_its_budget_passes(self):
        self.part("build-release", 150, 235)  # 112 units
        self.assertIsNone(self.report()[1])

    def test_a_part_that_is_done_in_pieces_is_one_part(self):
        self.part("build-release", 60, 100)
        piece = (self.folder / "build-release.part").read_text()
        self.part("build-release", 90, 150)
        with open(self.folder / "build-release.part", "a", encoding="utf-8") as file:
            file.write(piece)
        said, _ = self.report()
        self.assertRegex(said, r"build-release +2\.5 +4\.2 +119\.0 +100\n")

    def test_tests_may_vary_more_than_builds(self):
        self.part("test-release", 150, 250)
        self.assertIsNone(self.report()[1])
        self.part("test-release", 150, 290)  # 138 units
        self.assertIn("test-release took", self.report()[0])

    def test_a_machine_that_is_slow_all_the_time_passes(self):
        self.part("build-release", 1500, 2100)
        self.calibrations("20", "21", "20.5")
        self.assertIsNone(self.report()[1])

    def test_a_machine_that_becomes_slow_is_not_judged(self):
        self.part("build-release", 1500, 2100)
        self.calibrations("2.0", "2.6")
        said, failure = self.report()
        self.assertIsNone(failure)
        self.assertIn("not compared with the budget: the machine's speed varied", said)

    def test_waiting_is_printed_and_not_judged(self):
        self.part("test-release", 5000, 100)
        said, failure = self.report()
        self.assertIsNone(failure)
        self.assertRegex(said, r"test-release +83\.3 +1\.7 +47\.6 +100\n")

    def test_a_part_that_hardly_costs_anything_is_not_judged(self):
        self.budget({"install": 1})
        self.part("install", 10, 15)
        self.assertIsNone(self.report()[1])

    def test_a_kind_of_machine_without_a_record_is_not_judged(self):
        self.record.write_text('{"machines": {"another": {"build-release": 1}}}')
        self.part("build-release", 150, 250)
        said, failure = self.report()
        self.assertIsNone(failure)
        self.assertIn("nothing is recorded for", said)

    def test_a_run_without_a_calibration_is_printed(self):
        (self.folder / "calibration").unlink()
        self.part("build-release", 150, 250)
        said, failure = self.report()
        self.assertIsNone(failure)
        self.assertRegex(said, r"build-release +2\.5 +4\.2")

    def test_the_thirty_slowest_tests_are_printed(self):
        self.part("test-release", 100, 100)
        self.write_tests("test-release", {f"unit.{n}": n / 10 for n in range(1, 41)})
        self.write_tests("test-asan", {"fuzz": 60.25})
        said, _ = self.report()
        lines = said[said.index("The 30 slowest"):].splitlines()
        self.assertEqual(lines[0], "The 30 slowest of 41 tests, 2.4 min in all:")
        self.assertEqual(lines[1:3], ["    60.2 s  fuzz (test-asan)", "     4.0 s  unit.40 (test-release)"])
        self.assertEqual(len(lines), 31)

    def test_what_is_recorded_is_the_budget_of_the_next_run(self):
        self.part("build-release", 150, 250)
        ledger.write_record(self.folder, self.record)
        self.assertIsNone(self.report()[1])
        self.part("build-release", 150, 300)
        self.assertIsNotNone(self.report()[1])

    def test_a_calibration_is_processor_time(self):
        ledger.calibrate(self.folder)
        self.assertGreater(ledger.read_calibrations(self.folder)[-1], 0.1)


if __name__ == "__main__":
    unittest.main()
