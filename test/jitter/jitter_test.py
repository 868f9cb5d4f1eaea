"""Tests the script: python3 jitter_test.py."""

import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True

import jitter

SCRIPT = Path(__file__).with_name("jitter.py")
# Ends when it has been continued twice, which its own handler counts; the alarm is for a jitter that stops nothing.
CONTINUED_TWICE = """
import signal, sys
left = 2
def count(*_):
    global left
    left -= 1
    if left == 0:
        sys.exit(7)
signal.signal(signal.SIGCONT, count)
signal.alarm(30)
while True:
    signal.pause()
"""


def run(*words):
    return subprocess.run([sys.executable, SCRIPT, *words], capture_output=True, text=True, timeout=60)


def as_test(program):
    """A command whose child runs the program, as ctest runs a test; ends as that ends."""
    return [sys.executable, "-c", "import subprocess, sys; sys.exit(subprocess.call(sys.argv[1:]))",
            sys.executable, "-c", program]


class Schedules(unittest.TestCase):
    def plan(self, seed, command):
        schedule = jitter.Schedule(seed, command)
        return [(schedule.moment, *schedule.next_stop([1, 2, 3])) for _ in range(50)]

    def test_the_same_seed_stops_a_test_at_the_same_moments(self):
        self.assertEqual(self.plan(4, "unit --run_test=a"), self.plan(4, "unit --run_test=a"))

    def test_another_seed_and_another_test_have_other_moments(self):
        self.assertNotEqual(self.plan(4, "unit --run_test=a"), self.plan(5, "unit --run_test=a"))
        self.assertNotEqual(self.plan(4, "unit --run_test=a"), self.plan(4, "unit --run_test=b"))

    def test_stops_take_30_to_150_ms_and_do_not_overlap(self):
        plan = self.plan(4, "unit")
        for (moment, _, seconds), (later, _, _) in zip(plan, plan[1:]):
            self.assertTrue(0.030 <= seconds <= 0.150)
            self.assertTrue(moment + seconds <= later <= moment + seconds + jitter.PAUSE)

    def test_each_process_of_a_test_has_its_turn(self):
        self.assertEqual({process for _, process, _ in self.plan(4, "unit")}, {1, 2, 3})


class Processes(unittest.TestCase):
    def test_what_a_child_has_started_is_found(self):
        program = "import subprocess, sys; subprocess.run(['sh', '-c', 'echo up; read line; :'], stdin=sys.stdin)"
        with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
            self.assertEqual(child.stdout.readline(), b"up\n")
            found = jitter.descendants(jitter.read_processes(), child.pid)
            self.assertEqual(len(found), 2)
            self.assertEqual(found[0].number, child.pid)
            self.assertEqual(found[1].parent, child.pid)


class Runs(unittest.TestCase):
    def test_a_test_is_stopped_and_continued_and_its_exit_code_is_passed_on(self):
        done = run("--seed", "3", *as_test(CONTINUED_TWICE))
        self.assertEqual(done.returncode, 7, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"jitter: the seed is 3\n")
        self.assertRegex(done.stdout, r"jitter: ([2-9]|\d\d+) stops of 1 tests with the seed 3\n")

    def test_an_orphan_is_stopped_as_well(self):
        # What the child has started belongs to nobody when the child has ended.
        leave = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {CONTINUED_TWICE!r}])"
        wait = ("import subprocess, sys; sys.exit(subprocess.run(sys.argv[1:], stdout=subprocess.PIPE).stdout != b'')")
        done = run(sys.executable, "-c", wait, sys.executable, "-c", leave)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertGreaterEqual(int(re.search(r"(\d+) stops", done.stdout)[1]), 2)

    def test_the_command_itself_is_not_stopped(self):
        done = run(sys.executable, "-c", "import time; time.sleep(0.5)")
        self.assertRegex(done.stdout, "jitter: 0 stops of 0 tests")

    def test_a_command_that_a_signal_ends_has_the_code_of_a_shell(self):
        self.assertEqual(run("sh", "-c", "kill -KILL $$").returncode, 137)

    def test_the_seed_is_chosen_and_said_where_none_is_given(self):
        self.assertRegex(run("true").stdout, r"^jitter: the seed is \d+\n")

    def test_a_command_is_needed(self):
        self.assertEqual(run().returncode, 2)
        self.assertEqual(run("no-such-program").returncode, 2)


if __name__ == "__main__":
    unittest.main()
