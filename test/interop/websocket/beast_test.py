"""Boost.Beast as a server of WebSocket, which sends each message back: beast_test.py BEAST_WEBSOCKET PARTYLINE_GATEWAY."""

import json
import subprocess
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parents[1] / "http"))

from server_process import PATIENCE, Server

SIZES = (0, 1, 60, 125, 126, 127, 65535, 65536, 1_000_000)  # about where frames get another head


class Echoed(unittest.TestCase):
    def test_messages_of_all_sizes_come_back_as_they_went(self):
        server = Server(BEAST)
        self.addCleanup(server.process.wait)
        self.addCleanup(server.process.kill) # it knows no other end
        sent = [json.dumps({"jsonrpc": "2.0", "method": "told", "params": ["ä" * (size // 2)]}, ensure_ascii=False)
                for size in SIZES]
        host = subprocess.Popen([GATEWAY, "--stdio", f"ws://127.0.0.1:{server.port}/"], stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE, encoding="utf-8")
        self.addCleanup(host.kill)
        for line in sent:
            host.stdin.write(line + "\n")
            host.stdin.flush()
            self.assertEqual(json.loads(host.stdout.readline()), json.loads(line))
        host.stdin.close()
        self.assertEqual(host.wait(PATIENCE), 0)
        self.assertEqual(host.stdout.read(), "")
        host.stdout.close()


if __name__ == "__main__":
    GATEWAY = sys.argv.pop()
    BEAST = sys.argv.pop()
    unittest.main()
