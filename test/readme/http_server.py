"""Starts README's server over HTTP and calls it."""
import http.client
import json
import subprocess
import sys

server = subprocess.Popen([sys.argv[1]], stderr=subprocess.PIPE, text=True)
try:
    address = server.stderr.readline().removeprefix("listening on ").strip()
    connection = http.client.HTTPConnection(address, timeout=20)
    call = {"jsonrpc": "2.0", "id": 1, "method": "slow_add", "params": {"a": 2, "b": 40}}
    connection.request("POST", "/rpc", json.dumps(call), {"Content-Type": "application/json"})
    reply = connection.getresponse()
    events = [json.loads(line.removeprefix("data: ")) for line in reply.read().decode().splitlines()
              if line.startswith("data: ")]
    assert reply.status == 200, reply.status
    assert events[0]["params"]["value"] == "almost there", events
    assert events[1] == {"jsonrpc": "2.0", "id": 1, "result": 42}, events
    connection.request("POST", "/rpc", json.dumps(call), {"Content-Type": "application/json", "Accept": "application/json"})
    assert json.load(connection.getresponse())["result"] == 42
finally:
    server.terminate()
    server.wait()
