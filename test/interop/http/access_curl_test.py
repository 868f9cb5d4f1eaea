"""curl as a client of partyline-tools with an access file: python3 access_curl_test.py PARTYLINE_TOOLS."""

import json
import math
import secrets
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True

from access_file import METADATA, RESOURCE, AccessFile
from server_process import PATIENCE, Server

# Whatever the machine's own settings of curl are.
CURL = ["curl", "-q", "--noproxy", "*", "--silent", "--show-error", "--max-time", str(PATIENCE), "--include"]
PING = {"jsonrpc": "2.0", "id": 7, "method": "ping", "params": {}}
WELL_KNOWN = "/.well-known/oauth-protected-resource"
RULES = [{"tools": ["wait"], "scopes": ["files:read"]}, {"tools": ["hash_files"], "scopes": ["files:write"]}]


def modern(method, **params):
    meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": {"name": "curl", "version": "8"}}
    return {"jsonrpc": "2.0", "id": 7, "method": method, "params": {**params, "_meta": meta}}


class Answer:
    def __init__(self, run):
        if run.returncode != 0:
            raise AssertionError(run.stderr)
        head, _, self.body = run.stdout.partition("\n\n")
        lines = head.splitlines()
        self.fields = [tuple(line.split(": ", 1)) for line in lines[1:]]
        self.status = int(lines[0].split()[1])

    def all(self, name):
        return [value for each, value in self.fields if each.lower() == name.lower()]

    def json(self):
        return json.loads(self.body)


class WithAccessFile(unittest.TestCase):
    limits = []

    def setUp(self):
        self.file = AccessFile(rules=RULES, limits=self.limits, **self.more())
        self.addCleanup(self.file.remove)
        self.token = self.file.add_token("reader", "files:read")
        self.server = Server(TOOLS, "--root", self.file.folder, "--http", "127.0.0.1:0", "--access", self.file.path)
        self.addCleanup(self.server.stop)
        self.root = f"http://127.0.0.1:{self.server.port}"

    def more(self):
        return {"resource": RESOURCE}

    def curl(self, *arguments, path="/mcp"):
        return Answer(subprocess.run([*CURL, *arguments, self.root + path], text=True, capture_output=True))

    def post(self, body, *arguments, path="/mcp", token=None):
        method, name = body["method"], body["params"].get("name")
        fields = ["Content-Type: application/json", "Accept: application/json, text/event-stream",
                  "MCP-Protocol-Version: 2026-07-28", f"Mcp-Method: {method}"]
        fields += [f"Mcp-Name: {name}"] if name else []
        fields += [f"Authorization: Bearer {token}"] if token else []
        shown = [word for field in fields for word in ("--header", field)]
        return self.curl(*shown, *arguments, "--data-binary", json.dumps(body), path=path)

    def call(self, tool, arguments, *more, token=None):
        return self.post(modern("tools/call", name=tool, arguments=arguments), *more, token=token or self.token)

    def assert_refused(self, answer, status, code, words, challenge=None):
        self.assertEqual(answer.status, status, answer.body)
        error = answer.json()["error"]
        self.assertEqual((error["code"], error["message"]), (code, words))
        self.assertEqual(answer.all("WWW-Authenticate"), [challenge] if challenge else [])
        self.assertNotIn(self.token, answer.body)


class Refusals(WithAccessFile):
    def test_who_shows_nothing_is_told_where_to_ask(self):
        for arguments in ([], ["--cookie", f"access_token={self.token}"]):
            with self.subTest(arguments=arguments):
                self.assert_refused(self.post(PING, *arguments), 401, -31005, "Authentication required",
                                    f'Bearer resource_metadata="{METADATA}", scope="files:read files:write"')

    def test_one_bearer_token_is_asked_for(self):
        bearer = f"Authorization: Bearer {self.token}"
        for arguments, path in (
            (["--header", bearer, "--header", bearer], "/mcp"),
            (["--user", f"reader:{self.token}"], "/mcp"),
            (["--header", "Authorization;"], "/mcp"),
            (["--header", "Authorization: Bearer"], "/mcp"),
            (["--header", f"{bearer},{self.token}"], "/mcp"),
            (["--header", f"{bearer} {self.token}"], "/mcp"),
            (["--header", f"Authorization: Bearer {self.token}ä"], "/mcp"),
            ([], f"/mcp?access_token={self.token}"),
            (["--header", bearer], f"/mcp?a=b&access_token={self.token}"),
        ):
            with self.subTest(arguments=arguments, path=path):
                self.assert_refused(self.post(PING, *arguments, path=path), 400, -31005,
                                    "Authorization is to be one Bearer token", 'Bearer error="invalid_request"')

    def test_a_scheme_is_read_in_any_case(self):
        for scheme in ("bearer", "BEARER", "Bearer "):
            with self.subTest(scheme=scheme):
                answer = self.post(modern("tools/list"), "--header", f"authorization: {scheme} {self.token}")
                self.assertEqual(answer.status, 200, answer.body)

    def test_an_unknown_token_is_not_valid(self):
        near = [self.token + "x", self.token[:-1], self.token.swapcase()]
        for token in (secrets.token_urlsafe(32), *near, "x", "a.b.c"):
            with self.subTest(token=token):
                self.assert_refused(self.post(PING, token=token), 401, -31005, "The token is not valid",
                                    f'Bearer error="invalid_token", resource_metadata="{METADATA}"')

    def test_a_token_has_an_end(self):
        old = self.file.add_token("old", "files:read", until="2020-01-01T00:00:00Z")
        self.server.reread()
        self.assert_refused(self.post(PING, token=old), 401, -31005, "The token has expired",
                            f'Bearer error="invalid_token", error_description="expired", resource_metadata="{METADATA}"')

    def test_a_missing_scope_is_named(self):
        answer = self.call("hash_files", {"files": []})
        self.assert_refused(answer, 403, -31003, "Insufficient scope",
                            f'Bearer error="insufficient_scope", scope="files:write", resource_metadata="{METADATA}"')
        self.assertEqual(answer.json()["error"]["data"], {"required": ["files:write"]})
        self.assertEqual(answer.json()["id"], 7)

    def test_what_is_hidden_is_unknown(self):
        hidden = self.call("read_lines", {"file": "x"})
        unknown = self.call("read_linez", {"file": "x"})
        self.assertEqual(hidden.status, unknown.status)
        self.assertEqual(hidden.body.replace("read_lines", "read_linez"), unknown.body)
        self.assertEqual([name for name, _ in hidden.fields], [name for name, _ in unknown.fields])
        self.assertEqual(hidden.all("WWW-Authenticate"), [])

    def test_a_body_is_not_waited_for(self):
        large = ["--header", "Content-Type: application/json", "--header", "Expect: 100-continue",
                 "--expect100-timeout", str(2 * PATIENCE), "--data-binary", "x" * 100_000]
        for fields, status in (([], 401), (["--header", "Authorization: Basic eDp5"], 400)):
            answer = self.curl(*large, *fields)
            self.assertEqual(answer.status, status)
        answer = self.curl(*large, "--header", f"Authorization: Bearer {self.token}")
        self.assertEqual(answer.status, 100)

    def test_who_guesses_by_a_proxy_on_this_machine_locks_nobody_out(self):
        answers = [self.post(PING, token=secrets.token_urlsafe(32)) for _ in range(22)]
        self.assertEqual([answer.status for answer in answers], [401] * 22)
        self.assertEqual(self.post(modern("tools/list"), token=self.token).status, 200)


