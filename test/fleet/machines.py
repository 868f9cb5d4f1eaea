"""The processes of a fleet on one machine: nodes of NATS, fronts, workers, and HAProxy in front of them."""

import asyncio
import contextlib
import json
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import sys
import urllib.request

HERE = pathlib.Path(__file__).parent
EXAMPLE = HERE.parent.parent / "apps" / "examples" / "fleet"
HAPROXY = shutil.which("haproxy", path="/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin")
PATIENCE = 30


GIVEN_PORTS = set()  # nobody may listen there yet


def free_ports(count):
    """Below those that the system gives to connections, one of which may take a port before its server does."""
    ports = []
    while len(ports) < count:
        port = random.randrange(15000, 32000)
        try:
            socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            continue
        if port not in GIVEN_PORTS:
            GIVEN_PORTS.add(port)
            ports.append(port)
    return ports


async def until(is_so, what):
    """Waits until `is_so()`; asks again and again, since other processes have no other way to tell. Each asking may take as
    long as all of them, so that one that is never answered has a name as well."""
    loop = asyncio.get_running_loop()
    ends_at = loop.time() + PATIENCE
    while True:
        asked = asyncio.ensure_future(is_so())
        done, _ = await asyncio.wait([asked], timeout=max(ends_at - loop.time(), 1))
        if not done:
            asked.cancel()
            raise AssertionError(f"was asked for, and there was no answer in {PATIENCE} s: {what}")
        if asked.result():
            return
        if loop.time() > ends_at:
            raise AssertionError(f"has not come in {PATIENCE} s: {what}")
        await asyncio.sleep(0.05)


async def get_json(port, path):
    def get():
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=2) as answer:
                return json.load(answer)
        except (OSError, ValueError):
            return {}

    return await asyncio.to_thread(get)


async def is_healthy(port):
    def get():
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=2) as answer:
                return answer.status == 200
        except OSError:
            return False

    return await asyncio.to_thread(get)


class Machine:
    """A process that can be killed, stopped, ended and started again. Its output goes to a file."""

    def __init__(self, name, command, folder):
        self.name, self.command, self.log = name, command, folder / f"{name}.log"
        self.process = None

    def start(self):
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def send(self, number):
        self.process.send_signal(number)

    def kill(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    async def end(self):
        self.send(signal.SIGTERM)
        await asyncio.to_thread(self.process.wait)

    def says(self, text):
        return self.log.exists() and text in self.log.read_text(errors="replace")


class Proxy:
    """Passes the connections of one worker to a node on, and can cut them."""

    def __init__(self, targets):
        self.targets, self.writers, self.server = targets, set(), None
        self.port = 0

    async def start(self):
        self.server = await asyncio.start_server(self.accept, "127.0.0.1", 0)
        self.port = self.server.sockets[0].getsockname()[1]

    async def accept(self, reader, writer):
        for target in self.targets:
            try:
                far_reader, far_writer = await asyncio.open_connection("127.0.0.1", target)
                break
            except OSError:
                continue
        else:
            writer.close()
            return
        await asyncio.gather(self.copy(reader, far_writer), self.copy(far_reader, writer))

    async def copy(self, reader, writer):
        self.writers.add(writer)
        try:
            while data := await reader.read(1 << 16):
                writer.write(data)
                await writer.drain()
        except OSError:
            pass
        finally:
            self.writers.discard(writer)
            writer.close()

    def cut(self):
        for writer in list(self.writers):
            writer.transport.abort()

    async def close(self):
        self.server.close()
        self.cut()
        while self.writers:
            await asyncio.sleep(0.01)


class Nodes:
    """A cluster of nats-server with JetStream."""

    def __init__(self, program, count, folder):
        self.ports, routes, self.monitors = free_ports(count), free_ports(count), free_ports(count)
        self.machines, self.stores, self.mounted = [], [], []
        urls = ", ".join(f"nats://127.0.0.1:{port}" for port in routes)
        for number in range(count):
            store = folder / f"store-{number}"
            self.stores.append(store)
            config = folder / f"node-{number}.conf"
            text = (f"server_name: n{number}\nlisten: 127.0.0.1:{self.ports[number]}\n"
                    f"http: 127.0.0.1:{self.monitors[number]}\n"
                    f'jetstream {{ store_dir: "{store}", max_mem: 64M, max_file: 1G }}\nmax_payload: 5M\n')
            if count > 1:
                text += f"cluster {{ name: fleet, listen: 127.0.0.1:{routes[number]}, routes: [{urls}] }}\n"
            config.write_text(text)
            self.machines.append(Machine(f"node-{number}", [program, "-c", str(config)], folder))

    @property
    def address(self):
        return ",".join(f"nats://127.0.0.1:{port}" for port in self.ports)

    async def start(self):
        for one in self.machines:
            one.start()
        for number in range(len(self.machines)):
            await self.are_ready(number)

    def have_disks_of(self, size):
        """Gives each node a file system of its own for its store; false where that can't be."""
        for store in self.stores:
            store.mkdir()
            command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(store)]
            try:
                subprocess.run(command, check=True, capture_output=True)
            except (OSError, subprocess.CalledProcessError):
                return False
            self.mounted.append(store)
        return True

    @contextlib.asynccontextmanager
    async def full_disk(self, number):
        """Takes what is free there, and what its node frees meanwhile."""
        async def fill(filler):
            while True:
                with contextlib.suppress(OSError):
                    while filler.write(bytes(1 << 12)):
                        pass
                await asyncio.sleep(0.005)

        path = self.stores[number] / "filler"
        with path.open("wb", buffering=0) as filler:
            filling = asyncio.ensure_future(fill(filler))
            try:
                yield
            finally:
                filling.cancel()
                path.unlink()

    def unmount(self):
        for store in self.mounted:
            subprocess.run(["umount", "-l", str(store)], check=False)

    async def are_ready(self, number):
        await until(lambda: is_healthy(self.monitors[number]), f"node {number} is in the cluster")

    async def leader(self, stream):
        for port, machine in zip(self.monitors, self.machines):
            if machine.process.poll() is not None:
                continue
            told = await get_json(port, "/jsz?streams=true")
            for account in told.get("account_details", []):
                for one in account.get("stream_detail", []):
                    if one["name"] == stream and one.get("cluster", {}).get("leader"):
                        return int(one["cluster"]["leader"][1:])
        return None


