"""An MCP server on standard input and output, up to 2025-11-25 and of 2026-07-28, with what lasts longer than a call.

    lasting_server.py FILE

Its tools: `where` answers with the number of the process, `peer` with who has asked; `ask` asks the user, and answers with
what that did; `count` tells of progress; `say` writes a line for the client's log; `change` tells who wants to hear it that
the tools and their resources have changed; `wait` never answers. FILE gets the lines "begin PID", "wait PID" where such a
call has come, "cancel PID" where it was cancelled, and "end PID" when input has ended."""

import json
import os
import sys

LISTEN = "subscriptions/listen"
UPDATED = "notifications/resources/updated"
LIST_CHANGED = "notifications/tools/list_changed"
TOOLS = ["where", "peer", "ask", "count", "say", "change", "wait"]
CAPABILITIES = {"tools": {"listChanged": True}, "resources": {"subscribe": True}, "logging": {}}
INFO = {"name": "lasting", "version": "1"}


def subscription(request_id, **params):
    return {**params, "_meta": {"io.modelcontextprotocol/subscriptionId": request_id}}


class Server:
    def __init__(self, path):
        self.record = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        self.watched, self.listens, self.asked = set(), {}, {}
        self.has_session = False

    def note(self, what):
        os.write(self.record, f"{what} {os.getpid()}\n".encode())

    @staticmethod
    def send(**message):
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        sys.stdout.flush()

    def tell(self, method, params):
        self.send(method=method, params=params)

    def reply_text(self, request_id, text):
        self.send(id=request_id, result={"content": [{"type": "text", "text": text}]})

    def call(self, request_id, params):
        tool = params["name"]
        if tool == "where":
            return self.reply_text(request_id, str(os.getpid()))
        if tool == "peer":
            return self.reply_text(request_id, json.dumps(params["_meta"].get("partyline/peer")))
        if tool == "ask":
            self.asked[f"question {request_id}"] = request_id
            return self.send(id=f"question {request_id}", method="elicitation/create", params={
                "message": "Well?", "requestedSchema": {"type": "object", "properties": {}}})
        if tool == "wait":
            return self.note("wait")
        if tool == "count":
            for number in range(5):
                self.tell("notifications/progress",
                          {"progressToken": params["_meta"]["progressToken"], "progress": number})
        if tool == "say":
            self.tell("notifications/message", {"level": "info", "data": "said"})
        if tool == "change":
            self.tell_of_change()
        return self.reply_text(request_id, tool)

    def tell_of_change(self):
        if self.has_session:
            self.tell(LIST_CHANGED, {})
        for uri in self.watched:
            self.tell(UPDATED, {"uri": uri})
        for request_id, wanted in self.listens.items():
            if wanted.get("toolsListChanged"):
                self.tell(LIST_CHANGED, subscription(request_id))
            for uri in wanted.get("resourceSubscriptions", []):
                self.tell(UPDATED, subscription(request_id, uri=uri))

    def results(self, method, params):
        """The results of what is answered at once."""
        if method == "initialize":
            self.has_session = True
            return {"protocolVersion": params["protocolVersion"], "capabilities": CAPABILITIES, "serverInfo": INFO}
        if method == "server/discover":
            return {"supportedVersions": ["2026-07-28"], "capabilities": CAPABILITIES, "serverInfo": INFO}
        if method == "tools/list":
            tools = [{"name": tool, "inputSchema": {"type": "object"}} for tool in TOOLS]
            return {"tools": tools, "ttlMs": 0, "cacheScope": "private"}
        if method == "resources/subscribe":
            self.watched.add(params["uri"])
        if method == "resources/unsubscribe":
            self.watched.discard(params["uri"])
        known = ("ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe")
        return {} if method in known else None

    def take(self, message):
        method, params, request_id = message.get("method"), message.get("params", {}), message.get("id")
        if method == "tools/call":
            self.call(request_id, params)
        elif method == LISTEN:
            self.listens[request_id] = params["notifications"]
            self.tell("notifications/subscriptions/acknowledged",
                      subscription(request_id, notifications=params["notifications"]))
        elif method == "notifications/cancelled":
            if self.listens.pop(params["requestId"], None) is None:
                self.note("cancel")
        elif method is None:
            self.reply_text(self.asked.pop(request_id), message["result"]["action"])
        elif request_id is not None:
            result = self.results(method, params)
            answer = {"result": result} if result is not None else {"error": {"code": -32601, "message": "Method not found"}}
            self.send(id=request_id, **answer)

    def run(self):
        self.note("begin")
        for line in sys.stdin:
            self.take(json.loads(line))
        self.note("end")


Server(sys.argv[1]).run()
