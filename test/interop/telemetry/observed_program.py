"""A server of ours whose standard error says where its metrics are, and where it listens."""
import re
import subprocess


class ObservedProgram:
    def __init__(self, words):
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        text=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait(20)

    def url_of(self, beginning):
        """The next line says it, after these words."""
        line = self.process.stderr.readline()
        found = re.fullmatch(re.escape(beginning) + r" (\S+)\n", line)
        assert found, f"expected {beginning!r}, got {line!r}"
        return found[1]

    def ask(self, message):
        self.process.stdin.write(message + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline()

    def end(self):
        self.process.stdin.close()
        assert self.process.wait(20) == 0, self.process.stderr.read()
