"""The gateway as its unit starts it, and nginx in front as its snippet says: nginx_test.py FOLDER GATEWAY SERVER

nginx checks the snippet first; then a client with a password calls a tool through it, and one without is refused.
"""
import base64
import http.client
import json
import os
import socket
import ssl
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

from unit_file import exec_start

PATIENCE = 30
FOLDER, GATEWAY, SERVER = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
NAME = "notes.example.org"

# What has to be around the snippet. Temporary files are in the folder, since the packages' ones may belong to others.
AROUND = """
daemon off;
pid {folder}/pid;
error_log stderr error;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    {snippet}
}}
"""
CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "find_notes", "arguments": {"text": "loaf"},
                   "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                             "io.modelcontextprotocol/clientCapabilities": {}}}}
FIELDS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
          "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "find_notes"}


def config(folder):
    """The snippet, with files of ours in the place of the machine's."""
    text = (FOLDER / "nginx.conf").read_text(encoding="utf-8")
    places = {"listen 443 ssl": f"listen unix:{folder}/tls ssl", "/etc/ssl/notes.example.org.pem": f"{folder}/cert",
              "/etc/ssl/private/notes.example.org.key": f"{folder}/key", "/run/": f"{folder}/",
              "auth_basic_user_file /etc/nginx/notebook.users": f"auth_basic_user_file {folder}/users"}
    for old, new in places.items():
        assert text.count(old) == 1, f"nginx.conf has {old} {text.count(old)} times, expected once"
        text = text.replace(old, new)
    return AROUND.format(folder=folder, snippet=text)


def write_files(folder):
    os.chmod(folder, 0o711)  # nginx that is started by root works as somebody else
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1",
                    "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}", "-keyout", f"{folder}/key",
                    "-out", f"{folder}/cert"], check=True, stderr=subprocess.DEVNULL)
    Path(folder, "users").write_text("ada:{PLAIN}secret\n", encoding="utf-8")
    Path(folder, "config").write_text(config(folder), encoding="utf-8")


@contextmanager
def running(command, **more):
    with subprocess.Popen(command, **more) as process:
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(PATIENCE)
            finally:
                process.kill()


@contextmanager
def gateway(folder):
    """As systemd starts it: with the socket as descriptor 3."""
    path = f"{folder}/partyline-gateway.socket"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        os.chmod(path, 0o666)
        listener.listen()
        words = exec_start(FOLDER / "partyline-gateway.service", {"partyline-gateway": GATEWAY, "example-mcp_server": SERVER})
        start = f'exec 3<&{listener.fileno()}; LISTEN_PID=$$ LISTEN_FDS=1 exec "$@"'
        with running(["bash", "-c", start, "bash", *words], pass_fds=[listener.fileno()], stderr=subprocess.DEVNULL):
            yield


def connect(path):
    """nginx may not listen yet: it says so by nothing else than listening."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            plain = socket.socket(socket.AF_UNIX)
            plain.settimeout(PATIENCE)
            plain.connect(path)
            return plain
        except OSError:
            plain.close()
            if time.monotonic() > end:
                raise
            time.sleep(0.01)


def call(folder, **more):
    trusting = ssl.create_default_context(cafile=f"{folder}/cert")
    connection = http.client.HTTPConnection(NAME)
    connection.sock = trusting.wrap_socket(connect(f"{folder}/tls"), server_hostname=NAME)
    connection.request("POST", "/mcp", json.dumps(CALL), {**FIELDS, **more})
    reply = connection.getresponse()
    return reply.status, reply.read()


with tempfile.TemporaryDirectory() as place:
    write_files(place)
    nginx = ["nginx", "-p", place, "-e", "stderr", "-c", f"{place}/config"]
    subprocess.run([*nginx, "-t"], check=True)
    with gateway(place), running(nginx):
        assert call(place)[0] == 401
        status, body = call(place, Authorization="Basic " + base64.b64encode(b"ada:secret").decode())
        assert status == 200, (status, body)
        assert json.loads(body)["result"]["structuredContent"] == {"result": ["bread"]}, body
