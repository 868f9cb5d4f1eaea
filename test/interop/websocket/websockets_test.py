"""The package websockets for Python as a client of partyline-echo, and as servers for partyline-call, with TLS and without.

python websockets_test.py PARTYLINE_ECHO PARTYLINE_CALL
"""

import asyncio
import json
import os
import ssl
import sys
import unittest

import websockets
from websockets.asyncio.client import connect
from websockets.asyncio.server import serve

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "http"))

from certificates import Certificates
from server_process import PATIENCE, Server

CERTIFICATES = Certificates("localhost")
unittest.addModuleCleanup(CERTIFICATES.remove)
ENDLESS = {"ms": 600_000}
TEXT = "aß€\U0001F600\\n\n\"\u2028" * 100_000
MIB = 1 << 20


def request(id, method, params):
    return json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params})


def notification(method, params):
    return json.dumps({"jsonrpc": "2.0", "method": method, "params": params})


def result(id, value):
    return json.dumps({"jsonrpc": "2.0", "id": id, "result": value})


class AsClient(unittest.IsolatedAsyncioTestCase):
    scheme = "ws"

    async def asyncSetUp(self):
        self.server = self.start()
        self.address = f"{self.scheme}://localhost:{self.server.port}/ws"

    def start(self):
        server = Server(ECHO, "--listen", "127.0.0.1:0", *CERTIFICATES.options("localhost"),
                        "--allow-origin", "https://example.org")
        self.addCleanup(server.stop)
        return server

    def connect(self, **options):
        if self.scheme == "wss":
            options["ssl"] = ssl.create_default_context(cafile=CERTIFICATES.ca)
        return connect(self.address, max_size=None, proxy=None, **options)

    async def read(self, socket):
        return json.loads(await asyncio.wait_for(socket.recv(), PATIENCE))

    async def assert_closed(self, socket, code):
        with self.assertRaises(websockets.ConnectionClosed):
            while True:
                await self.read(socket)
        self.assertEqual(socket.protocol.close_rcvd.code, code)

    async def test_replies_come_when_they_are_ready(self):
        async with self.connect() as socket:
            for id in range(50):
                await socket.send(request(id, "ask", {"question": "what next?"}))
            questions = [await self.read(socket) for _ in range(50)]
            self.assertEqual([each["params"]["id"] for each in questions], list(range(50)))
            for id in reversed(range(50)):
                await socket.send(notification("answer", {"id": id, "value": id + 1}))
                self.assertEqual(await self.read(socket), json.loads(result(id, id + 1)))

    async def test_progress_comes_before_the_reply(self):
        async with self.connect() as socket:
            await socket.send(request("a", "count", {"to": 3}))
            self.assertEqual([(await self.read(socket))["params"]["value"] for _ in range(3)], [1, 2, 3])
            self.assertEqual((await self.read(socket))["result"], {"counted": 3})

    async def test_the_server_calls_and_a_cancel_goes_on(self):
        async with self.connect() as socket:
            await socket.send(request("a", "call_back", {"method": "double", "params": [21]}))
            asked = await self.read(socket)
            self.assertEqual((asked["method"], asked["params"]), ("double", [21]))
            await socket.send(result(asked["id"], 42))
            self.assertEqual((await self.read(socket))["result"], 42)
            await socket.send(request("b", "call_back", {"method": "think", "params": []}))
            asked = await self.read(socket)
            await socket.send(notification("$/cancelRequest", {"id": "b"}))
            told = [await self.read(socket), await self.read(socket)]
            self.assertIn({"id": asked["id"]}, [each.get("params") for each in told])
            self.assertIn(-32800, [each.get("error", {}).get("code") for each in told])

    async def test_long_messages_and_those_of_many_frames(self):
        async with self.connect() as socket:
            text = request(1, "echo", {"text": TEXT})
            await socket.send(text)
            self.assertEqual((await self.read(socket))["result"]["text"], TEXT)
            await socket.send(text[at:at + 1000] for at in range(0, len(text), 1000))
            self.assertEqual((await self.read(socket))["result"]["text"], TEXT)

    async def test_pings_are_answered(self):
        async with self.connect() as socket:
            self.assertGreaterEqual(await (await socket.ping("are you there")), 0)
            await asyncio.gather(*[await socket.ping() for _ in range(100)])

    async def test_compression_is_declined(self):
        async with self.connect(compression="deflate") as socket:
            self.assertIn("permessage-deflate", socket.request.headers["Sec-WebSocket-Extensions"])
            self.assertEqual(socket.protocol.extensions, [])
            await socket.send(request(1, "echo", {"text": "a" * MIB}))
            self.assertEqual(len((await self.read(socket))["result"]["text"]), MIB)

    async def test_a_subprotocol_is_chosen(self):
        async with self.connect(subprotocols=["other", "jsonrpc"]) as socket:
            self.assertEqual(socket.subprotocol, "jsonrpc")
        async with self.connect(subprotocols=["other"]) as socket:
            self.assertIsNone(socket.subprotocol)

    async def test_other_origins_are_refused(self):
        async with self.connect(origin="https://example.org"):
            pass
        with self.assertRaises(websockets.InvalidStatus) as refused:
            async with self.connect(origin="https://example.net"):
                pass
        self.assertEqual(refused.exception.response.status_code, 403)

    async def test_the_code_of_the_end_comes_back(self):
        for code in (1000, 1001, 1011, 4000):
            async with self.connect() as socket:
                await socket.close(code, "seen enough")
                self.assertEqual(socket.close_code, code)

    async def test_what_breaks_the_rules_is_told(self):
        long = b"x" * 17 * MIB
        for code, text, sent in ((1003, False, b"{}"), (1007, True, b"\"\xc3\x28\""), (1009, True, long)):
            with self.subTest(code=code):
                socket = await self.connect()  # which asyncio can't close once more, with TLS, in the middle of sending
                try:
                    await socket.send(sent, text=text)
                except websockets.ConnectionClosed:
                    pass
                await self.assert_closed(socket, code)

    async def test_a_server_that_ends_answers_first(self):
        async with self.connect() as idle, self.connect() as socket:
            await socket.send(request("late", "ask", {"question": "what next?"}))
            await self.read(socket)
            self.server.begin_end()
            await self.assert_closed(idle, 1012)
            await socket.send(notification("answer", {"id": "late", "value": "this"}))
            self.assertEqual((await self.read(socket))["result"], "this")
            await self.assert_closed(socket, 1012)


