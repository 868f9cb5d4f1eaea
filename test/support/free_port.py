"""Ports for servers that have to be told one."""

import random
import socket
from pathlib import Path

RANGE = Path("/proc/sys/net/ipv4/ip_local_port_range")


def free_port():
    """One that nobody has. The system gives it to no socket that asks for any port: other tests do so in the seconds until the
    server listens."""
    first_given_away = int(RANGE.read_text(encoding="ascii").split()[0])
    for port in random.sample(range(10_000, max(first_given_away, 20_000)), 1_000):
        with socket.socket() as one:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                one.bind(("", port))
                return port
            except OSError:
                pass
    raise RuntimeError("no port is free")
