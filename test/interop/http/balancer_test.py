"""Two nodes behind a balancer that is set up by the guide, or behind none:
python3 balancer_test.py nginx|haproxy|direct PAGE TOOLS."""

import contextlib
import http.client
import itertools
import json
import os
import sys
import tempfile
import threading
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "support"))

import proxy
from free_port import free_port
from mcp_over_http import MODERN, PREFIX, CLIENT, Session, call_of
from server_process import PATIENCE, Server, wait_until

NODES = ("one", "two")
CLIENTS = 4
META = {PREFIX + "protocolVersion": MODERN, PREFIX + "clientCapabilities": {}, PREFIX + "clientInfo": CLIENT}
FIELDS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Host": "localhost",
          "MCP-Protocol-Version": MODERN, "Mcp-Method": "tools/call", "Mcp-Name": "wait"}
BODY = json.dumps(call_of(1, "wait", {"seconds": 0.002}, META))


def is_healthy(port):
    try:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except ConnectionRefusedError:
        return False
    finally:
        connection.close()


class Caller(threading.Thread):
    """Calls one after the other over connections that it keeps. Where one is refused, it tries the next address."""

    def __init__(self, ports):
        super().__init__(daemon=True)
        self.ports = itertools.cycle(ports)
        self.most_refusals = len(ports) - 1
        self.connection = None
        self.answered = 0
        self.failed = []
        self.is_over = False

    def run(self):
        while not self.is_over:
            try:
                self.call()
                self.answered += 1
            except (OSError, http.client.HTTPException, AssertionError) as e:
                self.failed.append(repr(e))
                self.connection = None
        if self.connection:
            self.connection.close()

    def call(self):
        if self.connection is None:
            self.connect()
        self.connection.request("POST", "/mcp", BODY, FIELDS)
        answer = self.connection.getresponse()
        text = answer.read()
        assert answer.status == 200 and b'"result"' in text, (answer.status, text)
        if answer.will_close:
            self.connection.close()
            self.connection = None

    def connect(self):
        for attempt in itertools.count():
            connection = http.client.HTTPConnection("127.0.0.1", next(self.ports), timeout=PATIENCE)
            try:
                connection.connect()
            except ConnectionRefusedError:  # nothing was sent
                if attempt == self.most_refusals:
                    raise
                continue
            self.connection = connection
            return


class Balanced(unittest.TestCase):
    lame_duck = 0

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = folder.name
        self.keys = Path(folder.name, "keys")
        self.keys.write_text("YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWE=\n", encoding="ascii")
        self.keys.chmod(0o600)
        self.ports = {name: free_port() for name in NODES}
        self.nodes = {name: self.start(name) for name in NODES}
        self.addCleanup(lambda: [node.stop() for node in self.nodes.values()])
        self.proxy = PROXY(PAGE, self.ports) if PROXY else None
        if self.proxy:
            self.addCleanup(self.proxy.stop)
        self.wait_for_nodes()

    def start(self, name):
        return Server(TOOLS, "--root", self.root, "--node", name, "--state-keys", str(self.keys), "--lame-duck-ms", str(self.lame_duck),
                      "--listen", f"127.0.0.1:{self.ports[name]}")

    def wait_for_nodes(self):
        for name, port in self.ports.items():
            wait_until(lambda: is_healthy(port), name)
        if self.proxy:
            self.proxy.wait_for_nodes()

    def restart(self, name):
        self.nodes[name].stop()
        self.nodes[name] = self.start(name)
        self.wait_for_nodes()

    def addresses(self):
        return [self.proxy.port] if self.proxy else list(self.ports.values())


class UnderLoad(Balanced):
    @contextlib.contextmanager
    def callers(self):
        """Calls all the time; none of them may fail."""
        all = [Caller(self.addresses()) for _ in range(CLIENTS)]
        for caller in all:
            caller.start()
        self.wait_for_calls(all, 1)
        yield all
        for caller in all:
            caller.is_over = True
        for caller in all:
            caller.join(PATIENCE)
        self.assertEqual([text for caller in all for text in caller.failed], [])
        print(f"{NAME}: {sum(caller.answered for caller in all)} calls were answered", file=sys.stderr)

    def wait_for_calls(self, callers, count):
        """Until each has had so many answers more."""
        before = [caller.answered + len(caller.failed) for caller in callers]

        def are_done():
            return all(one.answered + len(one.failed) >= had + count for one, had in zip(callers, before))

        wait_until(are_done, "answers")


class RollingRestart(UnderLoad):
    lame_duck = 1000  # as the page has it

    def test_no_call_is_lost(self):
        with self.callers() as callers:
            for name in NODES:
                self.restart(name)
                self.wait_for_calls(callers, 10)


class OneThatIsGone(UnderLoad):
    def test_no_call_is_lost_before_that_is_noticed(self):
        with self.callers() as callers:
            self.nodes["two"].stop()
            self.wait_for_calls(callers, 50)


class Sessions(Balanced):
    def setUp(self):
        if not PROXY:
            self.skipTest("there is nobody who has to find the node")
        super().setUp()

    def begin(self, nodes):
        """Sessions of all these nodes."""
        found = {}

        def is_enough():
            session = Session(self.proxy.port)
            found.setdefault(session.fields["Mcp-Session-Id"].partition(".")[0], []).append(session)
            return set(nodes) <= set(found)

        wait_until(is_enough, "sessions of all nodes")
        return found

    def test_a_session_keeps_to_its_node(self):
        sessions = self.begin(NODES)
        self.assertEqual(set(sessions), set(NODES))
        for _ in range(5):
            for session in itertools.chain(*sessions.values()):
                with session.call(1, "wait", {"seconds": 0}) as answer:
                    self.assertEqual(answer.status, 200)

    def test_where_the_node_has_gone_the_client_is_told_to_begin_again(self):
        sessions = self.begin(NODES)
        self.nodes["two"].stop()
        with sessions["two"][0].call(1, "wait", {"seconds": 0}) as answer:
            self.assertEqual(answer.status, 404)
        with sessions["one"][0].call(1, "wait", {"seconds": 0}) as answer:
            self.assertEqual(answer.status, 200)
        self.assertEqual(set(self.begin(["one"])), {"one"})

    def test_a_name_that_no_node_has_is_answered_404(self):
        session = Session(self.proxy.port)
        session.fields["Mcp-Session-Id"] = "localhost." + "a" * 26
        with session.call(1, "wait", {"seconds": 0}) as answer:
            self.assertEqual(answer.status, 404)


if __name__ == "__main__":
    TOOLS, PAGE, NAME = (sys.argv.pop() for _ in range(3))
    PROXY = {"nginx": proxy.BalancingNginx, "haproxy": proxy.BalancingHaproxy, "direct": None}[NAME]
    unittest.main()
