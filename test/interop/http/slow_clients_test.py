"""slowhttptest against partyline-echo: python3 slow_clients_test.py [--connections N] PARTYLINE_ECHO.

By default it takes some 13 s: few connections, and only the slow heads are seen to be ended by the server. With
--connections 5000 it takes a minute and a half, has the server end all of them, and needs as many descriptors (ulimit -n).
"""

import http.client
import json
import re
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True

from server_process import PATIENCE, Server, wait_until

FEW = 300


def post(method, *params):
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})


def much_to_read():
    """A value of a field behind which comes a request with an answer that no socket takes at once.

    The program itself only does GET, and all that is served by GET here is short.
    """
    body = post("parts", 100, 1 << 16)
    return ("a=b\r\n\r\nPOST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n{body}")


class Attack:
    """Has a server of its own, so that it is known whose descriptors they are."""

    def __init__(self, path, *arguments, connections):
        self.connections = connections
        self.server = Server(ECHO, "--http", "127.0.0.1:0", "--max-connections-per-address", "10000",
                             "--access-log", "-")
        self.before = self.peak = self.last = self.server.descriptors()
        self.served = 0
        # A second between what it sends, so that no limit between two bytes ends it; all connect within a second.
        self.process = subprocess.Popen(
            ["slowhttptest", *arguments, "-c", str(connections), "-r", str(connections), "-i", "1", "-l", str(SECONDS),
             "-u", f"http://127.0.0.1:{self.server.port}{path}"], stdout=subprocess.PIPE, text=True)

    def is_over(self):
        return self.process.poll() is not None

    def serve_somebody_else(self):
        """An honest client, who has no connection yet."""
        client = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=PATIENCE)
        client.request("POST", "/rpc", post("add", 2, 40), {"Content-Type": "application/json"})
        if json.load(client.getresponse())["result"] != 42:
            raise AssertionError("2 and 40 are 42")
        client.close()
        self.served += 1
        self.last = self.server.descriptors()
        self.peak = max(self.peak, self.last)

    def exit_status(self):
        said, _ = self.process.communicate(timeout=PATIENCE)
        return re.search(r"Exit status:\x1b\[[\d;]+m ([^\n]*)", said)[1]

    def stop(self):
        self.process.kill()
        self.process.communicate()
        self.server.stop()


class SlowClients(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.attacks = {}  # all at the same time, since each of them mostly waits
        for name, path, arguments, connections in (
            ("heads", "/rpc", ["-H"], CONNECTIONS),
            ("bodies", "/rpc", ["-B", "-f", "application/json", "-s", "100000"], CONNECTIONS),
            ("ranges", "/healthz", ["-R"], CONNECTIONS),
            # The system keeps up to four MiB for each of these.
            ("reading", "/healthz", ["-X", "-j", much_to_read(), "-n", "1", "-z", "32"], max(100, CONNECTIONS // 16)),
        ):
            cls.attacks[name] = Attack(path, *arguments, connections=connections)
            cls.addClassCleanup(cls.attacks[name].stop)

    def test_others_are_served_and_nothing_is_left(self):
        self.serve_others()
        for name, attack in self.attacks.items():
            with self.subTest(name):
                self.assertGreater(attack.served, 0)
                if name == "ranges":  # are not looked at: the whole is answered, and the connection closed
                    self.assertEqual(sum('"HEAD"' in line for line in attack.server.said), attack.connections)
                else:  # of thousands, the first have been ended before the last come
                    self.assertGreater(attack.peak - attack.before, attack.connections // 2)
                self.check_end(name, attack)
                wait_until(lambda: attack.server.descriptors() <= attack.before, "the end of the connections")

    def check_end(self, name, attack):
        status = attack.exit_status()
        if CONNECTIONS > FEW and name == "reading":
            # What the system still keeps for it hides the end from the program, but not that the server has let it go.
            self.assertLess(attack.last - attack.before, attack.connections // 2)
        else:
            is_ended = CONNECTIONS > FEW or name in ("heads", "ranges")
            self.assertEqual(status, "No open connections left" if is_ended else "Hit test time limit")

    def serve_others(self):
        while going := [attack for attack in self.attacks.values() if not attack.is_over()]:
            for attack in going:
                attack.serve_somebody_else()
            try:
                going[0].process.wait(0.2)
            except subprocess.TimeoutExpired:
                pass


if __name__ == "__main__":
    ECHO = sys.argv.pop()
    CONNECTIONS = FEW
    if "--connections" in sys.argv:
        at = sys.argv.index("--connections")
        _, CONNECTIONS = sys.argv.pop(at), int(sys.argv.pop(at))
    SECONDS = 12 if CONNECTIONS <= FEW else 90
    unittest.main()
