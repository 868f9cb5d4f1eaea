"""Cursors that are good in several processes, by the keys of a file: python3 state_keys_test.py TOOLS."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True

from mcp_over_http import CLIENT, MODERN, PREFIX, Answer, request
from server_process import Server

META = {PREFIX + "protocolVersion": MODERN, PREFIX + "clientCapabilities": {}, PREFIX + "clientInfo": CLIENT}
OLD = "YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWE=\n"
NEW = "YmJiYmJiYmJiYmJiYmJiYmJiYmJiYmJiYmJiYmJiYmI=\n"
AGAIN = "the state keys were read again"


def list_tools(server, cursor=None):
    fields = {"Host": "localhost", "MCP-Protocol-Version": MODERN, "Mcp-Method": "tools/list"}
    params = {"_meta": META, **({"cursor": cursor} if cursor else {})}
    with Answer(server.port, "POST", request(1, "tools/list", params), fields) as answer:
        return answer.reply()


def next_page(server):
    return list_tools(server)["result"]["nextCursor"]


class StateKeys(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.keys = Path(self.folder, "keys")

    def write(self, text, mode=0o600):
        self.keys.write_text(text, encoding="ascii")
        self.keys.chmod(mode)

    def command(self):
        return [TOOLS, "--root", self.folder, "--page-size", "2", "--state-keys", str(self.keys), "--http", "127.0.0.1:0"]

    def serve(self):
        server = Server(*self.command())
        self.addCleanup(server.stop)
        return server

    def assert_taken(self, server, cursor):
        self.assertIn("result", list_tools(server, cursor))

    def assert_refused(self, server, cursor):
        self.assertEqual(list_tools(server, cursor)["error"]["code"], -32602)

    def test_a_key_is_changed_while_all_processes_serve(self):
        self.write(OLD)
        one, two = self.serve(), self.serve()
        of_old = next_page(one)
        self.assert_taken(two, of_old)
        self.write(OLD + NEW)
        one.hang_up(AGAIN)
        two.hang_up(AGAIN)
        self.write(NEW + OLD)
        one.hang_up(AGAIN)
        of_new = next_page(one)
        self.assert_taken(two, of_new)
        two.hang_up(AGAIN)
        self.assert_taken(two, of_old)
        self.assert_taken(two, of_new)
        self.write(NEW)
        two.hang_up(AGAIN)
        self.assert_refused(two, of_old)
        self.assert_taken(two, of_new)

    def test_a_wrong_file_leaves_the_old_keys(self):
        self.write(OLD)
        server = self.serve()
        cursor = next_page(server)
        self.write(NEW + "secret\n")
        server.hang_up(f"the state keys stay as they are: --state-keys {self.keys}: line 2 is not base64")
        self.assert_taken(server, cursor)
        self.keys.unlink()
        server.hang_up(f"the state keys stay as they are: --state-keys {self.keys}: No such file")
        self.assert_taken(server, cursor)

    def test_a_wrong_file_is_told_at_the_start(self):
        for text, mode, expected in (
            ("", 0o600, "it is empty"),
            (OLD + "c2hvcnQ=\n", 0o600, "line 2 has 5 bytes as base64, and is to have 32 at least"),
            (OLD, 0o640, "others may read or write it"),
        ):
            self.write(text, mode)
            ended = subprocess.run(self.command(), stderr=subprocess.PIPE, text=True, timeout=20, check=False)
            self.assertEqual(ended.returncode, 2)
            self.assertIn(f"partyline-tools: --state-keys {self.keys}: {expected}", ended.stderr)


if __name__ == "__main__":
    TOOLS = sys.argv.pop()
    unittest.main()
