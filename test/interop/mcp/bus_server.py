"""A server of MCP behind a bus, as a server of HTTP: python3 bus_server.py GATEWAY SERVER ARGUMENTS...

Starts nats-server, a front and a worker, and says "listening on http://HOST:PORT" on standard error when a call can be made.
What the gateways say besides follows, but for what is so in each start. SIGTERM ends them, in order."""

import asyncio
import pathlib
import signal
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "fleet"))

from machines import Nodes

CONNECTED = "partyline-gateway: the bus is connected"
DIES_WITH_US = ("setpriv", "--pdeathsig", "KILL")
PATIENCE = 30


class Gateway:
    """A process whose lines are passed on."""

    def __init__(self, *command):
        self.command, self.process, self.passing = (*DIES_WITH_US, *command), None, None
        self.is_connected, self.address = asyncio.Event(), asyncio.Future()

    async def start(self):
        self.process = await asyncio.create_subprocess_exec(*self.command, stdin=asyncio.subprocess.DEVNULL,
                                                            stderr=asyncio.subprocess.PIPE)
        self.passing = asyncio.ensure_future(self.pass_on())
        await asyncio.wait_for(self.is_connected.wait(), PATIENCE)

    async def pass_on(self):
        while line := (await self.process.stderr.readline()).decode(errors="replace").rstrip("\n"):
            if line == CONNECTED:
                self.is_connected.set()
            elif line.startswith("listening on "):
                self.address.set_result(line)
            else:
                print(line, file=sys.stderr, flush=True)

    async def end(self):
        if self.process.returncode is None:
            self.process.send_signal(signal.SIGTERM)
        await self.process.wait()
        await self.passing


async def main(gateway, *server):
    with tempfile.TemporaryDirectory() as folder:
        nodes = Nodes("nats-server", 1, pathlib.Path(folder))
        bus = [gateway, "--bus", nodes.address, "--service", "tools"]
        worker, front = Gateway(*bus, "--", *server), Gateway(*bus, "--http", "127.0.0.1:0")
        for one in nodes.machines:
            one.command = [*DIES_WITH_US, *one.command]
        is_over = asyncio.Event()
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, is_over.set)
        try:
            await nodes.start()
            await worker.start()
            await front.start()
            print(await asyncio.wait_for(front.address, PATIENCE), file=sys.stderr, flush=True)
            await is_over.wait()
        finally:
            for one in (front, worker):
                if one.process:
                    await one.end()
            for one in nodes.machines:
                one.kill()


asyncio.run(main(*sys.argv[1:]))
