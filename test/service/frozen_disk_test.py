"""A log on a disk that is frozen, as for a snapshot, stops no program: frozen_disk_test.py ECHO

Needs root, and a kernel that mounts files: otherwise the test is skipped. Runs in a mount namespace of its own."""
import http.client
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

SKIPPED = 77
MANY = 4000  # whose lines are more than is kept
PATIENCE = 30


def run(*words):
    return subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode == 0


def ask(connection, number):
    connection.request("GET", f"/n{number}")
    response = connection.getresponse()
    response.read()
    assert response.status == 404, response.status


def serve_while_frozen(echo, disk):
    log = disk / "log"
    with subprocess.Popen([echo, "--http", "0", "--access-log", log], stderr=subprocess.PIPE, text=True) as served:
        port = int(served.stderr.readline().rsplit(":", 1)[1])
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        subprocess.run(["fsfreeze", "-f", disk], check=True)
        try:
            for number in range(MANY):
                ask(connection, number)
            served.send_signal(signal.SIGHUP)  # opens it again, which waits, too
            ask(connection, MANY)
        except OSError:
            served.kill()
            raise
        finally:
            subprocess.run(["fsfreeze", "-u", disk], check=True)
        served.send_signal(signal.SIGTERM)
        said = served.stderr.read()
        assert served.wait(PATIENCE) == 128 + signal.SIGTERM, said
    lines = log.read_text(encoding="utf-8").splitlines()
    note = "partyline: lines dropped here, which could not be written in time: "
    dropped = sum(int(line.removeprefix(note)) for line in lines if line.startswith(note))
    written = sum('"path":"/n' in line for line in lines)
    assert dropped > 0, "all lines were kept"
    assert written + dropped == MANY + 1, (written, dropped, said)


def main():
    if os.geteuid() != 0 or not run("unshare", "-m", "true"):
        print("no namespace of mounts can be made here")
        sys.exit(SKIPPED)
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    if "--inside" not in sys.argv:
        sys.exit(subprocess.run(["unshare", "-m", sys.executable, *sys.argv, "--inside"], check=False).returncode)
    with tempfile.TemporaryDirectory() as place:
        image, disk = Path(place, "image"), Path(place, "disk")
        image.write_bytes(bytes(20 << 20))
        disk.mkdir()
        if not run("mkfs.ext4", "-q", image) or not run("mount", "-o", "loop", image, disk):
            print("no file system can be mounted here")
            sys.exit(SKIPPED)
        try:
            serve_while_frozen(sys.argv[1], disk)
        finally:
            subprocess.run(["umount", disk], check=True)


main()