class PublicFacts(WithAccessFile):
    def test_metadata_is_told(self):
        for path in (WELL_KNOWN, WELL_KNOWN + "/mcp"):
            with self.subTest(path=path):
                answer = self.curl(path=path)
                self.assertEqual((answer.status, answer.all("Content-Type")), (200, ["application/json"]))
                self.assertEqual(answer.json(), {
                    "resource": RESOURCE, "authorization_servers": ["https://as.example.org"],
                    "scopes_supported": ["files:read", "files:write"], "bearer_methods_supported": ["header"]})
                self.assertEqual((answer.all("Cache-Control"), answer.all("Access-Control-Allow-Origin")),
                                 (["max-age=300"], ["*"]))
                head = self.curl("--head", path=path)
                self.assertEqual((head.status, head.body), (200, ""))
                self.assertEqual(head.all("Content-Length"), answer.all("Content-Length"))
                self.assertEqual(self.curl("--request", "POST", path=path).status, 405)
        page = self.curl("--header", "Origin: https://inspector.example.net", path=WELL_KNOWN)
        self.assertEqual((page.status, page.all("Access-Control-Allow-Origin")), (200, ["*"]))

    def test_public_facts_need_no_token(self):
        self.assertEqual(self.curl(path="/healthz").status, 200)
        self.assertEqual(self.curl("--head", path="/healthz").status, 200)
        self.assertEqual(self.curl(path="/nowhere").status, 404)
        self.assertEqual(self.curl("--request", "OPTIONS").status, 204)
        self.assertEqual(self.curl("--request", "PUT").status, 405)

    def test_other_methods_are_asked_too(self):
        for method in ("GET", "DELETE"):
            with self.subTest(method=method):
                answer = self.curl("--request", method, "--header", "Accept: text/event-stream")
                self.assertEqual((answer.status, answer.all("WWW-Authenticate")), (
                    401, [f'Bearer resource_metadata="{METADATA}", scope="files:read files:write"']))

    def more(self):
        issuer = {"issuer": "https://as.example.org", "audiences": [RESOURCE], "jwks_file": "keys.json"}
        return {"resource": RESOURCE, "issuers": [issuer]}


class WithoutResource(WithAccessFile):
    def more(self):
        return {}

    def test_no_metadata_is_told(self):
        self.assert_refused(self.post(PING), 401, -31005, "Authentication required", "Bearer")
        self.assert_refused(self.post(PING, token="x"), 401, -31005, "The token is not valid",
                            'Bearer error="invalid_token"')
        self.assert_refused(self.call("hash_files", {"files": []}), 403, -31003, "Insufficient scope",
                            'Bearer error="insufficient_scope", scope="files:write"')
        self.assertEqual(self.curl(path=WELL_KNOWN).status, 404)


class Limits(WithAccessFile):
    limits = [{"principals": ["reader"], "requests_per_second": 0.1, "burst": 2}]

    def test_too_many_requests_are_told_when_to_come_again(self):
        answers = [self.call("wait", {"seconds": 0}) for _ in range(6)]
        refused = [answer for answer in answers if answer.status != 200]
        self.assertEqual([answer.status for answer in answers[:2]], [200, 200])
        self.assertTrue(refused)
        self.assert_refused(refused[0], 429, -31002, "Too many requests")
        after = refused[0].json()["error"]["data"]["retry_after_ms"]
        self.assertTrue(0 < after <= 10_000, after)
        self.assertEqual(refused[0].all("Retry-After"), [str(math.ceil(after / 1000))])


if __name__ == "__main__":
    TOOLS = sys.argv.pop()
    unittest.main()
