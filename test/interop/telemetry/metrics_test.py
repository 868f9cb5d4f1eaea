"""promtool reads our metrics, and finds nothing to complain about: metrics_test.py ECHO TOOLS"""
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


def main(echo, tools):
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


if __name__ == "__main__":
    main(*sys.argv[1:])
