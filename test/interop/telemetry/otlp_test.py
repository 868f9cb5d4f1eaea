"""opentelemetry-proto reads what we export: otlp_test.py ECHO TOOLS GATEWAY"""
import http.server
import json
import signal
import socket
import sys
import threading
import urllib.request

from google.protobuf import json_format
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest, ExportTraceServiceResponse
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

from observed_program import ObservedProgram

TRACE, PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"


class Collector(http.server.ThreadingHTTPServer):
    """Keeps the spans of all payloads, with those of their attributes that are texts."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.spans, self.resources, self.problems = [], [], []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}"

    def take(self, path, kind, body):
        assert path == "/v1/traces" and kind == "application/json", (path, kind)
        # Ids are hexadecimal in OTLP, and base64 in any other JSON of protobuf: what is read as such is as long.
        payload = json_format.Parse(body, ExportTraceServiceRequest())
        plain = json.loads(body)
        for resource, told in zip(payload.resource_spans, plain["resourceSpans"], strict=True):
            self.resources.append(texts(resource.resource.attributes))
            for scope, of in zip(resource.scope_spans, told["scopeSpans"], strict=True):
                assert scope.scope.name == "partyline" and scope.scope.version
                self.spans += zip(scope.spans, of["spans"], strict=True)


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        try:
            self.server.take(self.path, self.headers["Content-Type"],
                             self.rfile.read(int(self.headers["Content-Length"])))
        except Exception as problem:  # told by the test
            self.server.problems.append(problem)
        answer = json_format.MessageToJson(ExportTraceServiceResponse()).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


def texts(attributes):
    return {one.key: one.value.string_value or str(one.value.int_value) for one in attributes}


def request(number, method, params):
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params})


def check_span(span, told, name):
    assert span.name == name, (span.name, name)
    assert span.kind == Span.SPAN_KIND_SERVER
    assert span.start_time_unix_nano <= span.end_time_unix_nano
    assert len(bytes.fromhex(told["traceId"])) == 16 and len(bytes.fromhex(told["spanId"])) == 8
    return texts(span.attributes)


def ask_echo(echo, collector):
    with ObservedProgram([echo, "--otlp", collector.url()]) as program:
        program.ask(request(1, "echo", {"_meta": {"traceparent": f"00-{TRACE}-{PARENT}-01", "tracestate": "a=b"}}))
        program.ask(request(2, "no_such", [1]))
        program.ask(request(3, "\u202e\"\\\n\ud83d\ude00" * 100, [1]))
        program.end()
    first, second, third = collector.spans
    assert first[1]["traceId"] == TRACE and first[1]["parentSpanId"] == PARENT and first[0].trace_state == "a=b"
    assert check_span(*first, "echo")["jsonrpc.request.id"] == "1"
    assert check_span(*second, "no_such")["error.type"] == "-32601"
    assert second[0].status.code == Status.STATUS_CODE_ERROR
    assert len(third[0].name) < 300
    assert collector.resources[0]["service.name"] == "partyline-echo"


def ask_tools(tools, collector):
    with ObservedProgram([tools, "--root", ".", "--otlp", collector.url()]) as program:
        meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
                "io.modelcontextprotocol/clientCapabilities": {}}
        for number in range(1000):
            program.ask(request(number, "tools/call", {"name": "read_lines", "arguments": {"path": "/no/such"},
                                                       "_meta": meta}))
        program.end()
    assert len(collector.spans) == 1000, len(collector.spans)
    attributes = check_span(*collector.spans[0], "tools/call read_lines")
    assert attributes["mcp.method.name"] == "tools/call" and attributes["gen_ai.tool.name"] == "read_lines"
    assert attributes["error.type"] == "tool_error", attributes
    assert attributes["mcp.protocol.version"] == "2026-07-28", attributes


def check_chain(collector, kinds):
    """Each span is the parent of the next one, from the sender's on."""
    by_parent = {told["parentSpanId"]: (span, told) for span, told in collector.spans}
    assert len(by_parent) == len(collector.spans) == len(kinds), collector.spans
    parent = PARENT
    for kind in kinds:
        span, told = by_parent[parent]
        assert span.kind == kind and told["traceId"] == TRACE, (kind, told)
        parent = told["spanId"]


def end_of(program):
    program.process.send_signal(signal.SIGTERM)
    program.process.wait(20)


def ask_gateway(gateway, echo, collector):
    """The spans of all who took part in a call are one chain, the gateway's call to its server among them."""
    otlp = ["--otlp", collector.url()]
    with ObservedProgram([gateway, "--http", "0", "--share", *otlp, "--", echo, *otlp]) as program:
        fields = {"Content-Type": "application/json", "traceparent": f"00-{TRACE}-{PARENT}-01"}
        url = program.url_of("listening on") + "/rpc"
        body = request(1, "add", {"a": 2, "b": 40}).encode()
        with urllib.request.urlopen(urllib.request.Request(url, body, fields), timeout=20) as answer:
            assert json.load(answer)["result"] == 42
        end_of(program)
    check_chain(collector, [Span.SPAN_KIND_SERVER, Span.SPAN_KIND_CLIENT, Span.SPAN_KIND_SERVER])


def ask_back(gateway, echo, collector):
    """So is what the server asks its client meanwhile, who is told the last span of the chain."""
    otlp = ["--otlp", collector.url()]
    with ObservedProgram([gateway, "--listen", "0", *otlp, "--", echo, *otlp]) as program:
        host, port = program.url_of("listening on").rsplit(":", 1)
        with socket.create_connection((host, int(port)), timeout=20) as line, line.makefile("rw") as text:
            def say(message):
                text.write(message + "\n")
                text.flush()

            meta = {"traceparent": f"00-{TRACE}-{PARENT}-01"}
            say(request(1, "call_back", {"method": "sum_of", "params": {"a": 1}, "_meta": meta}))
            asked = json.loads(text.readline())
            assert asked["method"] == "sum_of" and asked["params"]["a"] == 1, asked
            say(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "error": {"code": 7, "message": "no"}}))
            assert json.loads(text.readline())["error"]["code"] == 7
        end_of(program)
    check_chain(collector, [Span.SPAN_KIND_SERVER, Span.SPAN_KIND_CLIENT] * 2)
    told_span = asked["params"]["_meta"]["traceparent"].split("-")[2]
    own = next(span for span, told in collector.spans if told["spanId"] == told_span)
    assert own.name == "sum_of" and texts(own.attributes)["error.type"] == "7", own


def main(echo, tools, gateway):
    for ask in (lambda to: ask_echo(echo, to), lambda to: ask_tools(tools, to), lambda to: ask_gateway(gateway, echo, to),
                lambda to: ask_back(gateway, echo, to)):
        collector = Collector()
        ask(collector)
        assert not collector.problems, collector.problems


if __name__ == "__main__":
    main(*sys.argv[1:])
