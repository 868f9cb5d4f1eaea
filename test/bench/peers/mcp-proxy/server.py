"""mcp-proxy in front of the server whose command the arguments are, one process of it for all sessions."""

import socket
import sys
import threading
import time

from mcp_proxy.__main__ import main


def free_port():
    """It does not tell the port that the system chooses, so a free one is looked for."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


def tell_when_listening(port):
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            break
        except ConnectionRefusedError:
            time.sleep(0.02)
    print(f"listening on http://127.0.0.1:{port}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    port = free_port()
    threading.Thread(target=tell_when_listening, args=[port], daemon=True).start()
    # In this process, so that what it is charged is the gateway's, and signals reach that. A line logged for each
    # request would have to be read, and partyline-gateway logs none.
    sys.argv[1:] = ["--port", str(port), "--log-level", "WARNING", "--", *sys.argv[1:]]
    main()
