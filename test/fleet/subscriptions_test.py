"""subscriptions/listen of MCP 2026-07-28 through partyline-gateway as front and worker of a bus:
subscriptions_test.py GATEWAY NATS-SERVER"""

import json
import sys
import unittest

sys.dont_write_bytecode = True

from lasting_case import (LIST_CHANGED, LOST, META, SUBSCRIPTION, UPDATED, WANTED, LastingCase, Lines, Listener, error_in,
                          text_in)
from mcp_over_http import MODERN, Answer, request

ACKNOWLEDGED = "notifications/subscriptions/acknowledged"


class SubscriptionsTest(LastingCase):
    async def test_changes_arrive_until_the_client_leaves(self):
        await self.start_all()
        one = Listener(self.port, "mine")
        self.assertEqual((ACKNOWLEDGED, {"notifications": WANTED}), one.next())
        other = Listener(self.port, "other", {"resourceSubscriptions": ["test://two"]})
        other.expect_begun(self)
        self.modern("change")
        self.assertEqual([(LIST_CHANGED, {}), (UPDATED, {"uri": "test://one"})], [one.next(), one.next()])
        self.assertEqual((UPDATED, {"uri": "test://two"}), other.next())
        one.answer.close()
        self.modern("change")
        self.assertEqual((UPDATED, {"uri": "test://two"}), other.next())
        other.answer.close()

    async def test_it_ends_with_its_worker_and_may_begin_again(self):
        worker = await self.start_all()
        one = Listener(self.port)
        one.expect_begun(self)
        worker.kill()
        self.start_worker()
        self.assertEqual(LOST, error_in(one.next()))
        again = Listener(self.port)
        again.expect_begun(self)
        self.modern("change")
        self.assertEqual((LIST_CHANGED, {}), again.next())
        again.answer.close()

    async def test_several_over_one_connection(self):
        await self.start_all()
        one = await Lines.connect(self.port)
        self.addCleanup(one.writer.close)
        for name in ("first", "second"):
            one.send(id=name, method="subscriptions/listen", params={"notifications": WANTED, "_meta": META})
            message = json.loads(await one.reader.readline())
            self.assertEqual((ACKNOWLEDGED, name), (message["method"], message["params"]["_meta"][SUBSCRIPTION]))
        self.assertEqual("change", text_in(await one.ask("tools/call", {"name": "change", "_meta": META})))
        while len(one.told) < 4:
            one.told.append(json.loads(await one.reader.readline()))
        self.assertEqual({(method, name) for method in (LIST_CHANGED, UPDATED) for name in ("first", "second")},
                         {(message["method"], message["params"]["_meta"][SUBSCRIPTION]) for message in one.told})
        one.send(method="notifications/cancelled", params={"requestId": "first"})
        self.assertEqual("change", text_in(await one.ask("tools/call", {"name": "change", "_meta": META})))
        rest = one.told[4:]
        while len(rest) < 2:
            rest.append(json.loads(await one.reader.readline()))
        self.assertEqual({"second"}, {message["params"]["_meta"][SUBSCRIPTION] for message in rest})

    async def test_discovery_tells_of_it(self):
        await self.start_all()
        with Answer(self.port, "POST", request(1, "server/discover", {"_meta": META}),
                    {"MCP-Protocol-Version": MODERN, "Mcp-Method": "server/discover"}) as answer:
            capabilities = answer.reply()["result"]["capabilities"]
        self.assertEqual({"subscribe": True}, capabilities["resources"])

    async def test_what_is_hidden_is_not_heard_of(self):
        fields = await self.start_with_access({"tools": ["change"], "resources": ["test://two"]})
        one = Listener(self.port, wanted={"resourceSubscriptions": ["test://one", "test://two"]}, fields=fields)
        self.assertEqual({"notifications": {"resourceSubscriptions": ["test://two"]}}, one.next()[1])
        self.modern("change", **fields)
        self.assertEqual((UPDATED, {"uri": "test://two"}), one.next())
        one.answer.close()

    async def test_a_client_that_may_call_something_else_is_told(self):
        fields = await self.start_with_access({"tools": ["change"]})
        one = Listener(self.port, wanted={"toolsListChanged": True}, fields=fields)
        one.expect_begun(self)
        await self.change_access({"tools": ["change", "count"]})
        self.assertEqual((LIST_CHANGED, {}), one.next())
        one.answer.close()


unittest.main(argv=sys.argv[:1])
