"""Runs a client beside two servers with the same access file: partyline-tools, and a gateway in front of one without.

python3 with_access.py PARTYLINE-TOOLS PARTYLINE-GATEWAY CLIENT... URLS

URLS becomes the addresses at which they serve MCP. The client has the tokens of two agents in the variables READER and
WRITER: the first may wait, and lacks a scope to hash files; the second may do both, and search files.
"""

import os
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "http"))

from access_file import RESOURCE, AccessFile
from server_process import Server

RULES = [
    {"tools": ["wait"], "scopes": ["files:read"]},
    {"tools": ["hash_files"], "scopes": ["files:write"]},
    {"tools": ["search_files"], "principals": ["writer"]},
]


def main(tools, gateway, *command):
    file = AccessFile(resource=RESOURCE, rules=RULES)
    reader, writer = file.add_token("reader", "files:read"), file.add_token("writer", "files:read", "files:write")
    pathlib.Path(file.folder, "notes.txt").write_text("one\n", encoding="utf-8")
    options = ["--http", "127.0.0.1:0", "--access", file.path]
    servers = []
    try:
        servers.append(Server(tools, *options, "--root", file.folder))
        servers.append(Server(gateway, *options, "--", tools, "--root", file.folder))
        urls = [f"http://127.0.0.1:{server.port}/mcp" for server in servers]
        words = [one for word in command for one in (urls if word == "URLS" else [word])]
        code = subprocess.call(words, env={**os.environ, "READER": reader, "WRITER": writer})
    finally:
        for server in servers:
            server.stop()
        file.remove()
    said = "".join(line for server in servers for line in server.said)
    if reader in said or writer in said:
        sys.exit("a token is in what the servers say")
    return code


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
