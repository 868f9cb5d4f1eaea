import sys

from pylsp_jsonrpc.endpoint import Endpoint
from pylsp_jsonrpc.streams import JsonRpcStreamReader, JsonRpcStreamWriter


def main():
    reader = JsonRpcStreamReader(sys.stdin.buffer)
    writer = JsonRpcStreamWriter(sys.stdout.buffer)
    endpoint = Endpoint({"echo": lambda params: params}, writer.write)
    reader.listen(endpoint.consume)
    endpoint.shutdown()


main()
