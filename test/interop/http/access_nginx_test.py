"""nginx in front of partyline-tools with an access file: python3 access_nginx_test.py PAGE PARTYLINE_TOOLS.

It is set up by the guide, and names users in fields of its own besides, as proxies do that authenticate their clients.
"""

import random
import sys
import unittest

sys.dont_write_bytecode = True

import proxy
from access_file import METADATA, RESOURCE, AccessFile
from mcp_over_http import CLIENT, MODERN, PREFIX, Answer, call_of, request
from server_process import Server

RULES = [{"tools": ["wait"], "scopes": ["files:read"]}, {"tools": ["hash_files"], "scopes": ["files:write"]},
         {"tools": ["search_files"], "principals": ["writer"]}]
NAMED = """
    proxy_set_header X-Forwarded-User writer;
    proxy_set_header X-Remote-User writer;
    proxy_set_header Remote-User writer;
    proxy_set_header X-Forwarded-Email writer@example.org;
    proxy_set_header X-SSL-Client-S-DN CN=writer;
    proxy_set_header X-Client-Cert CN=writer;
    proxy_set_header X-Forwarded-For 10.0.0.1;
    proxy_set_header Forwarded "for=10.0.0.1;by=writer";
"""
META = {PREFIX + "protocolVersion": MODERN, PREFIX + "clientCapabilities": {}, PREFIX + "clientInfo": CLIENT}
KEPT = "upstream kept {{ server 127.0.0.1:{port}; keepalive 1; }}"


class Nginx(proxy.Proxy):
    """As in the guide, with one connection to the server that requests of all clients take in turns."""

    def __init__(self, page, upstream):
        def command(folder, listener):
            lines = proxy.snippet(page, "proxy_pass")
            lines = proxy.replaced(lines, "proxy_pass http://127.0.0.1:8081;", "proxy_pass http://kept;" + NAMED)
            server = proxy.NGINX_SERVER.format(port=listener.getsockname()[1], snippet=lines)
            return proxy.nginx(folder, listener, KEPT.format(port=upstream) + server)

        super().__init__(command)


class BehindNginx(unittest.TestCase):
    def setUp(self):
        self.file = AccessFile(resource=RESOURCE, rules=RULES)
        self.addCleanup(self.file.remove)
        self.reader = self.file.add_token("reader", "files:read")
        self.writer = self.file.add_token("writer", "files:read", "files:write")
        self.server = Server(TOOLS, "--root", self.file.folder, "--http", "127.0.0.1:0", "--access", self.file.path)
        self.addCleanup(self.server.stop)
        self.proxy = Nginx(PAGE, self.server.port)
        self.addCleanup(self.proxy.stop)

    def ask(self, method, body, token, **fields):
        shown = {"Authorization": f"Bearer {token}"} if token else {}
        return Answer(self.proxy.port, method, body, {**shown, **fields})

    def modern(self, token, body, **fields):
        named = {"Mcp-Name": body["params"]["name"]} if "name" in body["params"] else {}
        own = {"MCP-Protocol-Version": MODERN, "Mcp-Method": body["method"], **named}
        return self.ask("POST", body, token, **own, **fields)

    def tools_of(self, token):
        with self.modern(token, request(1, "tools/list", {"_meta": META})) as answer:
            self.assertEqual(answer.status, 200)
            return sorted(tool["name"] for tool in answer.reply()["result"]["tools"])

    def test_the_user_that_a_proxy_names_is_not_believed(self):
        with self.modern(None, request(1, "tools/list", {"_meta": META}), **{"X-Forwarded-User": "writer"}) as answer:
            self.assertEqual(answer.status, 401)
            self.assertEqual(answer.field("WWW-Authenticate"),
                             f'Bearer resource_metadata="{METADATA}", scope="files:read files:write"')
        self.assertEqual(self.tools_of(self.reader), ["hash_files", "wait"])
        self.assertEqual(self.tools_of(self.writer), ["hash_files", "search_files", "wait"])

    def test_clients_find_the_metadata(self):
        with Answer(self.proxy.port, "GET", path="/.well-known/oauth-protected-resource/mcp") as answer:
            self.assertEqual((answer.status, answer.json()["resource"]), (200, RESOURCE))

    def test_refusals_pass_with_their_fields(self):
        with self.modern(self.reader, call_of(1, "hash_files", {"files": []}, META)) as answer:
            self.assertEqual((answer.status, answer.reply()["error"]["code"]), (403, -31003))
            self.assertEqual(answer.field("WWW-Authenticate"),
                             f'Bearer error="insufficient_scope", scope="files:write", resource_metadata="{METADATA}"')
        with self.modern(self.reader + "x", request(1, "tools/list", {"_meta": META})) as answer:
            self.assertEqual((answer.status, answer.reply()["error"]["message"]), (401, "The token is not valid"))

    def test_two_users_share_a_connection_and_nothing_else(self):
        mine = {self.reader: ["hash_files", "wait"], self.writer: ["hash_files", "search_files", "wait"]}
        for token in random.choices(list(mine), k=100):
            self.assertEqual(self.tools_of(token), mine[token])

    def test_a_session_is_its_owners(self):
        about = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": CLIENT}
        with self.ask("POST", request(0, "initialize", about), self.reader) as answer:
            self.assertEqual(answer.status, 200)
            session = {"Mcp-Session-Id": answer.field("Mcp-Session-Id"), "MCP-Protocol-Version": "2025-11-25"}
        other = {**session, "Mcp-Session-Id": session["Mcp-Session-Id"][::-1]}
        for method, body in (("POST", request(1, "tools/list", {})), ("GET", None), ("DELETE", None)):
            with self.subTest(method=method):
                with self.ask(method, body, self.writer, **session) as foreign, \
                        self.ask(method, body, self.writer, **other) as unknown:
                    self.assertEqual((foreign.status, foreign.json()), (404, unknown.json()))
                with self.ask(method, body, None, **session) as nobody:
                    self.assertEqual(nobody.status, 401)
        with self.ask("POST", request(1, "tools/list", {}), self.reader, **session) as answer:
            self.assertEqual(answer.status, 200)
        with self.ask("DELETE", None, self.reader, **session) as answer:
            self.assertEqual(answer.status, 204)


if __name__ == "__main__":
    TOOLS, PAGE = (sys.argv.pop() for _ in range(2))
    unittest.main()
