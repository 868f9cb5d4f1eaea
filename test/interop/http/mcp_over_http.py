"""A client of MCP over HTTP in its own words, so that each field, event and end of a connection is in a test's hands."""

import http.client
import json

from server_process import PATIENCE

HOST = "tools.example.org"  # what a proxy is asked for, and not what the server behind it answers to
MODERN = "2026-07-28"
PREFIX = "io.modelcontextprotocol/"
CLIENT = {"name": "proxy_test", "version": "1"}


class Answer:
    """The answer to one request, which has a connection of its own. Each wait for more of it has an end."""

    def __init__(self, port, method, body=None, fields=(), path="/mcp"):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        sent = {"Host": HOST, "Accept": "application/json, text/event-stream", **dict(fields)}
        if body is not None:
            sent["Content-Type"] = "application/json"
        self.connection.request(method, path, None if body is None else json.dumps(body), sent)
        self.response = None

    def __enter__(self):
        self.response = self.connection.getresponse()
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        if self.response:
            self.response.close()
        self.connection.close()

    @property
    def status(self):
        return self.response.status

    def field(self, name):
        return self.response.getheader(name)

    def json(self):
        return json.load(self.response)

    def events(self):
        """Each event as (id, message) as soon as it is there; the message is None where it has none."""
        last, data = None, ""
        while line := self.response.readline().decode():
            name, _, value = line.rstrip("\n").partition(": ")
            if name == "id":
                last = value
            elif name == "data":
                data = value
            elif not name:
                yield last, json.loads(data) if data else None
                data = ""

    def messages(self):
        return (message for _, message in self.events() if message)

    def reply(self):
        """The last message of a stream, or the whole answer."""
        if self.field("Content-Type") == "application/json":
            return self.json()
        return list(self.messages())[-1]


def request(id, method, params):
    return {"jsonrpc": "2.0", "id": id, "method": method, "params": params}


def call_of(id, tool, arguments, meta):
    return request(id, "tools/call", {"name": tool, "arguments": arguments, "_meta": {"progressToken": id, **meta}})


class Session:
    """One that begins with initialize."""

    def __init__(self, port, fields=()):
        self.port = port
        self.fields = dict(fields)
        about = {"protocolVersion": "2025-11-25", "capabilities": {"elicitation": {}}, "clientInfo": CLIENT}
        with self.post(request(0, "initialize", about)) as answer:
            self.greeting = answer.reply()["result"]
            self.fields |= {"Mcp-Session-Id": answer.field("Mcp-Session-Id"), "MCP-Protocol-Version": "2025-11-25"}
        self.tell("notifications/initialized")

    def post(self, message):
        return Answer(self.port, "POST", message, self.fields)

    def call(self, id, tool, arguments=None):
        return self.post(call_of(id, tool, arguments or {}, {}))

    def tell(self, method, params=None):
        self._send({"jsonrpc": "2.0", "method": method, **({"params": params} if params else {})})

    def answer(self, question, content):
        """What a user says to a question of the server."""
        self._send({"jsonrpc": "2.0", "id": question["id"], "result": {"action": "accept", "content": content}})

    def _send(self, message):
        with self.post(message) as answer:
            if answer.status != 202:
                raise AssertionError(f"{answer.status} for {message}")

    def listen(self, last_event=None):
        """The stream of what belongs to no request, or the one in which that event was."""
        resumed = {"Last-Event-ID": last_event} if last_event else {}
        return Answer(self.port, "GET", None, {**self.fields, **resumed})

    def delete(self):
        return Answer(self.port, "DELETE", None, self.fields)


def modern_call(port, id, tool, arguments, **fields):
    """A call in the revision that knows no sessions."""
    meta = {PREFIX + "protocolVersion": MODERN, PREFIX + "clientCapabilities": {}, PREFIX + "clientInfo": CLIENT}
    own = {"MCP-Protocol-Version": MODERN, "Mcp-Method": "tools/call", "Mcp-Name": tool}
    return Answer(port, "POST", call_of(id, tool, arguments, meta), {**own, **fields})
