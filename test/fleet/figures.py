#!/usr/bin/env python3
"""What a call over the bus costs: figures.py GATEWAY ECHO [--nodes 3] [--nats nats-server] [--calls 4000]

Prints the time of a call, one at a time, beyond that of the same server behind HTTP on its own, and the CPU that a call
takes of the front, the worker, the server, and each node while 32 are open at a time."""

import argparse
import asyncio
import json
import os
import pathlib
import statistics
import tempfile
import time

from load import Connection
from machines import Machine, Nodes, free_ports, is_healthy, until

TICK = os.sysconf("SC_CLK_TCK")


class Plain(Connection):
    async def add(self):
        body = b'{"jsonrpc":"2.0","id":1,"method":"add","params":[2,40]}'
        self.writer.write(b"POST /rpc HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                          b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        return await self.read_answer()


async def connections(port, count):
    return [Plain(*await asyncio.open_connection("127.0.0.1", port)) for _ in range(count)]


async def one_at_a_time(port, calls):
    (one,) = await connections(port, 1)
    times = []
    for _ in range(calls):
        begun = time.perf_counter()
        status, body = await one.add()
        times.append(time.perf_counter() - begun)
        assert status == 200 and json.loads(body)["result"] == 42, body
    one.writer.close()
    return 1e6 * statistics.median(times)


async def many_at_a_time(port, calls, count):
    async def ask(one):
        for _ in range(calls // count):
            await one.add()
        one.writer.close()

    begun = time.perf_counter()
    await asyncio.gather(*(ask(one) for one in await connections(port, count)))
    return calls / (time.perf_counter() - begun)


def microseconds_of(process):
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return 1e6 * (int(fields[11]) + int(fields[12])) / TICK


def child_of(process):
    return int(pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split()[0])


async def measure(options, folder):
    nodes = Nodes(options.nats, options.nodes, folder)
    direct_port, front_port = free_ports(2)
    bus = ["--bus", nodes.address, "--service", "echo"]
    direct = Machine("direct", [options.gateway, "--http", str(direct_port), "--share", "--", options.echo], folder)
    worker = Machine("worker", [options.gateway, *bus, "--at-once", "64", "--", options.echo], folder)
    front = Machine("front", [options.gateway, "--listen", f"127.0.0.1:{front_port}", *bus], folder)
    try:
        await nodes.start()
        for one in (direct, worker, front):
            one.start()
        await until(lambda: is_healthy(front_port), "the front is connected")
        await until(lambda: is_healthy(direct_port), "the gateway listens")

        async def is_served():
            (one,) = await connections(front_port, 1)
            _, body = await one.add()
            one.writer.close()
            return b'"result":42' in body

        await until(is_served, "a call is answered")
        await one_at_a_time(front_port, 200)
        alone, over_bus = [await one_at_a_time(port, options.calls // 4) for port in (direct_port, front_port)]
        print(f"one at a time, p50: {alone:.0f} µs by HTTP to stdio, {over_bus:.0f} over the bus: +{over_bus - alone:.0f}")
        processes = {"front": front.process.pid, "worker": worker.process.pid, "its server": child_of(worker.process.pid)}
        processes |= {f"node {number}": one.process.pid for number, one in enumerate(nodes.machines)}
        before = {name: microseconds_of(process) for name, process in processes.items()}
        rate = await many_at_a_time(front_port, options.calls, 32)
        costs = {name: (microseconds_of(process) - before[name]) / options.calls for name, process in processes.items()}
        print(f"32 at a time: {rate:.0f} a second; µs of CPU a call: "
              + ", ".join(f"{name} {cost:.0f}" for name, cost in costs.items()))
    finally:
        for one in [direct, worker, front, *nodes.machines]:
            one.kill()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("gateway")
    parser.add_argument("echo")
    parser.add_argument("--nodes", type=int, default=3)
    parser.add_argument("--nats", default="nats-server")
    parser.add_argument("--calls", type=int, default=4000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure(options, pathlib.Path(folder)))


main()
