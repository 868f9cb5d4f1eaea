"""Eight processes of partyline-call whose token has expired, with one store: python3 one_refresh_test.py PARTYLINE_CALL.

The authorization server takes each refresh token once.
"""

import json
import os
import subprocess
import sys
import tempfile
import threading

from login_servers import Logins, serve

CALL = sys.argv[1]


def remember(folder, *servers):
    """A login of long ago."""
    entries = {}
    for server in servers:
        entries["tokens " + server.url + "/rpc"] = json.dumps({
            "issuer": server.url, "client_id": "known", "resource": server.url + "/rpc", "access_token": "access-0",
            "refresh_token": "refresh-0", "usable_until": 1})
        entries["client " + server.url] = json.dumps({
            "issuer": server.url, "client_id": "known", "token_endpoint_auth_method": "none",
            "redirect_uri": "http://127.0.0.1:9/callback"})
    place = os.path.join(folder, "partyline")
    os.makedirs(place, mode=0o700, exist_ok=True)
    with open(os.open(os.path.join(place, "tokens.json"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        json.dump(entries, file)


STARTED = []


def start(server, folder):
    process = subprocess.Popen([CALL, server.url + "/rpc", "x", "--login"], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, env={**os.environ, "XDG_STATE_HOME": folder})
    STARTED.append(process)
    return process


def check(condition, what):
    if not condition:
        sys.exit("failed: " + what)


def expect_served(process, logins):
    out, said = process.communicate(timeout=90)
    check(process.returncode == 0 and "served" in out, f"{process.returncode} {out} {said} {vars(logins)}")
    check("log in at" not in said, said)


def refresh_together(processes, lifetime):
    """Returns the refreshes of all processes."""
    with tempfile.TemporaryDirectory() as folder:
        logins = Logins()
        logins.lifetime = lifetime
        if lifetime:  # the refresh is answered when all have seen that they need one
            logins.on_refresh = lambda: logins.wait_for(lambda: logins.lookups >= processes, 3)
        server = serve(logins)
        remember(folder, server)
        for process in [start(server, folder) for _ in range(processes)]:
            expect_served(process, logins)
        check(not logins.reused and not logins.codes and logins.registrations == 0, str(vars(logins)))
        return logins.refreshes


def hang():
    """An authorization server that hangs holds up nobody else."""
    with tempfile.TemporaryDirectory() as folder:
        is_over = threading.Event()
        stuck, other = Logins(), Logins()
        stuck.on_refresh = is_over.wait
        servers = [serve(stuck), serve(other)]
        remember(folder, *servers)
        waiting = start(servers[0], folder)
        check(stuck.wait_for(lambda: stuck.refreshes, 60), "nobody refreshes")
        expect_served(start(servers[1], folder), other)
        check(other.refreshes == ["refresh-0"], str(other.refreshes))
        is_over.set()
        waiting.communicate(timeout=90)


def main():
    refreshes = refresh_together(8, 3600)
    check(refreshes == ["refresh-0"], str(refreshes))
    refreshes = refresh_together(3, 0)  # so each has to get a token of its own; few, as nobody waits longer than 15 s
    check(refreshes == [f"refresh-{i}" for i in range(3)], str(refreshes))
    hang()


try:
    main()
finally:
    for one in STARTED:
        one.kill()
