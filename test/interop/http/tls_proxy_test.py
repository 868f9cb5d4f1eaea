"""nginx or HAProxy in front of partyline-echo, with TLS on either side of it, and WebSocket through it.

python tls_proxy_test.py nginx|haproxy PARTYLINE_ECHO PARTYLINE_CALL
"""

import asyncio
import json
import ssl
import subprocess
import sys
import unittest

from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

sys.dont_write_bytecode = True

from certificates import Certificates
from server_process import PATIENCE, Server, wait_until
from tls_proxy import PROXIES, Haproxy

CERTIFICATES = Certificates("localhost", "client")
unittest.addModuleCleanup(CERTIFICATES.remove)
MIB = 1 << 20

class ThroughProxy(unittest.TestCase):
    """Each way is a class of its own: see `load_tests`."""

    way = None

    def setUp(self):
        way = PROXY.ways[self.way]
        self.tells_who = "who it is" in self.way
        more = ["--proxy-protocol", "--allow-host", "localhost"] if self.tells_who else []
        self.server = Server(ECHO, "--listen", "127.0.0.1:0", *CERTIFICATES.options("localhost"), "--access-log", "-", *more)
        self.addCleanup(self.server.stop)
        self.proxy = PROXY(CERTIFICATES, self.server.port, **way)
        self.addCleanup(self.proxy.stop)

    def call(self, scheme, *arguments, sent=""):
        path = "ws" if scheme == "wss" else "rpc"
        run = subprocess.run([CALL, f"{scheme}://localhost:{self.proxy.port}/{path}", "--tls-ca", CERTIFICATES.ca, *arguments],
                             input=sent, text=True, capture_output=True, timeout=PATIENCE)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run

    def test_calls_are_answered(self):
        calls = "".join(json.dumps({"method": "add", "params": [1, i]}) + "\n" for i in range(200))
        for scheme in ("https", "wss"):
            with self.subTest(scheme=scheme):
                lines = self.call(scheme, "--calls", "-", sent=calls).stdout.splitlines()
                results = sorted(json.loads(line)["result"] for line in lines)
                self.assertEqual(results, [1 + i for i in range(200)])

    def test_progress_comes(self):
        for scheme in ("https", "wss"):
            with self.subTest(scheme=scheme):
                run = self.call(scheme, "count", "to=3", "--progress")
                self.assertEqual(run.stdout, '{"counted":3}\n')
                self.assertRegex(run.stderr, "1[^3]*2[^3]*3")

    def test_long_messages_pass(self):
        text = json.dumps({"text": "x" * 3 * MIB}, separators=(",", ":"))
        for scheme in ("https", "wss"):
            with self.subTest(scheme=scheme):
                self.assertEqual(self.call(scheme, "echo", "-", sent=text).stdout, text + "\n")

    def test_who_goes_away_cancels(self):
        for scheme in ("https", "wss"):
            with self.subTest(scheme=scheme):
                path = "ws" if scheme == "wss" else "rpc"
                command = [CALL, f"{scheme}://localhost:{self.proxy.port}/{path}", "--tls-ca", CERTIFICATES.ca,
                           "count", "to=1000000", "ms=20"]
                with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as run:
                    self.assertIn("1", run.stderr.readline())
                    before = self.server.descriptors()
                    run.kill()
                wait_until(lambda: self.server.descriptors() < before, "the end of the connection")
        self.server.begin_end()  # in order: what went on would be waited for
        self.server.stop()

    def test_conversations_go_both_ways(self):
        asyncio.run(asyncio.wait_for(self.converse(), PATIENCE))

    async def converse(self):
        context = ssl.create_default_context(cafile=CERTIFICATES.ca)
        async with connect(f"wss://localhost:{self.proxy.port}/ws", ssl=context, proxy=None, max_size=None,
                           subprotocols=["jsonrpc"]) as socket:
            self.assertEqual(socket.subprotocol, "jsonrpc")
            for id in range(20):
                await socket.send(json.dumps({"jsonrpc": "2.0", "id": id, "method": "call_back",
                                              "params": {"method": "double", "params": [id]}}))
            for _ in range(20):
                asked = json.loads(await socket.recv())
                await socket.send(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": 2 * asked["params"][0]}))
            replies = [json.loads(await socket.recv()) for _ in range(20)]
            self.assertEqual({each["id"]: each["result"] for each in replies}, {id: 2 * id for id in range(20)})
            await (await socket.ping())
            await socket.close(1000)
            self.assertEqual(socket.close_code, 1000)

    def test_the_server_is_told_who_it_is(self):
        if not self.tells_who:
            self.skipTest("it is not told by HTTP")
        command = ["curl", "-q", "--noproxy", "*", "--silent", "--cacert", CERTIFICATES.ca, "--interface", "127.0.0.7",
                   f"https://localhost:{self.proxy.port}/healthz"]
        self.assertEqual(subprocess.run(command, capture_output=True, timeout=PATIENCE).stdout, b"ok\n")
        line = wait_until(lambda: [line for line in self.server.said if '"/healthz"' in line], "its line in the log")[0]
        self.assertTrue(json.loads(line)["peer"].startswith("127.0.0.7"), line)


class CountedByAddress(unittest.TestCase):
    """HAProxy says from where each connection comes: from where this test wants, since all its own are of one machine."""

    way = {"bind": Haproxy.in_front, "more": "send-proxy-v2\n    http-request set-src hdr(x-from)"}

    def setUp(self):
        self.server = Server(ECHO, "--listen", "127.0.0.1:0", "--proxy-protocol", "--allow-host", "localhost",
                             "--max-connections-per-address", "2")
        self.addCleanup(self.server.stop)
        self.proxy = Haproxy(CERTIFICATES, self.server.port, **self.way)
        self.addCleanup(self.proxy.stop)

    def connect_from(self, address):
        return connect(f"wss://localhost:{self.proxy.port}/ws", ssl=ssl.create_default_context(cafile=CERTIFICATES.ca),
                       proxy=None, additional_headers={"X-From": address})

    async def converse(self):
        async with self.connect_from("192.0.2.1") as first, self.connect_from("192.0.2.1") as second:
            with self.assertRaises(InvalidStatus) as refused:
                await self.connect_from("192.0.2.1")
            self.assertEqual(refused.exception.response.status_code, 502)  # HAProxy: the server has closed the connection
            async with self.connect_from("192.0.2.2") as other:
                for socket in (first, second, other):
                    await (await socket.ping())

    def test_one_address_does_not_lock_others_out(self):
        asyncio.run(asyncio.wait_for(self.converse(), PATIENCE))
        self.assertIn("refused a connection from 192.0.2.1", "".join(self.server.said))


def load_tests(loader, _tests, _pattern):
    suite = unittest.TestSuite()
    for way in PROXY.ways:
        named = type(f"ThroughProxy ({way})", (ThroughProxy,), {"way": way})
        suite.addTests(loader.loadTestsFromTestCase(named))
    if PROXY is Haproxy:
        suite.addTests(loader.loadTestsFromTestCase(CountedByAddress))
    return suite


if __name__ == "__main__":
    CALL, ECHO, NAME = (sys.argv.pop() for _ in range(3))
    PROXY = PROXIES[NAME]
    unittest.main()
