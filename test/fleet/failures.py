#!/usr/bin/env python3
"""Kills parts of a fleet under load, and counts what became of each call.

    failures.py GATEWAY [--row NAME]... [--seconds 60] [--rate 300] [--long 5] [--nats nats-server] [--keep FOLDER]

In every row: no call unanswered whose client was not cut off, none answered twice, none answered for another, none run
twice that is not idempotent, and none run that was answered -31001. Prints a line for each row."""

import argparse
import asyncio
import collections
import os
import pathlib
import signal
import sys
import tempfile

from load import Load
from machines import HAPROXY, Fleet, until

CALM = {"answered"}
SMALL_DISK = 64 << 20


class Row:
    """What happens, and which outcomes it excuses."""

    rows = {}

    def __init__(self, act, excuses, nodes, disk_bytes):
        self.act, self.excuses, self.nodes, self.disk_bytes = act, CALM | excuses, nodes, disk_bytes


def row(*excuses, nodes=1, disk_bytes=None):
    def add(act):
        Row.rows[act.__name__] = Row(act, set(excuses), nodes, disk_bytes)
        return act

    return add


@row()
async def nothing(_fleet, _pause, _count):
    pass


@row("lost")
async def workers_killed(fleet, pause, count):
    for number in range(count):
        await pause()
        one = fleet.workers[number % 3]
        one.kill()
        one.start()


@row("broken")
async def front_killed(fleet, pause, count):
    for number in range(count):
        await pause()
        one = fleet.fronts[number % 2]
        one.kill()
        one.start()
        await fleet.front_is_ready(number % 2)


@row("lost")
async def worker_stopped(fleet, pause, _count):
    await pause()
    fleet.workers[1].send(signal.SIGSTOP)
    await asyncio.sleep(15)  # longer than the ack wait
    fleet.workers[1].send(signal.SIGCONT)


@row("lost")
async def worker_cut_off(fleet, pause, count):
    for _ in range(count):
        await pause()
        fleet.proxy.cut()


@row("refused", "lost")
async def only_node_killed(fleet, pause, count):
    for _ in range(count):
        await pause()
        await restart_node(fleet, 0)


@row("refused", nodes=3)  # where another one takes longer than a front waits for it
async def leader_killed(fleet, pause, _count):
    await pause()
    await restart_node(fleet, await leader_of(fleet))


@row(nodes=3)
async def follower_killed(fleet, pause, _count):
    await pause()
    await restart_node(fleet, (await leader_of(fleet) + 1) % 3)


@row("refused", "lost", nodes=3)
async def two_nodes_killed(fleet, pause, _count):
    await pause()
    for number in (0, 1):
        fleet.nodes.machines[number].kill()
    await asyncio.sleep(2)
    for number in (0, 1):
        fleet.nodes.machines[number].start()
    for number in (0, 1):
        await fleet.nodes.are_ready(number)


@row()
async def workers_restarted(fleet, pause, _count):
    for number in range(3):
        await pause()
        await fleet.workers[number].end()
        fleet.workers[number].start()


@row(nodes=3)
async def nodes_restarted(fleet, pause, _count):
    for number in range(3):
        await pause()
        await fleet.nodes.machines[number].end()
        fleet.nodes.machines[number].start()
        await fleet.nodes.are_ready(number)


@row()  # with HAProxy, which hears of it in the lame-duck time
async def fronts_restarted(fleet, pause, _count):
    for number in range(2):
        await pause()
        await fleet.fronts[number].end()
        fleet.fronts[number].start()
        await fleet.front_is_ready(number)


@row("refused", nodes=3, disk_bytes=SMALL_DISK)  # as of the leader that is killed
async def disk_full(fleet, pause, _count):
    await pause()
    number = await leader_of(fleet)
    async with fleet.nodes.full_disk(number):
        await pause()
        await pause()
    await restart_node(fleet, number)


@row("refused", "lost", disk_bytes=SMALL_DISK)
async def only_disk_full(fleet, pause, _count):
    await pause()
    async with fleet.nodes.full_disk(0):
        await pause()
        await pause()
    await restart_node(fleet, 0)


async def restart_node(fleet, number):
    fleet.nodes.machines[number].kill()
    await asyncio.sleep(1)
    fleet.nodes.machines[number].start()
    await fleet.nodes.are_ready(number)


async def leader_of(fleet):
    found = []

    async def is_known():
        found.append(await fleet.nodes.leader("PL_tools"))
        return found[-1] is not None

    await until(is_known, "the stream has a leader")
    return found[-1]


def begun_in(record):
    """How often each call has begun."""
    lines = record.read_text().splitlines() if record.exists() else []
    return collections.Counter(line.split()[2] for line in lines if line.startswith("begin "))


def faults_of(load, begun, excuses):
    faults = collections.Counter()
    for call in load.calls:
        times = begun[call.key]
        if call.outcome not in excuses:
            faults[call.outcome] += 1
        if call.tool == "look" and call.outcome == "lost":
            faults["idempotent and lost"] += 1
        if call.tool == "act" and times > 1:
            faults["not idempotent and run twice"] += 1
        if call.outcome == "answered" and times == 0:
            faults["answered and not run"] += 1
        if call.outcome == "refused" and times:
            faults["refused and run"] += 1
    if load.answered_twice:
        faults["answered twice"] = load.answered_twice
    return faults


async def run_row(name, options, folder):
    about = Row.rows[name]
    if name == "fronts_restarted" and not HAPROXY:
        print(f"{name}: skipped, as there is no haproxy", flush=True)
        return "CI" not in os.environ
    fleet = Fleet(options.gateway, options.nats, about.nodes, folder)
    try:
        if about.disk_bytes and not fleet.nodes.have_disks_of(about.disk_bytes):
            print(f"{name}: skipped, as no file system can be mounted here", flush=True)
            return True
        await fleet.start()
        load = Load(fleet.port, patience=330)
        for port in fleet.front_ports:  # which learn what may run twice
            await Load(port, patience=30).ask("tools/list", "", {})

        async def pause():
            await asyncio.sleep(options.seconds / 6)

        running = asyncio.ensure_future(load.run(options.seconds, options.rate, options.long))
        await about.act(fleet, pause, max(1, int(options.seconds // 12)))
        await running
    finally:
        await fleet.stop()
    begun = begun_in(fleet.record)
    faults = faults_of(load, begun, about.excuses)
    outcomes = collections.Counter(call.outcome for call in load.calls)
    longest = max(call.took for call in load.calls)
    told = ", ".join(f"{count} {what}" for what, count in outcomes.most_common())
    print(f"{name}: {told}; longest {longest:.1f} s" + (f"; WRONG: {dict(faults)}" if faults else ""), flush=True)
    return not faults


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("gateway")
    parser.add_argument("--row", action="append", choices=Row.rows)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--rate", type=float, default=300)
    parser.add_argument("--long", type=float, default=5)
    parser.add_argument("--nats", default="nats-server")
    parser.add_argument("--keep", help="a folder for logs, one folder for each row")
    options = parser.parse_args()
    is_good = True
    for name in options.row or Row.rows:
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(options.keep or temporary) / name
            folder.mkdir(parents=True, exist_ok=True)
            is_good = asyncio.run(run_row(name, options, folder)) and is_good
    return 0 if is_good else 1


sys.exit(main())
