"""Builds small trees, right and with one fault each, and holds the check to its word."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True

CHECK = Path(__file__).with_name("check.py")
CMAKE = """partyline_add_test(mcp
    cancel_test.cpp # the first
    PROGRAMS server)
# rule: mcp.by_script
add_test(NAME outside.all COMMAND bash run.sh)
"""
SOURCE = """BOOST_AUTO_TEST_SUITE(cancelling, *boost::unit_test::timeout(100))

// rule: mcp.cancel.silent, mcp.cancel.stop
BOOST_AUTO_TEST_CASE(a_call_falls_silent)
{
}

// It takes a while.
// rule: mcp.cancel.silent
BOOST_FIXTURE_TEST_CASE(so_does_a_slow_one, slow)
{
}

BOOST_AUTO_TEST_SUITE_END()
"""
RULES = """# Cancelling

## The page

### mcp.cancel.silent: server, MUST NOT, modern
Says anything more.
- mcp: cancelling/a_call_falls_silent
- mcp: cancelling/so_does_a_slow_one

### mcp.cancel.stop: server, SHOULD, 2025-06-18+
Stops.
- mcp: cancelling/a_call_falls_silent

### mcp.cancel.ui: client, SHOULD
Shows it.
No test, host: there is no screen here

### mcp.by_script: both, MUST, 2024-11-05 to 2025-03-26
Does.
- ctest: outside.all
"""


class ManifestTest(unittest.TestCase):
    def check(self, *words, rules=RULES, source=SOURCE, cmake=CMAKE):
        with tempfile.TemporaryDirectory() as folder:
            tests = Path(folder)
            (tests / "manifest/rules").mkdir(parents=True)
            (tests / "manifest/rules/all.md").write_text(rules)
            (tests / "mcp").mkdir()
            (tests / "mcp/cancel_test.cpp").write_text(source)
            (tests / "mcp/CMakeLists.txt").write_text(cmake)
            run = subprocess.run([sys.executable, str(CHECK), folder, *words], capture_output=True, text=True)
            self.written = (tests / "manifest/rules/all.md").read_text()
            return run

    def expect_fault(self, words, **tree):
        run = self.check(**tree)
        self.assertEqual(run.returncode, 1)
        self.assertIn(words, run.stderr)
        self.assertEqual(run.stderr.count("\n"), 1, run.stderr)

    def test_what_is_right_is_found_right(self):
        run = self.check()
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertEqual(run.stdout, "4 rules: 1 host, 3 with tests\n")

    def test_a_rule_names_a_test_that_is_not_there(self):
        self.expect_fault("mcp.cancel.stop names mcp: cancelling/nothing, which is not there",
                          rules=RULES.replace("Stops.\n", "Stops.\n- mcp: cancelling/nothing\n"))

    def test_a_test_is_renamed(self):
        run = self.check(source=SOURCE.replace("so_does_a_slow_one", "another"))
        self.assertIn("mcp.cancel.silent names mcp: cancelling/so_does_a_slow_one, which is not there", run.stderr)
        self.assertIn("mcp.cancel.silent does not name mcp: cancelling/another", run.stderr)

    def test_a_test_names_a_rule_that_there_is_not(self):
        self.expect_fault("mcp.cancel.loud: the manifest has no such rule; named by mcp: cancelling/a_call",
                          source=SOURCE.replace("mcp.cancel.stop", "mcp.cancel.stop, mcp.cancel.loud"))

    def test_a_test_names_a_rule_that_does_not_name_it(self):
        self.expect_fault("mcp.cancel.silent does not name mcp: cancelling/so_does_a_slow_one",
                          rules=RULES.replace("- mcp: cancelling/so_does_a_slow_one\n", ""))

    def test_a_rule_has_no_test(self):
        self.expect_fault("mcp.new has neither a test nor a reason", rules=RULES + "\n### mcp.new: both, MUST\nIs.\n")

    def test_a_test_is_taken_away(self):
        run = self.check("renew", cmake=CMAKE.replace("# rule: mcp.by_script\n", ""))
        self.assertEqual(run.returncode, 1) # renewing does not hide it
        self.assertIn("mcp.by_script has neither a test nor a reason", run.stderr)

    def test_a_rule_has_both_a_test_and_a_reason(self):
        self.expect_fault("mcp.cancel.stop has a reason to have no test, and tests",
                          rules=RULES.replace("Stops.\n", "Stops.\nNo test, author: his affair\n"))

    def test_a_reason_is_of_no_known_kind(self):
        self.expect_fault("kinds are author,", rules=RULES.replace("No test, host", "No test, later"))

    def test_a_rule_says_nothing(self):
        self.expect_fault("mcp.cancel.stop does not say", rules=RULES.replace("Stops.\n", ""))

    def test_two_rules_have_one_name(self):
        run = self.check(rules=RULES + "\n### mcp.cancel.ui: both, MUST\nIs.\nNo test, host: x\n")
        self.assertIn("mcp.cancel.ui is no name of a rule, or another rule has it", run.stderr)

    def test_a_heading_is_wrong(self):
        for words in ("server, MAY", "peer, MUST", "server, MUST, 2023-01-01", "server"):
            self.expect_fault("is no \"<side>", rules=RULES.replace("client, SHOULD", words))
        self.expect_fault("is no \"### <name>", rules=RULES + "\n### mcp.new\n")

    def test_a_source_is_in_no_program(self):
        run = self.check(cmake=CMAKE.replace("cancel_test.cpp", "other_test.cpp"))
        self.assertIn("no test program has this source", run.stderr)

    def test_a_source_that_is_only_a_comment_is_in_no_program(self):
        run = self.check(cmake=CMAKE.replace("cancel_test.cpp # the first", "# cancel_test.cpp"))
        self.assertIn("no test program has this source", run.stderr)

    def test_a_test_is_disabled(self):
        self.expect_fault("a test that is disabled keeps no rule",
                          source=SOURCE.replace("slow)", "slow, *boost::unit_test::disabled())"))

    def test_scripts_of_one_loop_are_named_together(self):
        run = self.check(cmake=CMAKE.replace("outside.all", "outside.${what}"), rules=RULES.replace("outside.all", "outside.*"))
        self.assertEqual((run.returncode, run.stderr), (0, ""))

    def test_a_comment_has_no_test(self):
        run = self.check(source=SOURCE.replace("BOOST_FIXTURE_TEST_CASE(so_does_a_slow_one, slow)", "void other()"))
        self.assertIn("cancel_test.cpp:9: no test follows this comment", run.stderr)

    def test_no_rules_at_all_are_a_fault(self):
        self.assertEqual(self.check(rules="", source="", cmake="").returncode, 1)

    def test_renewing_writes_what_the_tests_name(self):
        without = "\n".join(line for line in RULES.split("\n") if not line.startswith("- "))
        run = self.check("renew", rules=without)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertEqual(self.written, RULES)


unittest.main()
