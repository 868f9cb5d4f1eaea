"""An MCP server (2026-07-28) on standard input and output that writes down what it runs.

    recording_server.py FILE [endless]

Its tools `look` (which only reads) and `act` wait for `seconds` and answer with `key`; `count` tells of progress first, and
`peer` answers with who has asked. FILE gets a line "begin TOOL KEY" and, unless the call is cancelled, "end TOOL KEY" for
each; each line is one write, so that servers can share the file. With "endless" its list of tools has no last page, and a
number that few readers take."""

import asyncio
import json
import os
import sys

TOOLS = [
    {"name": "look", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": True}},
    {"name": "act", "inputSchema": {"type": "object"}},
    {"name": "count", "inputSchema": {"type": "object"}},
    {"name": "peer", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": True}},
]


class Server:
    def __init__(self, path, has_endless_list):
        self.has_endless_list, self.pages = has_endless_list, 0
        self.record = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        self.calls = {}

    def note(self, what, tool, key):
        os.write(self.record, f"{what} {tool} {key}\n".encode())

    @staticmethod
    def send(message):
        sys.stdout.write(json.dumps(message) + "\n")
        sys.stdout.flush()

    def reply(self, request, result):
        self.send({"jsonrpc": "2.0", "id": request["id"], "result": result})

    def reply_strangely(self, request):
        self.pages += 1
        tools = '[{"name":"look","inputSchema":{"maximum":1e400},"annotations":{"readOnlyHint":true}}]'
        sys.stdout.write(f'{{"jsonrpc":"2.0","id":{json.dumps(request["id"])},'
                         f'"result":{{"tools":{tools},"nextCursor":"{self.pages}"}}}}\n')
        sys.stdout.flush()

    async def call(self, request):
        tool, arguments = request["params"]["name"], request["params"]["arguments"]
        meta = request["params"]["_meta"]
        self.note("begin", tool, arguments["key"])
        try:
            await asyncio.sleep(arguments["seconds"])
            for number in range(20 if tool == "count" else 0):
                self.send({"jsonrpc": "2.0", "method": "notifications/progress",
                           "params": {"progressToken": meta["progressToken"], "progress": number}})
            self.note("end", tool, arguments["key"])
            text = json.dumps(meta.get("partyline/peer")) if tool == "peer" else arguments["key"]
            self.reply(request, {"content": [{"type": "text", "text": text}]})
        finally:
            self.calls.pop(request["id"], None)

    def take(self, message):
        method = message.get("method")
        if method == "tools/call":
            self.calls[message["id"]] = asyncio.ensure_future(self.call(message))
        elif method == "tools/list":
            self.note("list", "-", "-")
            if self.has_endless_list:
                self.reply_strangely(message)
                return
            self.reply(message, {"tools": TOOLS, "ttlMs": 0, "cacheScope": "private"})
        elif method == "notifications/cancelled":
            call = self.calls.get(message["params"]["requestId"])
            if call:
                call.cancel()
        elif "id" in message:
            error = {"code": -32601, "message": "Method not found"}
            self.send({"jsonrpc": "2.0", "id": message["id"], "error": error})

    async def run(self):
        reader = asyncio.StreamReader(limit=1 << 22)
        await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
        while line := await reader.readline():
            self.take(json.loads(line))
        await asyncio.gather(*self.calls.values(), return_exceptions=True)


asyncio.run(Server(sys.argv[1], "endless" in sys.argv[2:]).run())
