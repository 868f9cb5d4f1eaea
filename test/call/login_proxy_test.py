"""partyline-call --login --proxy: a server and an authorization server behind TLS whose names a proxy alone knows.

python3 login_proxy_test.py PARTYLINE_CALL; needs openssl.
"""

import os
import re
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import urllib.request
from urllib.parse import parse_qs, urlencode, urlparse

from login_servers import Logins, serve

CALL = sys.argv[1]
SERVER, ISSUER = "rpc.example.test", "login.example.test"


def check(condition, what):
    if not condition:
        sys.exit(f"failed: {what}")


def certificates(folder):
    """A certificate that signs itself, for both names."""
    key, certificate = os.path.join(folder, "key.pem"), os.path.join(folder, "certificate.pem")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                    "-keyout", key, "-out", certificate, "-days", "2", "-subj", "/CN=test",
                    "-addext", f"subjectAltName=DNS:{SERVER},DNS:{ISSUER}"], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return certificate, context


class Proxy:
    """Connects to the servers of these names, and to nobody else."""

    def __init__(self, ports):
        self.ports = ports
        self.asked = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            threading.Thread(target=self.connect, args=(client,), daemon=True).start()

    def connect(self, client):
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += client.recv(1)
        method, target = head.decode().split()[:2]
        self.asked.append(f"{method} {target}")
        port = self.ports.get(target) if method == "CONNECT" else None
        if port is None:
            client.sendall(b"HTTP/1.1 502 Nobody\r\nContent-Length: 0\r\n\r\n")
            client.close()
            return
        server = socket.create_connection(("127.0.0.1", port))
        client.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        threading.Thread(target=self.pass_on, args=(server, client), daemon=True).start()
        self.pass_on(client, server)

    @staticmethod
    def pass_on(source, target):
        try:
            while data := source.recv(65536):
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # one of them is gone


def log_in(page):
    """A person's browser: it is sent back with a code. Returns the page that it shows in the end."""
    asked = {name: values[0] for name, values in parse_qs(urlparse(page).query).items()}
    check(page.startswith(f"https://{ISSUER}/authorize?") and asked["resource"] == f"https://{SERVER}/rpc", page)
    back = urlencode({"code": "a-code", "state": asked["state"], "iss": f"https://{ISSUER}"})
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # whatever the environment says
    with direct.open(asked["redirect_uri"] + "?" + back, timeout=60) as answer:
        return answer.read().decode()


def run(arguments, folder):
    """Returns the output, and the pages of the login and after it where there is one."""
    process = subprocess.Popen([CALL, f"https://{SERVER}/rpc", "x", "--login", *arguments], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, env={**os.environ, "XDG_STATE_HOME": folder})
    try:
        shown = None
        said = ""
        for line in process.stderr:
            said += line
            if found := re.search(r"log in at (\S+)", line):
                shown = log_in(found.group(1))
        out = process.stdout.read()
        check(process.wait(60) == 0, f"{out} {said}")
        return out, shown
    finally:
        process.kill()


with tempfile.TemporaryDirectory() as scratch:
    logins = Logins()
    ca, tls = certificates(scratch)
    server, issuer = serve(logins, tls), serve(logins, tls)
    server.url, server.issuer = f"https://{SERVER}", f"https://{ISSUER}"
    issuer.url = issuer.issuer = f"https://{ISSUER}"
    proxy = Proxy({f"{SERVER}:443": server.server_port, f"{ISSUER}:443": issuer.server_port})
    options = ["--proxy", proxy.address, "--tls-ca", ca]
    out, shown = run(options, scratch)
    check("served" in out, out)
    check(shown is not None and "You can go back" in shown and "logged in" not in shown, shown)
    check(logins.codes == ["a-code"] and logins.registrations == 1, vars(logins))
    check({*proxy.asked} == {f"CONNECT {SERVER}:443", f"CONNECT {ISSUER}:443"}, proxy.asked)
    out, shown = run(options, scratch)
    check("served" in out and shown is None, f"{out} {shown}")
