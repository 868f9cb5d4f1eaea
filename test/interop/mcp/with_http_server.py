"""Runs a test with a server of HTTP beside it.

python3 with_http_server.py TEST... -- SERVER...

The server is told a port that is free by the variable PORT. The word URL of the test becomes the address where it serves MCP.
"""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))

from free_port import free_port

PATIENCE = 30  # seconds for it to listen


def wait_for(server, port):
    end = time.monotonic() + PATIENCE
    while server.poll() is None and time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise RuntimeError("the server does not listen")


def main(words):
    border = len(words) - 1 - words[::-1].index("--")  # the test may have its own
    test, command = words[:border], words[border + 1:]
    port = free_port()
    url = f"http://127.0.0.1:{port}/mcp"
    with tempfile.TemporaryFile("w+") as said:
        server = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=said, stderr=said, start_new_session=True,
                                  env={**os.environ, "PORT": str(port)})
        code = 1
        try:
            wait_for(server, port)
            code = subprocess.call([url if word == "URL" else word for word in test])
        finally:
            if server.poll() is None:
                os.killpg(server.pid, signal.SIGKILL)
                server.wait()
            if code != 0:
                said.seek(0)
                print(said.read()[-10_000:], file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
