"""Calls at a fixed rate over keep-alive connections of HTTP, and what became of each."""

import asyncio
import collections
import dataclasses
import json
import time

META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "load", "version": "1.0"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
SERVER_BUSY = -31001
WORKER_LOST = -31004


@dataclasses.dataclass
class Call:
    key: str
    tool: str
    seconds: float
    outcome: str = "unanswered"  # answered, refused, lost, broken, or what else has come
    took: float = 0.0


class Connection:
    """One connection; it is broken where it fails, or where more comes than one answer for each request."""

    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer
        self.is_last = False
        self.fields = ()  # of each request, besides those that it needs

    def has_surplus(self):
        return bool(self.reader._buffer)  # pylint: disable=protected-access

    async def ask(self, method, name, params, has_meta=True):
        params = {**params, "_meta": META} if has_meta else params
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
        fields = ["POST /mcp HTTP/1.1", "Host: 127.0.0.1", "Content-Type: application/json",
                  "Accept: application/json, text/event-stream", f"Content-Length: {len(body)}", *self.fields]
        if has_meta:
            fields += ["MCP-Protocol-Version: 2026-07-28", f"Mcp-Method: {method}"]
        if name:
            fields.append(f"Mcp-Name: {name}")
        self.writer.write("\r\n".join(fields).encode() + b"\r\n\r\n" + body)
        await self.writer.drain()
        return await self.read_answer()

    async def read_answer(self):
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode().lower()
        fields = dict(line.split(": ", 1) for line in head.split("\r\n")[1:] if ": " in line)
        self.is_last = fields.get("connection") == "close"
        if fields.get("transfer-encoding") == "chunked":
            body = await self.read_chunks()
        else:
            body = await self.reader.readexactly(int(fields["content-length"]))
        return int(head.split()[1]), body

    async def read_chunks(self):
        body = b""
        while size := int((await self.reader.readline()).split(b";")[0], 16):
            body += await self.reader.readexactly(size)
            await self.reader.readline()
        await self.reader.readline()
        return body


def reply_in(body):
    """The reply in a body of JSON or of events; empty where there is none, as in a proxy's own answer."""
    for line in reversed(body.decode().splitlines()):
        text = line.removeprefix("data:").strip()
        if text.startswith("{"):
            message = json.loads(text)
            if "result" in message or "error" in message:
                return message
    return {}


class Load:
    def __init__(self, port, patience):
        self.port, self.patience = port, patience
        self.idle = collections.deque()
        self.calls = []
        self.answered_twice = 0

    async def connection(self):
        while self.idle:
            one = self.idle.popleft()
            if one.has_surplus():
                self.answered_twice += 1
            elif not one.reader.at_eof():
                return one
        return Connection(*await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 22))

    def keep(self, one):
        if one.is_last:
            one.writer.close()
        else:
            self.idle.append(one)

    async def ask(self, method, name, params):
        one = await self.connection()
        try:
            status, body = await one.ask(method, name, params)
        except BaseException:
            one.writer.close()
            raise
        self.keep(one)
        return status, reply_in(body)

    async def make(self, call):
        begun = time.monotonic()
        params = {"name": call.tool, "arguments": {"key": call.key, "seconds": call.seconds}}
        try:
            call.outcome = self.outcome_of(call, *await asyncio.wait_for(
                self.ask("tools/call", call.tool, params), self.patience))
        except (OSError, EOFError, asyncio.IncompleteReadError):
            call.outcome = "broken"
        except asyncio.TimeoutError:
            pass
        call.took = time.monotonic() - begun

    @staticmethod
    def outcome_of(call, status, reply):
        if "result" in reply:
            text = reply["result"]["content"][0]["text"]
            return "answered" if text == call.key else f"the answer of another call: {text}"
        code = reply.get("error", {}).get("code")
        if code == WORKER_LOST:
            return "lost"
        if code == SERVER_BUSY:
            return "refused"
        if reply:
            return f"{status} {json.dumps(reply['error'])}"
        return "refused" if status == 503 else "broken"  # by a proxy: there was no front to ask, or that has gone

    async def run(self, seconds, rate, long_seconds):
        """Every second call is not idempotent, and every tenth takes `long_seconds`."""
        loop, begun, tasks = asyncio.get_running_loop(), time.monotonic(), []
        for number in range(int(seconds * rate)):
            await asyncio.sleep(max(0.0, begun + number / rate - time.monotonic()))
            tool = "act" if number % 2 else "look"
            length = long_seconds if number // 2 % 10 == 0 else 0.02
            self.calls.append(Call(f"call-{number}", tool, length))
            tasks.append(loop.create_task(self.make(self.calls[-1])))
        await asyncio.gather(*tasks)
        for one in self.idle:
            self.answered_twice += one.has_surplus()
            one.writer.close()
