"""Runs ctest, or any command, while the processes of its tests are stopped for 30 to 150 ms at random moments:

    python3 jitter.py [--seed SEED] COMMAND...

A test that waits for events passes all the same; one that waits for time to pass fails. Ends with the exit code of the command.

Each child of the command is a test. Which of its processes are stopped, when and for how long follows from the seed and the
command line of the test, so that a test sees much the same again when the seed is the same, whatever runs beside it.
"""

import argparse
import ctypes
import os
import random
import shutil
import signal
import sys
import time

SHORTEST, LONGEST = 0.030, 0.150  # of a stop, in seconds
PAUSE = 0.300  # between two stops of a test, at most
TICK = 0.010
PR_SET_CHILD_SUBREAPER = 36


class Schedule:
    """The moments of one test, counted from its start."""

    def __init__(self, seed, command):
        self.random = random.Random(f"{seed} {command}")
        self.moment = self.random.uniform(0, PAUSE)

    def next_stop(self, processes):
        """The process to be stopped, for how long; the moment after that is the next one."""
        process = self.random.choice(processes)
        seconds = self.random.uniform(SHORTEST, LONGEST)
        self.moment += seconds + self.random.uniform(0, PAUSE)
        return process, seconds


class Process:
    """What /proc says about a process; its number may soon be that of another one."""

    def __init__(self, number):
        with open(f"/proc/{number}/stat", encoding="utf-8", errors="replace") as stat:
            fields = stat.read().rpartition(")")[2].split()
        self.number = number
        self.state = fields[0]
        self.parent = int(fields[1])
        self.started = int(fields[19])

    def command(self):
        with open(f"/proc/{self.number}/cmdline", encoding="utf-8", errors="replace") as line:
            return line.read().replace("\0", " ").strip()

    def order(self):
        return (self.started, self.number)


def read_processes():
    """All processes of the machine, by number."""
    processes = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                processes[int(name)] = Process(int(name))
            except (OSError, IndexError):
                pass  # it has ended
    return processes


def descendants(processes, root):
    """`root` and all that it has started, oldest first."""
    children = {}
    for process in processes.values():
        children.setdefault(process.parent, []).append(process)
    found = [processes[root]]
    for process in found:
        found.extend(children.get(process.number, []))
    return sorted(found, key=Process.order)


class Jitter:
    def __init__(self, seed, root):
        self.seed = seed
        self.root = root
        self.schedules = {}  # by number and start of the test's first process: when that began, and its schedule
        self.stopped = []  # until when, and a handle of the process
        self.stops = 0

    def schedule_of(self, test, now):
        key = test.order()
        if key not in self.schedules:
            self.schedules[key] = (now, Schedule(self.seed, test.command()))
        return self.schedules[key]

    def stop_some(self, now):
        processes = read_processes()
        for test in list(processes.values()):
            # An orphan becomes a child of this process, and is a test of its own.
            if test.parent not in (self.root, os.getpid()) or test.number == self.root:
                continue
            try:
                begin, schedule = self.schedule_of(test, now)
            except OSError:
                continue
            if now < begin + schedule.moment:
                continue
            # A process that a test has stopped itself is not to be continued by us.
            running = [each for each in descendants(processes, test.number) if each.state in "RSD"]
            if running:
                process, seconds = schedule.next_stop(running)
                self.stop(process, now + seconds)

    def stop(self, process, until):
        try:
            handle = os.pidfd_open(process.number)
        except OSError:
            return
        try:
            if Process(process.number).started == process.started:
                signal.pidfd_send_signal(handle, signal.SIGSTOP)
                self.stopped.append((until, handle))
                self.stops += 1
                return
        except OSError:
            pass
        os.close(handle)

    def continue_until(self, now):
        for until, handle in [each for each in self.stopped if each[0] <= now]:
            try:
                signal.pidfd_send_signal(handle, signal.SIGCONT)
            except OSError:
                pass
            os.close(handle)
            self.stopped.remove((until, handle))


def reap(root):
    """Takes leave of all that have ended; returns the exit code of `root` when it is among them."""
    code = None
    while True:
        try:
            number, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return code
        if number == 0:
            return code
        if number == root:
            code = os.waitstatus_to_exitcode(status)


def run(seed, command):
    # Children of children that have ended are still found.
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
    root = os.posix_spawnp(command[0], command, os.environ)
    jitter = Jitter(seed, root)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    code = None
    try:
        while code is None:
            now = time.monotonic()
            jitter.continue_until(now)
            jitter.stop_some(now)
            time.sleep(TICK)
            code = reap(root)
    finally:
        jitter.continue_until(float("inf"))
        if code is None:
            os.kill(root, signal.SIGTERM)
    print(f"jitter: {jitter.stops} stops of {len(jitter.schedules)} tests with the seed {seed}", flush=True)
    return code if code >= 0 else 128 - code


def main():
    parser = argparse.ArgumentParser(description="Runs a command while processes of its tests are stopped at random moments.")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    if not options.command:
        parser.error("there is no command")
    if not shutil.which(options.command[0]):
        parser.error(f"there is no {options.command[0]}")
    print(f"jitter: the seed is {options.seed}", flush=True)
    sys.exit(run(options.seed, options.command))


if __name__ == "__main__":
    main()
