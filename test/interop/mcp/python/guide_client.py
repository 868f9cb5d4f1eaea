"""The official SDK for Python as the client of the guide's MCP server, in each way to find the revision.

python guide_client.py SERVER
"""

import sys

import anyio
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp_types import ElicitResult

PATIENCE = 60  # seconds for all of it


def expect_equal(found, expected):
    if found != expected:
        raise AssertionError(f"found {found!r}, expected {expected!r}")


def text_of(result):
    return "".join(block.text for block in result.content)


class User:
    def __init__(self):
        self.asked = []
        self.accepts = True

    async def answer(self, _context, params):
        self.asked.append(params.message)
        return ElicitResult(action="accept", content={"yes": True}) if self.accepts else ElicitResult(action="decline")


async def use(client, user):
    tools = (await client.list_tools()).tools
    expect_equal([tool.name for tool in tools], ["repeat", "add"])
    expect_equal(tools[0].input_schema["properties"]["times"]["default"], 2)
    expect_equal(text_of(await client.call_tool("repeat", {"text": "so"})), "so so ")
    expect_equal((await client.call_tool("add", {"a": 2, "b": 40})).structured_content, {"result": 42})
    expect_equal((await client.call_tool("repeat", {"text": "so", "times": 0})).is_error, True)

    expect_equal(text_of(await client.call_tool("repeat", {"text": "x", "times": 11})), "x " * 11)
    user.accepts = False
    expect_equal(text_of(await client.call_tool("repeat", {"text": "x", "times": 11})), "It was not said.")
    expect_equal(user.asked, ["So often?"] * 2)

    help_text = (await client.read_resource("repeater://help")).contents[0].text
    expect_equal(help_text, "Ask it to repeat something.")


async def main(command):
    server = StdioServerParameters(command=command)
    for mode in ("legacy", "auto", "2026-07-28"):
        user = User()
        with anyio.fail_after(PATIENCE):
            async with Client(server, mode=mode, elicitation_callback=user.answer) as client:
                expect_equal(client.protocol_version, "2025-11-25" if mode == "legacy" else "2026-07-28")
                await use(client, user)
    print("all as expected")


def first_of(error):
    return first_of(error.exceptions[0]) if isinstance(error, BaseExceptionGroup) else error


if len(sys.argv) != 2:
    sys.exit("usage: python guide_client.py SERVER")
try:
    anyio.run(main, sys.argv[1])
except Exception as error:
    sys.exit(repr(first_of(error)))
