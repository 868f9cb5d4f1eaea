"""Sessions of MCP up to 2025-11-25 with two fronts behind HAProxy, and the users of NATS, as the example has them:
balanced_test.py GATEWAY NATS-SERVER"""

import sys
import unittest

sys.dont_write_bytecode = True

from bus_case import NATS
from lasting_case import LastingCase, Listener, text_in
from machines import EXAMPLE, Machine, free_ports, is_healthy, start_balancer, until
from mcp_over_http import Session, request


class BalancedTest(LastingCase):
    async def asyncSetUp(self):
        await super().asyncSetUp()
        self.nats_port, *self.front_ports = free_ports(3)
        command = ["env", f"NATS_STORE={self.folder}/store", "FRONT_PASSWORD=f", "WORKER_PASSWORD=w", NATS, "-c",
                   str(EXAMPLE / "nats.conf"), "-a", "127.0.0.1", "-p", str(self.nats_port)]
        self.machines.append(Machine("nats", command, self.folder))
        self.machines[-1].start()
        self.worker = self.start_worker()
        self.fronts = [self.start_front_at(number) for number in (0, 1)]
        for number in (0, 1):
            await self.is_ready(number)
        self.machines.append(await start_balancer(self.folder, self.port, self.front_ports))
        await until(self.serves, "the balancer has found a front")

    def address_for(self, name):
        return f"nats://{name}:{name[0]}@127.0.0.1:{self.nats_port}"

    def start_front_at(self, number):
        return self.start("front", "--listen", f"127.0.0.1:{self.front_ports[number]}", "--node", f"front{number + 1}")

    async def is_ready(self, number):
        await until(lambda: is_healthy(self.front_ports[number]), f"front {number} is connected")

    async def serves(self):
        return await is_healthy(self.port)

    def node_of(self, session):
        return session.fields["Mcp-Session-Id"].split(".")[0]

    async def test_a_session_is_at_the_front_that_its_id_names(self):
        sessions = self.begin_at({"front1", "front2"}, self.node_of)
        for one in sessions.values():
            self.assertEqual(1, len({text_in(self.call(one, "where")) for _ in range(6)}))
        self.fronts[0].kill()
        await self.is_gone(sessions["front1"])
        self.assertEqual("front2", self.node_of(Session(self.port)))
        self.assertEqual("count", text_in(self.call(sessions["front2"], "count")))
        self.fronts[0].start()
        await self.is_ready(0)
        await self.is_gone(sessions["front1"])

    async def test_users_may_have_subscriptions(self):
        one = Listener(self.port)
        one.expect_begun(self)
        self.modern("change")
        self.assertEqual("notifications/tools/list_changed", one.next()[0])
        one.answer.close()
        with Session(self.port).post(request(1, "ping", {})) as answer:
            self.assertEqual({}, answer.reply()["result"])


unittest.main(argv=sys.argv[:1])
