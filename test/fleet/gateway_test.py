"""partyline-gateway as front and worker of a bus: gateway_test.py GATEWAY NATS-SERVER"""

import asyncio
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
import urllib.request

sys.dont_write_bytecode = True

from bus_case import GATEWAY, NATS, BusCase
from load import META, Connection, reply_in
from machines import EXAMPLE, HERE, Machine, free_ports, is_healthy, until


class BusTest(BusCase):
    fields = ()

    async def connect(self):
        return Connection(*await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 22))

    async def ask(self, method, name, params):
        one = await self.connect()
        one.fields = self.fields
        try:
            return await one.ask(method, name, params)
        finally:
            one.writer.close()

    async def call(self, tool, key, seconds=0.0):
        _, body = await self.ask("tools/call", tool, {"name": tool, "arguments": {"key": key, "seconds": seconds}})
        return reply_in(body)

    def lines_of_calls(self):
        return [line for line in self.lines() if not line.startswith("list ")]

    async def test_results_pass_as_they_are(self):
        await self.start_all()
        reply = await self.call("act", "first")
        self.assertEqual({"content": [{"type": "text", "text": "first"}]}, reply["result"])
        _, body = await self.ask("tools/list", "", {})
        self.assertEqual(["look", "act", "count", "peer"], [tool["name"] for tool in reply_in(body)["result"]["tools"]])
        error = (await self.ask("prompts/list", "", {}))[1]
        self.assertEqual({"code": -32601, "message": "Method not found"}, reply_in(error)["error"])

    async def test_a_front_serves_by_several_threads(self):
        await self.start_all(of_front=("--threads", "4"))
        several = [await self.connect() for _ in range(8)]  # two of each thread
        keys = [f"by-{number}" for number in range(len(several))]
        asking = [
            one.ask("tools/call", "act", {"name": "act", "arguments": {"key": key, "seconds": 0.2}})
            for one, key in zip(several, keys)
        ]
        answers = [reply_in(body)["result"]["content"][0]["text"] for _, body in await asyncio.gather(*asking)]
        self.assertEqual(keys, answers)
        self.assertEqual(sorted(keys), sorted(line.split()[2] for line in self.lines() if line.startswith("begin ")))
        front = self.machines[-1]
        front.send(signal.SIGTERM)
        for one in several:
            one.writer.close()
        self.assertEqual(128 + signal.SIGTERM, await asyncio.to_thread(front.process.wait, 20))

    async def test_what_only_reads_runs_again_where_a_worker_has_died(self):
        worker = await self.start_all()
        await self.call("look", "first")

        async def is_listed():
            return "list - -" in self.lines()

        await until(is_listed, "the front has asked for the tools")
        await self.call("look", "second")  # whose answer comes after that list
        asking = asyncio.ensure_future(self.call("look", "again", 0.5))

        async def has_begun():
            return "begin look again" in self.lines()

        await until(has_begun, "the call runs")
        worker.kill()
        self.start_worker()
        self.assertEqual("again", (await asking)["result"]["content"][0]["text"])
        self.assertEqual(2, self.lines().count("begin look again"))

    async def test_a_list_of_tools_without_an_end_is_given_up(self):
        await self.nodes.start()
        server = [sys.executable, str(HERE / "recording_server.py"), str(self.record), "endless"]
        self.start("worker", "--", *server)
        self.start_front()
        await until(lambda: is_healthy(self.port), "the front is connected")
        await self.call("act", "first")

        async def is_asked_for_all():
            return self.lines().count("list - -") == 100

        await until(is_asked_for_all, "the front has asked for a hundred pages")
        self.assertEqual("second", (await self.call("act", "second"))["result"]["content"][0]["text"])
        self.assertEqual(100, self.lines().count("list - -"))

    async def test_progress_comes_in_order(self):
        await self.start_all()
        one = await self.connect()
        META["progressToken"] = "mine"
        try:
            _, body = await one.ask("tools/call", "count",
                                    {"name": "count", "arguments": {"key": "c", "seconds": 0}})
        finally:
            del META["progressToken"]
            one.writer.close()
        events = [json.loads(line[5:]) for line in body.decode().splitlines() if line.startswith("data:") and "{" in line]
        told = [event["params"] for event in events if "params" in event]
        self.assertTrue(told)
        self.assertEqual({"mine"}, {one["progressToken"] for one in told})
        numbers = [one["progress"] for one in told]
        self.assertEqual(sorted(numbers), numbers)
        self.assertEqual("c", events[-1]["result"]["content"][0]["text"])

    async def test_a_client_that_leaves_cancels_its_call(self):
        await self.start_all()
        one = await self.connect()
        asking = asyncio.ensure_future(
            one.ask("tools/call", "act", {"name": "act", "arguments": {"key": "left", "seconds": 3600}}))

        async def has_begun():
            return "begin act left" in self.lines()

        await until(has_begun, "the call runs")
        one.writer.close()
        await asyncio.gather(asking, return_exceptions=True)
        self.assertEqual("after", (await self.call("act", "after"))["result"]["content"][0]["text"])

        async def is_idle():
            (worker,) = [one for one in self.machines if one.name == "worker"]
            worker.send(15)
            await asyncio.to_thread(worker.process.wait)
            return True

        await until(is_idle, "the worker ends, for which the call would keep it an hour")
        self.assertNotIn("end act left", self.lines())

    async def start_with_access(self):
        made = subprocess.run([GATEWAY, "--new-token", "alice read"], capture_output=True, text=True, check=True)
        token, entry = made.stdout.splitlines()
        access = self.folder / "access.json"
        access.touch(0o600)
        access.write_text(json.dumps({"tokens": [json.loads(entry)], "rules": [{"tools": ["look", "peer"]}]}))
        await self.start_all(["--forward-peer"], ["--access", str(access)])
        return token

    async def test_fronts_judge_and_workers_tell_who_asks(self):
        token = await self.start_with_access()
        self.assertEqual(401, (await self.ask("tools/list", "", {}))[0])
        self.fields = [f"Authorization: Bearer {token}"]
        told = json.loads((await self.call("peer", "p"))["result"]["content"][0]["text"])
        self.assertEqual({"principal": "alice", "source": "token", "scopes": ["read"]}, told)
        _, body = await self.ask("tools/list", "", {})
        self.assertEqual(["look", "peer"], [tool["name"] for tool in reply_in(body)["result"]["tools"]])
        hidden, unknown = await self.call("act", "hidden"), await self.call("none", "unknown")
        self.assertEqual(json.dumps(unknown).replace("none", "act"), json.dumps(hidden))
        self.assertEqual(["begin peer p", "end peer p"], self.lines_of_calls())

    async def start_with_metrics(self):
        worker = await self.start_all(["--metrics", "0"], ["--metrics", "0"])
        (front,) = [one for one in self.machines if one.name == "front"]
        return [await self.metrics_of(one) for one in (front, worker)]

    async def metrics_of(self, machine):
        """A function that gets them."""
        async def is_told():
            return machine.says("metrics on ")

        await until(is_told, f"the metrics of {machine.name}")
        url = machine.log.read_text().split("metrics on ")[1].split()[0]

        def get():
            with urllib.request.urlopen(url, timeout=10) as answer:
                return answer.read().decode()

        return lambda: asyncio.to_thread(get)

    async def test_metrics_tell_what_fronts_and_workers_do(self):
        of_front, of_worker = await self.start_with_metrics()
        await self.call("act", "first")

        async def is_told():
            lines = (await of_front() + await of_worker()).splitlines()
            expected = {"partyline_bus_published_total 2", "partyline_bus_open_calls 0", "partyline_bus_connected 1",
                        'partyline_bus_refused_calls_total{why="queue_full"} 0', "partyline_bus_reconnects_total 0",
                        "partyline_bus_begun_total 2", "partyline_bus_running 0", "partyline_bus_unconfirmed 0",
                        "partyline_bus_claims_lost_total 0", "partyline_bus_refused_items_total 0"}
            return expected <= set(lines)

        await until(is_told, "a call and a list of tools in the metrics")
        self.nodes.machines[0].kill()

        async def is_lost():
            return "\npartyline_bus_connected 0\n" in await of_front()

        await until(is_lost, "a lost connection in the metrics")
        self.nodes.machines[0].start()

        async def is_there_again():
            text = await of_front()
            return "\npartyline_bus_connected 1\n" in text and "\npartyline_bus_reconnects_total 1\n" in text

        await until(is_there_again, "another connection in the metrics")

    async def test_promtool_finds_nothing_to_complain_about(self):
        program = shutil.which("promtool", path=f"{os.environ['PATH']}:{HERE.parent.parent}/build/interop/promtool")
        if not program:
            self.assertNotIn("CI", os.environ, "there is no promtool")
            self.skipTest("there is no promtool")
        for of_one in await self.start_with_metrics():
            text = await of_one()
            judged = subprocess.run([program, "check", "metrics"], input=text, capture_output=True, text=True, check=False)
            self.assertEqual((0, "", ""), (judged.returncode, judged.stdout, judged.stderr))

    async def test_the_bus_may_come_later(self):
        self.start_front()
        self.start_worker()

        async def refuses():
            try:
                reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
            except OSError:
                return False
            writer.write(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            line = await reader.readline()
            writer.close()
            return b" 503 " in line

        await until(refuses, "the front says that it is not well")
        await self.nodes.start()
        await until(lambda: is_healthy(self.port), "the front is connected")
        self.assertEqual("late", (await self.call("act", "late"))["result"]["content"][0]["text"])

    async def test_a_queue_that_was_deleted_is_made_again(self):
        await self.start_all()
        await self.call("act", "first")  # so that there is a queue

        async def is_answered():
            return "result" in await self.call("act", "next")  # without a stream it may be refused

        for what in ("CONSUMER.DELETE.PL_tools.workers", "STREAM.DELETE.PL_tools"):
            reader, writer = await asyncio.open_connection("127.0.0.1", self.nodes.ports[0])
            writer.write(f'CONNECT {{"verbose":false}}\r\nSUB told 1\r\nPUB $JS.API.{what} told 0\r\n\r\n'.encode())
            await reader.readuntil(b'"success":true')
            writer.close()
            await until(is_answered, f"a call is answered after {what}")

    async def test_what_is_no_call_is_refused_once(self):
        worker = await self.start_all()
        await self.call("act", "first")  # so that there is a queue
        reader, writer = await asyncio.open_connection("127.0.0.1", self.nodes.ports[0])
        writer.write(b'CONNECT {"verbose":true}\r\n')
        for payload in (b"", b"rubbish", b'{"v":1}\n{}', b'{"v":1,"id":"../x.1"}\n{}', b"\xff" * 100):
            writer.write(b"PUB pl.q.tools %d\r\n%s\r\n" % (len(payload), payload))
        writer.write(b"PING\r\n")
        while b"PONG" not in await reader.readline():
            pass
        writer.close()
        self.assertEqual("next", (await self.call("act", "next"))["result"]["content"][0]["text"])

        async def has_said():
            return worker.says("refused")

        await until(has_said, "the worker has logged it")
        both = ["begin act first", "end act first", "begin act next", "end act next"]
        self.assertEqual(both, self.lines_of_calls())


class UsersTest(unittest.IsolatedAsyncioTestCase):
    """The users of the example: who may publish items says who asks."""

    async def asyncSetUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        folder = pathlib.Path(self.scratch.name)
        self.port = free_ports(1)[0]
        command = ["env", f"NATS_STORE={folder}/store", "FRONT_PASSWORD=f", "WORKER_PASSWORD=w", NATS, "-c",
                   str(EXAMPLE / "nats.conf"), "-a", "127.0.0.1", "-p", str(self.port)]
        self.server = Machine("nats", command, folder)
        self.server.start()
        self.addCleanup(self.server.kill)

        async def is_ready():
            return self.server.says("Server is ready")

        await until(is_ready, "nats-server is ready")

    async def answer_to(self, user, password, line):
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        self.addCleanup(writer.close)
        greeting = json.dumps({"user": user, "pass": password, "verbose": False, "pedantic": False})
        writer.write(f"CONNECT {greeting}\r\n{line}\r\nPING\r\n".encode())
        await reader.readline()  # INFO
        while (answer := (await reader.readline()).decode()).startswith("INFO"):
            pass
        return answer

    async def test_each_may_do_its_own_alone(self):
        publish = "PUB {} 2\r\n{{}}"
        for user, line in {
                ("worker", publish.format("pl.q.tools")), ("worker", publish.format("pl.c.tools")),
                ("worker", "SUB pl.q.> 1"), ("worker", "SUB pl.r.> 1"), ("worker", publish.format("$JS.API.STREAM.DELETE.PL_tools")),
                ("front", publish.format("pl.r.other.1")), ("front", "SUB pl.q.> 1"), ("front", "SUB pl.w.> 1"),
                ("front", publish.format("pl.w.w1.p.1")), ("front", publish.format("pl.w.w1.k.1")),
                ("front", publish.format("pl.w.w1.s.1")),
                ("worker", publish.format("pl.w.other.m.1")), ("front", publish.format("$JS.API.STREAM.DELETE.PL_tools"))}:
            with self.subTest(user=user, line=line):
                self.assertIn("Permissions Violation", await self.answer_to(user, user[0], line))
        for subject in ("pl.q.tools", "pl.w.w1.c.1", "pl.w.w1.m.1"):
            self.assertIn("PONG", await self.answer_to("front", "f", publish.format(subject)))
        self.assertIn("Authorization Violation", await self.answer_to("front", "wrong", ""))


class OptionsTest(unittest.TestCase):
    def refusal_of(self, *arguments):
        ended = subprocess.run([GATEWAY, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
                               check=False)
        self.assertEqual(2, ended.returncode)
        return ended.stderr.splitlines()[0]

    def test_wrong_options_are_explained(self):
        bus = ["--bus", "nats://127.0.0.1:1", "--service", "tools"]
        front = ["--listen", "127.0.0.1:0"]
        readable = self.enterContext(tempfile.NamedTemporaryFile())
        os.chmod(readable.name, 0o644)
        for said, arguments in {
                "needs '--service'": ["--bus", "nats://127.0.0.1:1", *front],
                "needs '--bus'": ["--service", "tools", *front],
                "takes either '--listen HOST:PORT'": [*bus, *front, "--", "cat"],
                "or '-- SERVER'": bus,
                "nats://HOST:PORT or tls://HOST:PORT": ["--bus", "http://127.0.0.1", "--service", "tools", *front],
                "'--share' is for the workers": [*bus, "--share", *front],
                "does not go with '--bus'": [*bus, "--stdio", "http://127.0.0.1/mcp"],
                "1 to 64": ["--bus", "nats://127.0.0.1:1", "--service", "a.b", *front],
                "--tls-ca": [*bus, "--tls-ca", "ca.pem", *front],
                "others may read or write it": [*bus, "--bus-credentials", readable.name, *front],
                "'--at-once' is for the workers": [*bus, "--at-once", "3", *front],
                "'--drain-ms' is for the workers": ["--drain-ms", "3", *front, "--", "cat"],
        }.items():
            with self.subTest(arguments=arguments):
                self.assertIn(said, self.refusal_of(*arguments))


unittest.main(argv=sys.argv[:1])
