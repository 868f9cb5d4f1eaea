"""A server of HTTP as a child process, and what can be told of it from outside."""

import os
import signal
import subprocess
import threading
import time

PATIENCE = 20  # seconds for what should happen at once, on a machine that may be slow


def wait_until(find, what, patience=PATIENCE):
    """Returns the first thing that is true of those that `find` returns."""
    end = time.monotonic() + patience
    while not (found := find()):
        if time.monotonic() > end:
            raise AssertionError(f"{what}: not within {patience} s")
        time.sleep(0.02)
    return found


class Server:
    """Says "listening on ..." on standard error for each address, and then what is in `said`."""

    def __init__(self, program, *arguments, addresses=1):
        self.said = []
        self.is_ending = False
        self.process = subprocess.Popen([program, *arguments], stderr=subprocess.PIPE, text=True)
        lines = [self.process.stderr.readline() for _ in range(addresses)]
        if not all(line.startswith("listening on ") for line in lines):
            self.stop()
            raise AssertionError(f"the server does not listen, it says {lines}")
        self.port = int(lines[0].rsplit(":", 1)[1])
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        with self.process.stderr as lines:
            self.said.extend(iter(lines.readline, ""))

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def children(self):
        """What it has started, by their process ids."""
        pid = self.process.pid
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
            return file.read().split()

    def reread(self):
        """Has it read its access file again."""
        self.hang_up("the access file was read again")

    def hang_up(self, expected):
        """Has it read its files again, and waits until it has said this."""
        before = len(self.said)
        self.process.send_signal(signal.SIGHUP)
        wait_until(lambda: any(expected in line for line in self.said[before:]), expected)

    def begin_end(self):
        if not self.is_ending:  # a second signal would end it at once
            self.is_ending = True
            self.process.send_signal(signal.SIGTERM)

    def stop(self):
        """Ends it, in order."""
        self.begin_end()
        try:
            if self.process.wait(PATIENCE) not in (0, 128 + signal.SIGTERM):
                raise AssertionError(f"the server has ended with {self.process.returncode}")
        finally:
            self.process.kill()
