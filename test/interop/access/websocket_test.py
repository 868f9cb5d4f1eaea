"""The package websockets as a client of partyline-tools with an access file: python websocket_test.py PARTYLINE_TOOLS."""

import json
import os
import sys
import unittest

from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "http"))

from access_file import METADATA, RESOURCE, AccessFile
from server_process import PATIENCE, Server

RULES = [{"tools": ["wait"], "scopes": ["files:read"]}, {"tools": ["hash_files"], "scopes": ["files:write"]}]
CHANGED = "notifications/tools/list_changed"


class OverWebSocket(unittest.TestCase):
    def setUp(self):
        self.file = AccessFile(resource=RESOURCE, rules=RULES)
        self.addCleanup(self.file.remove)
        self.token = self.file.add_token("reader", "files:read")
        self.server = Server(TOOLS, "--root", self.file.folder, "--listen", "127.0.0.1:0", "--access", self.file.path)
        self.addCleanup(self.server.stop)

    def open(self, fields=None):
        if fields is None:
            fields = [("Authorization", f"Bearer {self.token}")]
        return connect(f"ws://127.0.0.1:{self.server.port}/mcp/ws", subprotocols=["mcp"], proxy=None,
                       additional_headers=fields, open_timeout=PATIENCE)

    def ask(self, socket, id, method, params):
        socket.send(json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
        while True:
            message = json.loads(socket.recv(PATIENCE))
            if message.get("id") == id:
                return message

    def begin(self, socket):
        about = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
        self.assertIn("result", self.ask(socket, 0, "initialize", about))
        socket.send(json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}))

    def test_the_handshake_takes_a_token(self):
        token = self.token
        for status, fields in ((401, []), (401, [("Authorization", f"Bearer {token}x")]),
                               (400, [("Authorization", f"Basic {token}")]),
                               (401, [("Cookie", f"access_token={token}")]),
                               (401, [("Sec-WebSocket-Protocol", f"bearer.{token}")])):
            with self.subTest(status=status), self.assertRaises(InvalidStatus) as refused:
                self.open(fields)
            answer = refused.exception.response
            self.assertEqual(answer.status_code, status)
            self.assertIn(METADATA if status == 401 else "invalid_request", answer.headers["WWW-Authenticate"])

    def test_calls_are_judged(self):
        with self.open() as socket:
            self.begin(socket)
            listed = self.ask(socket, 1, "tools/list", {})["result"]["tools"]
            self.assertEqual(sorted(tool["name"] for tool in listed), ["hash_files", "wait"])
            call = {"name": "hash_files", "arguments": {"files": []}}
            error = self.ask(socket, 2, "tools/call", call)["error"]
            self.assertEqual((error["code"], error["data"]), (-31003, {"required": ["files:write"]}))
            hidden, unknown = (self.ask(socket, 3, "tools/call", {"name": name, "arguments": {}})
                               for name in ("read_lines", "read_linez"))
            self.assertEqual(json.dumps(hidden).replace("read_lines", "read_linez"), json.dumps(unknown))

    def test_changed_rules_hold_at_once(self):
        with self.open() as socket:
            self.begin(socket)
            self.assertIn("error", self.ask(socket, 1, "tools/call", {"name": "search_files", "arguments": {}}))
            self.file.change(rules=[{"tools": ["*"]}])
            self.server.reread()
            self.assertEqual(json.loads(socket.recv(PATIENCE))["method"], CHANGED)
            self.assertGreater(len(self.ask(socket, 2, "tools/list", {})["result"]["tools"]), 2)

    def test_a_token_that_is_taken_away_ends_its_connection(self):
        with self.open() as socket:
            self.begin(socket)
            self.file.change(tokens=[])
            self.server.reread()
            with self.assertRaises(ConnectionClosed) as ended:
                while True:
                    socket.recv(PATIENCE)
            self.assertEqual(ended.exception.rcvd.code, 1008)


if __name__ == "__main__":
    TOOLS = sys.argv.pop()
    unittest.main()
