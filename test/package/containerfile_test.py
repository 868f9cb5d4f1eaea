"""What the Containerfile starts answers who comes through a published port: python3 containerfile_test.py CONTAINERFILE PROGRAMS.
No container is needed for that: from outside it looks like a client of another address, which asks for the host's own names."""

import http.client
import json
import os
import re
import socket
import subprocess
import sys
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parents[1] / "interop/http"))

from server_process import PATIENCE, Server

ADD = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "add", "params": [2, 40]})


def instruction(name):
    text = Path(CONTAINERFILE).read_text(encoding="utf-8").replace("\\\n", "")
    return json.loads(re.findall(rf"^{name} (\[.*\])$", text, re.MULTILINE)[-1])


def exposed_port():
    return re.search(r"\d+", Path(CONTAINERFILE).read_text(encoding="utf-8").split("\nEXPOSE ")[1])[0]


def is_healthy(port):
    command = [word.replace(f"/{exposed_port()} ", f"/{port} ") for word in instruction(r"HEALTHCHECK [^\[]*CMD")]
    assert f"/{port} " in command[-1], command
    return subprocess.run(command, stderr=subprocess.DEVNULL, timeout=PATIENCE, check=False).returncode == 0


def answer_503(listening):
    """To a whole request: what is closed before all was read is reset, and then nobody learns the status."""
    listening.settimeout(PATIENCE)
    peer, _ = listening.accept()
    peer.settimeout(PATIENCE)
    with peer, peer.makefile("rb") as request:
        for line in iter(request.readline, b"\r\n"):
            assert line, "the request has no end"
        peer.sendall(b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n")


def own_address():
    """One that is not loopback, where there is a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent
        except OSError:
            return "127.0.0.1"
        return probe.getsockname()[0]


class Started(unittest.TestCase):
    def test_a_host_is_answered_by_its_own_names(self):
        program, *options = instruction("ENTRYPOINT") + instruction("CMD")
        port = exposed_port()
        options = [re.sub(rf":{port}$", ":0", one) for one in options]
        server = Server(program, *options)
        self.addCleanup(server.stop)
        for name in ("localhost", "127.0.0.1"):
            with self.subTest(name=name):
                client = http.client.HTTPConnection(own_address(), server.port, timeout=PATIENCE)
                client.request("POST", "/rpc", ADD, {"Content-Type": "application/json", "Host": f"{name}:{port}"})
                answer = client.getresponse()
                content = answer.read()
                self.assertEqual(answer.status, 200, content)
                self.assertEqual(json.loads(content)["result"], 42)
                client.close()
        self.assertTrue(is_healthy(server.port))

    def test_a_server_that_is_not_there_or_not_well_is_not_healthy(self):
        with socket.create_server(("127.0.0.1", 0)) as listening, ThreadPoolExecutor() as threads:
            port = listening.getsockname()[1]
            answered = threads.submit(answer_503, listening)
            self.assertFalse(is_healthy(port))
            answered.result(PATIENCE)
        self.assertFalse(is_healthy(port))


if __name__ == "__main__":
    CONTAINERFILE = sys.argv.pop(1)
    os.environ["PATH"] = sys.argv.pop(1) + os.pathsep + os.environ["PATH"]
    unittest.main()
