"""Sessions of MCP up to 2025-11-25 through partyline-gateway as front and worker of a bus: sessions_test.py GATEWAY NATS-SERVER"""

import asyncio
import json
import signal
import sys
import unittest

sys.dont_write_bytecode = True

from lasting_case import LIST_CHANGED, LOST, UPDATED, LastingCase, Lines, error_in, text_in
from machines import until
from mcp_over_http import CLIENT, PREFIX, Answer, Session, request


def parent_of(process):
    """The process that has started another one: the worker of a server."""
    with open(f"/proc/{process}/stat", encoding="ascii") as file:
        return int(file.read().rsplit(")", 1)[1].split()[1])


class SessionsTest(LastingCase):
    async def test_a_session_has_a_server_of_its_own_until_it_is_deleted(self):
        await self.start_all()
        one, other = Session(self.port), Session(self.port)
        self.assertEqual("lasting", one.greeting["serverInfo"]["name"])
        self.assertEqual({"listChanged": True}, one.greeting["capabilities"]["tools"])
        place = text_in(self.call(one, "where"))
        self.assertEqual({place}, {text_in(self.call(one, "where")) for _ in range(5)})
        self.assertNotEqual(place, text_in(self.call(other, "where")))
        with one.delete() as answer:
            self.assertEqual(204, answer.status)
        await self.has_line(f"end {place}")
        await self.is_gone(one)
        self.assertIn("result", self.call(other, "count"))

    async def test_a_server_asks_and_tells_its_client(self):
        await self.start_all()
        one = Session(self.port)
        with one.call(1, "ask") as answer:
            messages = answer.messages()
            question = next(messages)
            self.assertEqual("elicitation/create", question["method"])
            one.answer(question, {})
            self.assertEqual("accept", text_in(next(messages)))
        with one.call("mine", "count") as answer:
            told = list(answer.messages())
        self.assertEqual([{"progressToken": "mine", "progress": number} for number in range(5)],
                         [message["params"] for message in told[:-1]])
        with one.call(2, "say") as answer:
            self.assertEqual("said", next(answer.messages())["params"]["data"])

    async def test_subscriptions_of_a_session_come_by_its_stream(self):
        await self.start_all()
        one, other = Session(self.port), Session(self.port)
        with one.post(request(1, "resources/subscribe", {"uri": "test://one"})) as answer:
            self.assertEqual({}, answer.reply()["result"])
        with one.listen() as stream:
            messages = stream.messages()
            self.call(other, "change")
            self.call(one, "change")
            told = [next(messages) for _ in range(2)]
        self.assertEqual([(LIST_CHANGED, {}), (UPDATED, {"uri": "test://one"})],
                         [(message["method"], message.get("params", {})) for message in told])

    async def test_a_client_cancels_and_leaves(self):
        await self.start_all()
        one = Session(self.port)
        waiting = one.call(7, "wait")
        self.addCleanup(waiting.close)
        place = text_in(self.call(one, "where"))
        await self.has_line(f"wait {place}")
        one.tell("notifications/cancelled", {"requestId": 7})
        await self.has_line(f"cancel {place}")

    async def test_a_session_ends_with_its_worker(self):
        worker = await self.start_all()
        one, other = Session(self.port), await Lines.connect(self.port)
        self.addCleanup(other.writer.close)
        await other.begin()
        waiting = one.call("waiting", "wait")
        other.send(id="waiting", method="tools/call", params={"name": "wait"})

        async def both_wait():
            return sum(line.startswith("wait ") for line in self.lines()) == 2

        await until(both_wait, "both calls run")
        worker.kill()
        self.start_worker()
        with waiting as answer:
            self.assertEqual(LOST, error_in(answer.reply()))
        await self.is_gone(one)
        self.assertEqual(LOST, error_in(json.loads(await other.reader.readline())))
        self.assertEqual(b"", await other.reader.read())  # the conversation ends with its session
        self.assertEqual("count", text_in(self.call(Session(self.port), "count")))

    async def test_a_session_survives_a_restart_of_nats(self):
        await self.start_all()
        one = Session(self.port)
        place = text_in(self.call(one, "where"))
        (node,) = self.nodes.machines
        node.kill()
        waiting = one.call("meanwhile", "where")
        node.start()
        with waiting as answer:
            self.assertEqual(place, text_in(answer.reply()))
        self.assertEqual(place, text_in(self.call(one, "where")))

    async def test_a_worker_that_ends_hands_its_sessions_back(self):
        worker = await self.start_all()
        one = Session(self.port)
        with one.call(1, "ask") as answer:
            messages = answer.messages()
            question = next(messages)
            worker.send(signal.SIGTERM)
            self.start_worker()
            one.answer(question, {})
            self.assertEqual("accept", text_in(next(messages)))
        self.assertEqual(128 + signal.SIGTERM, await asyncio.to_thread(worker.process.wait, 60))
        await self.is_gone(one)
        self.assertEqual("count", text_in(self.call(Session(self.port), "count")))

    async def test_a_session_needs_a_worker(self):
        await self.nodes.start()
        self.start_front()
        about = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": CLIENT}

        async def is_refused():
            try:
                with Answer(self.port, "POST", request(0, "initialize", about)) as answer:
                    reply = answer.reply()
            except ConnectionRefusedError:
                return False
            self.assertEqual((-31001, "no worker"), (reply["error"]["code"], reply["error"]["data"]["reason"]))
            self.assertIsNone(answer.field("Mcp-Session-Id"))
            return True

        await until(is_refused, "the front listens")

    async def test_sessions_may_share_a_server(self):
        await self.start_all(["--share"])
        one, other = Session(self.port), Session(self.port)
        self.assertEqual(text_in(self.call(one, "where")), text_in(self.call(other, "where")))

    async def test_sessions_are_bounded(self):
        await self.start_all(["--max-sessions", "1"])
        one = Session(self.port)
        with self.assertRaises(KeyError):
            Session(self.port)
        with one.delete():
            pass

        async def has_room():
            try:
                return bool(Session(self.port))
            except KeyError:
                return False

        await until(has_room, "there is room for another session")

    async def test_a_session_stays_with_its_worker(self):
        workers = [await self.start_all(), self.start_worker()]
        sessions = self.begin_at({worker.process.pid for worker in workers},
                                 lambda one: parent_of(text_in(self.call(one, "where"))))
        for worker in workers:
            one = sessions[worker.process.pid]
            self.assertEqual({worker.process.pid}, {parent_of(text_in(self.call(one, "where"))) for _ in range(5)})
        workers[0].kill()
        self.assertEqual("count", text_in(self.call(sessions[workers[1].process.pid], "count")))

    async def test_a_session_over_a_bare_socket(self):
        await self.start_all()
        one = await Lines.connect(self.port)
        self.addCleanup(one.writer.close)
        self.assertEqual({}, (await one.ask("ping"))["result"])
        await one.begin()
        places = [text_in(await one.ask("tools/call", {"name": "where"})) for _ in range(2)]
        self.assertEqual(places[0], places[1])
        await one.ask("resources/subscribe", {"uri": "test://one"})
        await one.ask("tools/call", {"name": "change"})
        self.assertEqual([LIST_CHANGED, UPDATED], [message["method"] for message in one.told])
        one.writer.close()
        await self.has_line(f"end {places[0]}")

    async def test_no_request_without_a_session_greets_a_server(self):
        await self.start_all()
        about = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": CLIENT}
        for version, code in {"2025-11-25": -32601, "1999-01-01": -32602}.items():
            meta = {PREFIX + "protocolVersion": version, PREFIX + "clientCapabilities": {}}
            fields = {"MCP-Protocol-Version": version, "Mcp-Method": "initialize"}
            with Answer(self.port, "POST", request(1, "initialize", {**about, "_meta": meta}), fields) as answer:
                reply = answer.reply()
            with self.subTest(version=version):
                self.assertEqual(code, reply["error"]["code"], reply)
        one = await Lines.connect(self.port)
        self.addCleanup(one.writer.close)
        meta = {PREFIX + "protocolVersion": "2025-11-25"}
        reply = await one.ask("initialize", {**about, "_meta": meta})
        self.assertEqual(-32601, reply["error"]["code"])
        self.assertEqual([], self.lines())  # no server was started

    async def test_a_front_of_several_threads_ends_its_sessions(self):
        await self.start_all(of_front=["--threads", "4"])
        places = set()
        for _ in range(3):  # of as many threads
            one = await Lines.connect(self.port)
            self.addCleanup(one.writer.close)
            await one.begin()
            places.add(text_in(await one.ask("tools/call", {"name": "where"})))
        await self.machines[-1].end()

        async def have_ended():
            return {f"end {place}" for place in places} <= set(self.lines())

        await asyncio.wait_for(until(have_ended, "the servers end"), 15)  # after a death they would later

    async def test_access_is_judged_at_the_front(self):
        fields = await self.start_with_access({"tools": ["peer", "change"], "resources": ["test://two"]})
        one = Session(self.port, fields)
        self.assertEqual({"principal": "alice", "source": "token", "scopes": []}, json.loads(text_in(self.call(one, "peer"))))
        with one.post(request(1, "tools/list", {})) as answer:
            self.assertEqual(["peer", "change"], [tool["name"] for tool in answer.reply()["result"]["tools"]])
        self.assertEqual(-32602, self.call(one, "count")["error"]["code"])
        with one.post(request(1, "resources/subscribe", {"uri": "test://one"})) as answer:
            self.assertIn("error", answer.reply())
        with one.post(request(1, "resources/subscribe", {"uri": "test://two"})) as answer:
            self.assertEqual({}, answer.reply()["result"])
        with one.listen() as stream:
            messages = stream.messages()
            await self.change_access({"tools": ["count", "change"]})
            self.assertEqual(LIST_CHANGED, next(messages)["method"])
            self.assertEqual("count", text_in(self.call(one, "count")))
            self.assertEqual(-32602, self.call(one, "peer")["error"]["code"])
            self.call(one, "change")  # test://two is hidden now
            self.assertEqual(LIST_CHANGED, next(messages)["method"])
        begun = [line for line in self.lines() if line.startswith("begin ")]
        self.token_entry = dict(self.token_entry, principal="bob", sha256="0" * 64)
        await self.change_access({"tools": ["*"]})
        await self.has_line(begun[0].replace("begin", "end"))  # alice is nobody any more


unittest.main(argv=sys.argv[:1])
