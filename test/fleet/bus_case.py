"""A front and workers of a bus, with a real nats-server, in a folder of their own: what tests of these begin with."""

import pathlib
import sys
import tempfile
import unittest

from machines import HERE, Machine, Nodes, free_ports, is_healthy, until

GATEWAY, NATS = sys.argv[1:3]


class BusCase(unittest.IsolatedAsyncioTestCase):
    SERVER = "recording_server.py"

    async def asyncSetUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name)
        self.record = self.folder / "record"
        self.nodes = Nodes(NATS, 1, self.folder)
        self.port = free_ports(1)[0]
        self.machines = []

    async def asyncTearDown(self):
        for one in self.machines + self.nodes.machines:
            one.kill()
        self.scratch.cleanup()

    def start(self, name, *arguments):
        bus = ["--bus", self.address_for(name), "--service", "tools"]
        self.machines.append(Machine(name, [GATEWAY, *bus, *arguments], self.folder))
        self.machines[-1].start()
        return self.machines[-1]

    def address_for(self, _name):
        return self.nodes.address

    def start_front(self, *arguments):
        return self.start("front", "--listen", f"127.0.0.1:{self.port}", *arguments)

    def start_worker(self, *arguments):
        server = [sys.executable, str(HERE / self.SERVER), str(self.record)]
        return self.start("worker", *arguments, "--", *server)

    async def start_all(self, of_worker=(), of_front=()):
        await self.nodes.start()
        worker = self.start_worker(*of_worker)
        self.start_front(*of_front)
        await until(lambda: is_healthy(self.port), "the front is connected")
        return worker

    def lines(self):
        """What the servers have written down."""
        return self.record.read_text().splitlines() if self.record.exists() else []
