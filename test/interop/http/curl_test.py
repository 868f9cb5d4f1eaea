"""curl as a client of partyline-echo: python3 curl_test.py PARTYLINE_ECHO."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True

from server_process import PATIENCE, Server, wait_until

# Whatever the machine's own settings of curl are. A server that never says "100 Continue" is found out by the time.
CURL = ["curl", "-q", "--noproxy", "*", "--silent", "--show-error", "--expect100-timeout", str(2 * PATIENCE),
        "--max-time", str(PATIENCE), "--write-out", "%{stderr}%{json}\n"]
TYPE = ["--header", "Content-Type: application/json"]
MIB = 1 << 20


def call(method, params, id=1):
    return {"jsonrpc": "2.0", "id": id, "method": method, "params": params}


def reply(result, id=1):
    return {"jsonrpc": "2.0", "id": id, "result": result}


ADD = call("add", [2, 40])
SUM = reply(42)


def events(stream):
    """The messages in a stream of events."""
    return [json.loads(line.removeprefix("data: ")) for line in stream.splitlines() if line.startswith("data: ")]


class OverTcp(unittest.TestCase):
    def setUp(self):
        self.server = Server(ECHO, "--http", "127.0.0.1:0", "--allow-origin", "https://example.org",
                             "--access-log", "-")
        self.addCleanup(self.server.stop)
        self.way = []
        self.root = f"http://127.0.0.1:{self.server.port}"
        self.rpc = f"{self.root}/rpc"

    def curl(self, *arguments, body=None):
        """What is in the answer, and for each transfer what curl knows of it."""
        text = body if isinstance(body, str) else json.dumps(body)
        sends = [] if body is None else ["--data-binary", "@-"]
        run = subprocess.run([*CURL, *self.way, *sends, *arguments], input=text, text=True, capture_output=True)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout, [json.loads(line) for line in run.stderr.splitlines() if line.startswith("{")]

    def post(self, body, *arguments):
        content, facts = self.curl(*TYPE, *arguments, self.rpc, body=body)
        return content, facts[-1]

    def status(self, *arguments, body=None):
        return self.curl(*arguments, body=body)[1][-1]["http_code"]

    def test_a_request_is_answered(self):
        content, facts = self.curl("--json", json.dumps(ADD), self.rpc)
        self.assertEqual((facts[0]["http_code"], facts[0]["content_type"]), (200, "application/json"))
        self.assertEqual(json.loads(content), SUM)

    def test_a_batch_is_answered_but_for_its_notification(self):
        batch = [ADD, {"jsonrpc": "2.0", "method": "log", "params": ["noted"]}, call("echo", ["ö"], 2)]
        content, facts = self.post(batch)
        self.assertEqual(facts["http_code"], 200)
        self.assertCountEqual(json.loads(content), [SUM, reply(["ö"], 2)])
        wait_until(lambda: "noted\n" in self.server.said, "the notification")

    def test_a_notification_is_accepted_without_a_body(self):
        content, facts = self.post({"jsonrpc": "2.0", "method": "log", "params": ["noted"]})
        self.assertEqual((facts["http_code"], content), (202, ""))
        wait_until(lambda: "noted\n" in self.server.said, "the notification")

    def test_a_chunked_body_is_read(self):
        text = "x" * 300_000
        content, facts = self.post(call("echo", [text]), "--header", "Transfer-Encoding: chunked")
        self.assertEqual((facts["http_code"], json.loads(content)), (200, reply([text])))

    def test_a_large_body_waits_for_100_continue(self):
        text = "x" * 2 * MIB
        content, facts = self.post(call("echo", [text]), "--include", "--header", "Expect: 100-continue")
        head, _, rest = content.partition("\n\n")
        self.assertEqual(head, "HTTP/1.1 100 Continue")
        self.assertEqual((facts["http_code"], json.loads(rest.partition("\n\n")[2])), (200, reply([text])))

    def test_a_body_that_is_not_wanted_is_not_sent(self):
        expect = ["--header", "Expect: 100-continue"]
        for kind, size, status in ((TYPE, 5 * MIB, 413), (["--header", "Content-Type: text/plain"], 2 * MIB, 415)):
            with self.subTest(status=status):
                _, facts = self.curl(*expect, *kind, self.rpc, body="x" * size)
                self.assertEqual((facts[0]["http_code"], facts[0]["size_upload"]), (status, 0))

    def test_a_chunked_body_that_grows_too_long_is_refused(self):
        chunked = ["--header", "Transfer-Encoding: chunked", "--header", "Expect:"]
        self.assertEqual(self.status(*TYPE, *chunked, self.rpc, body="x" * 5 * MIB), 413)

    def test_http_1_0_is_answered_and_closed(self):
        content, facts = self.post(ADD, "--http1.0", "--include")
        self.assertEqual(json.loads(content.partition("\n\n")[2]), SUM)
        self.assertEqual(facts["http_code"], 200)
        self.assertIn("connection: close", content.lower())
        stream, _ = self.post(call("count", {"to": 2}), "--http1.0")
        self.assertEqual(events(stream)[-1], reply({"counted": 2}))

    def test_http_1_1_serves_where_http_2_was_asked_for(self):
        content, facts = self.post(ADD, "--http2")
        self.assertEqual((facts["http_version"], json.loads(content)), ("1.1", SUM))

    def test_several_requests_take_one_connection(self):
        again = ["--next", *CURL[2:], *self.way, *TYPE, "--data-binary", json.dumps(call("add", [1, 1], 2)), self.rpc]
        content, facts = self.curl(*TYPE, self.rpc, f"{self.root}/nowhere", *again, body=ADD)
        self.assertEqual([each["http_code"] for each in facts], [200, 404, 200])
        self.assertEqual([each["num_connects"] for each in facts], [1, 0, 0])
        self.assertTrue(content.startswith(json.dumps(SUM, separators=(",", ":"))), content)
        self.assertTrue(content.endswith(json.dumps(reply(2, 2), separators=(",", ":"))), content)

    def test_health_is_told(self):
        content, facts = self.curl(f"{self.root}/healthz")
        self.assertEqual((facts[0]["http_code"], content), (200, "ok\n"))
        self.assertEqual(self.status("--head", f"{self.root}/healthz"), 200)

    def test_options_tell_what_is_allowed(self):
        head, facts = self.curl("--include", "--request", "OPTIONS", self.rpc)
        self.assertEqual(facts[0]["http_code"], 204)
        self.assertIn("\nAllow: POST, OPTIONS\n", head)
        asks = ["--header", "Origin: https://example.org", "--header", "Access-Control-Request-Method: POST"]
        head, _ = self.curl("--include", "--request", "OPTIONS", *asks, self.rpc)
        self.assertIn("\nAccess-Control-Allow-Origin: https://example.org\n", head)

    def test_what_is_wrong_has_its_status(self):
        post = [*TYPE, "--data", "{}"]
        for status, arguments in (
            (400, [*post, "--header", "Content-Length: 1, 2", self.rpc]),
            (403, [*post, "--header", "Origin: https://example.net", self.rpc]),
            (404, [*post, f"{self.root}/nowhere"]),
            (405, [self.rpc]),
            (405, [*post, "--request", "PUT", self.rpc]),
            (414, [f"{self.root}/{'x' * 9000}"]),
            (415, ["--data", "{}", self.rpc]),
            (431, [f"{self.root}/healthz", "--header", f"X-Long: {'x' * 20000}"]),
            # No web page reaches a Unix socket, whatever name it has for it.
            (200 if self.way else 403, [*post, "--header", "Host: example.net", self.rpc]),
        ):
            with self.subTest(status=status, arguments=[each[:40] for each in arguments]):
                self.assertEqual(self.status(*arguments), status)

    def test_progress_comes_as_events_before_the_reply(self):
        stream, facts = self.post(call("count", {"to": 3}), "--header", "Accept: text/event-stream")
        self.assertEqual(facts["content_type"], "text/event-stream")
        *progress, last = events(stream)
        self.assertEqual([each["params"]["value"] for each in progress], [1, 2, 3])
        self.assertEqual(last, reply({"counted": 3}))

    def test_who_wants_json_alone_gets_no_events(self):
        content, facts = self.post(call("count", {"to": 3}), "--header", "Accept: application/json")
        self.assertEqual((facts["content_type"], json.loads(content)), ("application/json", reply({"counted": 3})))

    # If it went on, the server would not end in time.
    def test_an_event_comes_at_once_and_who_goes_away_cancels(self):
        hours = json.dumps(call("count", {"to": 1_000_000, "ms": 20}))
        run = subprocess.Popen([*CURL, *self.way, "--no-buffer", *TYPE, "--data-binary", hours, self.rpc],
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        with run:
            self.assertEqual(run.stdout.readline(), "event: message\n")
            self.assertEqual(json.loads(run.stdout.readline().removeprefix("data: "))["params"]["value"], 1)
            self.assertIsNone(run.poll())
            before = self.server.descriptors()
            run.kill()
        wait_until(lambda: self.server.descriptors() < before, "the end of the connection")
        ended = wait_until(lambda: [line for line in self.server.said if '"/rpc"' in line], "its line in the log")
        self.assertEqual(json.loads(ended[0])["status"], 200)


class OverUnixSocket(OverTcp):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = os.path.join(folder.name, "http")
        self.server = Server(ECHO, "--http", "127.0.0.1:0", "--http-unix", path, "--unix-mode", "660",
                             "--allow-origin", "https://example.org", "--access-log", "-", addresses=2)
        self.addCleanup(self.server.stop)
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o660)
        self.way = ["--unix-socket", path]
        self.root = "http://localhost"
        self.rpc = f"{self.root}/rpc"


if __name__ == "__main__":
    ECHO = sys.argv.pop()
    unittest.main()