async def start_balancer(folder, port, front_ports):
    """HAProxy as the example has it, with other ports."""
    text = (EXAMPLE / "haproxy.cfg").read_text()
    for there, here in zip((8080, 8081, 8082), [port, *front_ports]):
        text = text.replace(f":{there}", f":{here}")
    config = folder / "haproxy.cfg"
    config.write_text(text)
    balancer = Machine("haproxy", [HAPROXY, "-f", str(config), "-db"], folder)
    balancer.start()

    async def accepts():
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            return False
        writer.close()
        return True

    await until(accepts, "HAProxy listens")
    return balancer


class Fleet:
    """Nodes, two fronts and three workers. `folder` gets their logs and `record`, the file that calls are recorded in."""

    def __init__(self, gateway, nats, nodes, folder):
        self.gateway, self.folder, self.record = gateway, folder, folder / "record"
        self.nodes = Nodes(nats, nodes, folder)
        self.front_ports = free_ports(2)
        self.proxy = Proxy(self.nodes.ports)
        self.fronts, self.workers, self.balancer, self.port = [], [], None, 0

    async def start(self):
        await self.nodes.start()
        await self.proxy.start()
        for number, port in enumerate(self.front_ports):
            self.fronts.append(Machine(f"front-{number}", self.front_command(port), self.folder))
        for number in range(3):
            address = f"nats://127.0.0.1:{self.proxy.port}" if number == 0 else self.nodes.address
            self.workers.append(Machine(f"worker-{number}", self.worker_command(address), self.folder))
        for one in self.workers + self.fronts:
            one.start()
        for number in range(len(self.fronts)):
            await self.front_is_ready(number)
        await self.start_balancer()
        await until(self.is_serving, "the fleet serves")

    def front_command(self, port):
        return [self.gateway, "--listen", f"127.0.0.1:{port}", "--bus", self.nodes.address, "--service", "tools",
                "--lame-duck-ms", "2000"]

    def worker_command(self, address):
        return [self.gateway, "--bus", address, "--service", "tools", "--at-once", "100", "--drain-ms", "20000",
                "--", sys.executable, str(HERE / "recording_server.py"), str(self.record)]

    async def front_is_ready(self, number):
        await until(lambda: is_healthy(self.front_ports[number]), f"front {number} is connected")

    async def is_serving(self):
        return bool(self.workers) and all(one.says("the bus is connected") for one in self.workers)

    async def start_balancer(self):
        if not HAPROXY:
            self.port = self.front_ports[0]
            return
        self.port = free_ports(1)[0]
        self.balancer = await start_balancer(self.folder, self.port, self.front_ports)

    async def stop(self):
        if self.proxy.server:
            await self.proxy.close()
        for one in self.fronts + self.workers + self.nodes.machines + ([self.balancer] if self.balancer else []):
            if one.process and one.process.poll() is None:
                one.send(signal.SIGCONT)
            one.kill()
        self.nodes.unmount()
