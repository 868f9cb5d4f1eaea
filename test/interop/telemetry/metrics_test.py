"""promtool reads our metrics, and finds nothing to complain about: metrics_test.py ECHO TOOLS GATEWAY"""
import json
import subprocess
import sys
import urllib.request

from observed_program import ObservedProgram


def check(url):
    with urllib.request.urlopen(url, timeout=20) as answer:
        assert answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8", answer.headers
        text = answer.read()
    judged = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, timeout=60)
    said = (judged.stdout + judged.stderr).decode()
    assert judged.returncode == 0 and not said, said + text.decode()
    return text.decode()


def request(number, method, params):
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params})


def post(url, message):
    call = urllib.request.Request(url, message.encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(call, timeout=20) as answer:
        return json.load(answer)


def check_gateway(gateway, echo):
    with ObservedProgram([gateway, "--http", "0", "--metrics", "0", "--share", "--", echo]) as program:
        metrics, url = program.url_of("metrics on"), program.url_of("listening on")
        assert post(url + "/rpc", request(1, "add", [2, 40]))["result"] == 42
        post(url + "/rpc", request(2, "no_such", [1]))
        text = check(metrics)
        assert 'partyline_requests_total{method="other",outcome="result"} 1' in text, text
        assert "add" not in text and "no_such" not in text, text  # names that peers have said


def main(echo, tools, gateway):
    with ObservedProgram([echo, "--metrics", "0"]) as program:
        url = program.url_of("metrics on")
        check(url)  # of what has served nothing
        for number, method in enumerate(["echo", "add", "no_such", "\u0000\"\\\n{}"]):
            program.ask(request(number, method, [1, 2]))
        text = check(url)
        assert text.count('method="add"') == 1 + 13 + 2, text
        program.end()
    with ObservedProgram([tools, "--root", ".", "--metrics", "0"]) as program:
        url = program.url_of("metrics on")
        meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
                "io.modelcontextprotocol/clientCapabilities": {}}
        program.ask(request(1, "tools/list", {"_meta": meta}))
        program.ask(request(2, "tools/call", {"name": "no_such", "arguments": {}, "_meta": meta}))
        text = check(url)
        assert 'partyline_requests_total{method="tools/list",outcome="result"} 1' in text, text
        assert 'partyline_requests_total{method="tools/call",' in text, text
        program.end()
    check_gateway(gateway, echo)


if __name__ == "__main__":
    main(*sys.argv[1:])
