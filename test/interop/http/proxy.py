"""nginx and HAProxy in front of a server, set up by what the guide says."""

import os
import re
import socket
import subprocess
import tempfile
from pathlib import Path

from server_process import PATIENCE, wait_until

# What has to be around what is told to serve. Temporary files are in the folder, since the packages' ones may belong to
# others.
NGINX = """
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
    {http}
}}
"""
NGINX_SERVER = """
    server {{
        listen 127.0.0.1:{port};
        {snippet}
    }}
"""
HAPROXY = """
global
    stats socket {folder}/admin
defaults
    default-server inter 100ms rise 1 fall 1
    timeout check 10s
{snippet}
"""


def snippet(page, word):
    """The one block of a page with that word in it."""
    blocks = re.findall(r"^```\w*\n(.*?)^```$", Path(page).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    found = [block for block in blocks if word in block]
    if len(found) != 1:
        raise AssertionError(f"{page} has {len(found)} blocks with {word}, expected one")
    return found[0]


def replaced(text, old, new):
    if text.count(old) != 1:
        raise AssertionError(f"the page has {old} {text.count(old)} times in a block, expected once:\n{text}")
    return text.replace(old, new)


class Proxy:
    """Listens on a socket that it gets from here: so the port is free, and whoever connects too early just waits."""

    def __init__(self, make_command, **environment):
        self._folder = tempfile.TemporaryDirectory()
        self.folder = self._folder.name
        os.chmod(self.folder, 0o711)  # nginx that is started by root works as somebody else, whose folders are in it
        with socket.create_server(("127.0.0.1", 0)) as listener:
            self.port = listener.getsockname()[1]
            command, more = make_command(self.folder, listener)
            self.process = subprocess.Popen(command, pass_fds=[listener.fileno()], env={**os.environ, **more})

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(PATIENCE)
        finally:
            self.process.kill()
            self._folder.cleanup()


def nginx(folder, listener, http):
    """The command of one that serves so, and its environment: it takes over the sockets of an nginx before it."""
    file = Path(folder, "config")
    file.write_text(NGINX.format(folder=folder, http=http), encoding="utf-8")
    return ["nginx", "-p", folder, "-e", "stderr", "-c", file], {"NGINX": f"{listener.fileno()};"}


class Nginx(Proxy):
    def __init__(self, page, upstream):
        def command(folder, listener):
            lines = replaced(snippet(page, "proxy_pass"), "127.0.0.1:8081", f"127.0.0.1:{upstream}")
            return nginx(folder, listener, NGINX_SERVER.format(port=listener.getsockname()[1], snippet=lines))

        super().__init__(command)


class Haproxy(Proxy):
    def __init__(self, page, upstream):
        def command(folder, listener):
            lines = replaced(snippet(page, "httpchk"), "127.0.0.1:8081", f"127.0.0.1:{upstream}")
            lines = replaced(lines, "bind 127.0.0.1:8000", f"bind fd@{listener.fileno()}")
            file = Path(folder, "config")
            file.write_text(HAPROXY.format(folder=folder, snippet=lines), encoding="utf-8")
            return ["haproxy", "-db", "-q", "-f", file], {}

        super().__init__(command)

    def health(self):
        """How the last check went, and whether the server is asked therefore: ("L7OK", "200", "UP")."""
        server = servers_of(self.folder)[0]
        return server["check_status"].removeprefix("* "), server["check_code"], server["status"].split()[0]

    def wait_for_health(self, is_wanted):
        wait_until(lambda: servers_of(self.folder) and is_wanted(self.health()), "that state of the server")


def servers_of(folder):
    """What HAProxy knows of each server; nothing before it runs."""
    with socket.socket(socket.AF_UNIX) as admin:
        try:
            admin.connect(os.path.join(folder, "admin"))
        except (FileNotFoundError, ConnectionRefusedError):
            return []
        admin.sendall(b"show stat\n")
        names, *rows = admin.makefile().read().lstrip("# ").splitlines()
    rows = [dict(zip(names.split(","), row.split(","))) for row in rows]
    return [row for row in rows if row.get("svname") not in (None, "FRONTEND", "BACKEND")]


def with_nodes(lines, ports):
    """What the page balances between, at these ports in place of its own."""
    for number, port in enumerate(ports.values()):
        lines = lines.replace(f"127.0.0.1:{8081 + number}", f"127.0.0.1:{port}")
    return lines


class BalancingNginx(Proxy):
    def __init__(self, page, ports):
        def command(folder, listener):
            lines = replaced(snippet(page, "proxy_pass"), "127.0.0.1:8000", f"127.0.0.1:{listener.getsockname()[1]}")
            return nginx(folder, listener, with_nodes(lines, ports))

        super().__init__(command)

    def wait_for_nodes(self):
        """It asks them whenever there is a request."""


class BalancingHaproxy(Proxy):
    def __init__(self, page, ports):
        def command(folder, listener):
            lines = replaced(snippet(page, "httpchk"), "bind 127.0.0.1:8000", f"bind fd@{listener.fileno()}")
            file = Path(folder, "config")
            file.write_text(f"global\n    stats socket {folder}/admin\n" + with_nodes(lines, ports), encoding="utf-8")
            return ["haproxy", "-db", "-q", "-f", file], {}

        super().__init__(command)

    def wait_for_nodes(self):
        def are_up():
            servers = servers_of(self.folder)
            return servers and all(one["status"] == "UP" for one in servers)

        wait_until(are_up, "all nodes")