class AsClientOverTls(AsClient):
    scheme = "wss"


class AsServer(unittest.IsolatedAsyncioTestCase):
    scheme = "ws"

    async def serve(self, handler, **options):
        """Each connection is served by `handler`. Returns the address; what it ends with is in `self.ends`."""
        self.ends = []

        async def handle(socket):
            try:
                await handler(socket)
                async for _ in socket:
                    pass
            except websockets.ConnectionClosed:
                pass
            await socket.wait_closed()
            told = socket.protocol.close_rcvd
            self.ends.append(told and told.code)

        if self.scheme == "wss":
            options["ssl"] = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
            options["ssl"].load_cert_chain(*CERTIFICATES.of("localhost"))
        self.server = await serve(handle, "127.0.0.1", 0, max_size=MIB, **options)
        self.addAsyncCleanup(self.stop)
        return f"{self.scheme}://localhost:{self.server.sockets[0].getsockname()[1]}/"

    async def stop(self):
        self.server.close()
        await self.server.wait_closed()

    async def call(self, address, *arguments, sent=""):
        more = ["--tls-ca", CERTIFICATES.ca] if self.scheme == "wss" else []
        pipe = asyncio.subprocess.PIPE
        child = await asyncio.create_subprocess_exec(CALL, address, *arguments, *more, stdin=pipe, stdout=pipe, stderr=pipe)
        out, err = await asyncio.wait_for(child.communicate(sent.encode()), PATIENCE)
        return child.returncode, out.decode(), err.decode()

    @staticmethod
    async def echo(socket):
        async for text in socket:
            asked = json.loads(text)
            await socket.send(result(asked["id"], asked["params"]))

    async def test_a_call_is_answered(self):
        address = await self.serve(self.echo, subprotocols=["jsonrpc"], ping_interval=0.01)
        code, out, err = await self.call(address, "echo", "text=ö")
        self.assertEqual((code, json.loads(out)), (0, {"text": "ö"}), err)
        self.assertEqual(self.ends, [1000])

    async def test_calls_are_answered_from_the_last_to_the_first(self):
        async def backwards(socket):
            asked = [json.loads(await socket.recv()) for _ in range(50)]
            for each in reversed(asked):
                await socket.send(result(each["id"], each["params"]))

        address = await self.serve(backwards)
        calls = "".join(json.dumps({"method": "echo", "params": [i]}) + "\n" for i in range(50))
        code, out, err = await self.call(address, "--calls", "-", sent=calls)
        self.assertEqual(code, 0, err)
        replies = sorted((json.loads(line) for line in out.splitlines()), key=lambda each: each["id"])
        self.assertEqual([(each["id"], each["result"]) for each in replies], [(i + 1, [i]) for i in range(50)])

    async def test_a_reply_of_many_frames(self):
        async def divided(socket):
            asked = json.loads(await socket.recv())
            text = result(asked["id"], TEXT)
            await socket.send(text[at:at + 1000] for at in range(0, len(text), 1000))

        code, out, err = await self.call(await self.serve(divided), "get")
        self.assertEqual((code, json.loads(out)), (0, TEXT), err)

    async def test_pings_are_answered_while_a_call_goes_on(self):
        async def slow(socket):
            asked = json.loads(await socket.recv())
            for _ in range(20):
                await (await socket.ping())
            await socket.send(result(asked["id"], "done"))

        self.assertEqual(await self.call(await self.serve(slow), "work"), (0, '"done"\n', ""))

    async def test_a_server_that_ends_in_the_middle_has_not_replied(self):
        for code in (1000, 1001, 1011, 4000):
            with self.subTest(code=code):
                async def end(socket):
                    await socket.recv()
                    await socket.close(code)

                self.assertEqual((await self.call(await self.serve(end), "work"))[:2], (3, ""))

    async def test_what_breaks_the_rules_is_told(self):
        for expected, sent, text in ((1003, b"{}", False), (1007, b"\"\xc3\x28\"", True), (1009, b"x" * 17 * MIB, True)):
            with self.subTest(expected=expected):
                async def send(socket):
                    await socket.recv()
                    await socket.send(sent, text=text)

                self.assertEqual((await self.call(await self.serve(send), "work"))[0], 3)
                while not self.ends:
                    await asyncio.sleep(0.01)
                self.assertEqual(self.ends, [expected])

    async def test_a_call_that_is_too_long_for_the_server(self):
        address = await self.serve(self.echo)
        code, out, _ = await self.call(address, "echo", "-", sent=json.dumps({"text": "x" * 2 * MIB}))
        self.assertEqual((code, out), (3, ""))

    async def test_a_server_that_refuses(self):
        def refuse(connection, _request):
            return connection.respond(503, "come back later\n")

        code, _, err = await self.call(await self.serve(self.echo, process_request=refuse), "echo")
        self.assertEqual(code, 3)
        self.assertIn("503", err)


class AsServerOverTls(AsServer):
    scheme = "wss"


if __name__ == "__main__":
    CALL, ECHO = (sys.argv.pop() for _ in range(2))
    unittest.main()
