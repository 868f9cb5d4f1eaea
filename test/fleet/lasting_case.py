"""What the tests of what lasts longer than a call begin with: clients in their own words, and servers that write down what
becomes of them."""

import asyncio
import json
import logging
import signal
import subprocess
import sys

from bus_case import GATEWAY, BusCase
from machines import HERE, until

sys.path.insert(0, str(HERE.parent / "interop" / "http"))

import mcp_over_http
from mcp_over_http import CLIENT, MODERN, PREFIX, Answer, Session, modern_call, request

mcp_over_http.HOST = "127.0.0.1"
mcp_over_http.PATIENCE = 60  # the death of a worker shows after some 20 s
logging.getLogger("asyncio").setLevel(logging.ERROR)  # requests block the loop, which has nothing else to do

LOST = {"code": -31004, "data": {"executed": "unknown"}}
SUBSCRIPTION = PREFIX + "subscriptionId"
UPDATED = "notifications/resources/updated"
LIST_CHANGED = "notifications/tools/list_changed"
WANTED = {"toolsListChanged": True, "resourceSubscriptions": ["test://one"]}
META = {PREFIX + "protocolVersion": MODERN, PREFIX + "clientCapabilities": {}, PREFIX + "clientInfo": CLIENT}


def text_in(reply):
    return reply["result"]["content"][0]["text"]


def error_in(reply):
    return {name: value for name, value in reply["error"].items() if name in LOST}


class Listener:
    """A subscription that is open."""

    def __init__(self, port, request_id="listen", wanted=None, fields=()):
        params = {"notifications": WANTED if wanted is None else wanted, "_meta": META}
        own = {"MCP-Protocol-Version": MODERN, "Mcp-Method": "subscriptions/listen", **dict(fields)}
        self.answer = Answer(port, "POST", request(request_id, "subscriptions/listen", params), own)
        self.id = request_id
        self.messages = self.answer.__enter__().messages()

    def next(self):
        """The next notification without what says whose it is; the reply where the subscription ends."""
        message = next(self.messages)
        if "method" not in message:
            return message
        about = message["params"].pop("_meta")
        if about != {SUBSCRIPTION: self.id}:
            raise AssertionError(f"another subscription's: {about}")
        return message["method"], message["params"]

    def expect_begun(self, test):
        test.assertEqual("notifications/subscriptions/acknowledged", self.next()[0])


class Lines:
    """A connection without HTTP, of a client that asks one thing at a time."""

    @classmethod
    async def connect(cls, port):
        one = cls()
        one.reader, one.writer = await asyncio.open_connection("127.0.0.1", port)
        one.told, one.last = [], 0
        return one

    def send(self, **message):
        self.writer.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    async def ask(self, method, params=None):
        self.last += 1
        self.send(id=self.last, method=method, **({"params": params} if params else {}))
        while "method" in (message := json.loads(await self.reader.readline())):
            self.told.append(message)
        return message

    async def begin(self):
        about = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": CLIENT}
        if "result" not in await self.ask("initialize", about):
            raise AssertionError("the session was refused")
        self.send(method="notifications/initialized")


class LastingCase(BusCase):
    SERVER = "lasting_server.py"

    async def start_all(self, of_worker=(), of_front=()):
        worker = await super().start_all(of_worker, of_front)

        async def has_worker():
            return worker.says("the bus is connected")

        await until(has_worker, "the worker is connected")
        return worker

    async def has_line(self, line):
        async def is_there():
            return line in self.lines()

        await until(is_there, line)

    async def is_gone(self, session):
        async def is_unknown():
            with session.post(request(9, "ping", {})) as answer:
                return answer.status == 404

        await until(is_unknown, "the session is unknown")

    def call(self, session, tool, **fields):
        with session.call(1, tool, **fields) as answer:
            return answer.reply()

    def modern(self, tool, **fields):
        with modern_call(self.port, 1, tool, {}, **fields) as answer:
            return answer.reply()

    def begin_at(self, places, place_of):
        """A session at each of these places."""
        sessions = {}
        for _ in range(100):
            one = Session(self.port)
            sessions[place_of(one)] = one
            if set(sessions) == places:
                return sessions
        raise AssertionError(f"sessions are at {set(sessions)} alone, of {places}")

    def write_access(self, rule):
        self.access.write_text(json.dumps({"tokens": [self.token_entry], "rules": [rule]}))

    async def start_with_access(self, rule):
        """Returns the fields of requests of a client to whom the rule applies."""
        made = subprocess.run([GATEWAY, "--new-token", "alice"], capture_output=True, text=True, check=True)
        token, entry = made.stdout.splitlines()
        self.access, self.token_entry = self.folder / "access.json", json.loads(entry)
        self.access.touch(0o600)
        self.write_access(rule)
        await self.start_all(["--forward-peer"], ["--access", str(self.access)])
        return {"Authorization": f"Bearer {token}"}

    async def change_access(self, rule):
        self.write_access(rule)
        (front,) = [one for one in self.machines if one.name == "front"]
        front.send(signal.SIGHUP)
