"""The official SDK for Python as the client of a server on stdio or over HTTP.

python client.py MODE [--http] SERVER ARGUMENTS...
MODE is how it finds the revision: legacy (it begins with the handshake), auto (it asks) or a revision.
"""

import os
import subprocess
import sys
import tempfile
import time

import anyio
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp_types import ElicitResult

PATIENCE = 60  # seconds for all of it
SIMPLE_TEXT = "This is a simple text response for testing."


def expect(is_so, what):
    if not is_so:
        raise AssertionError(what)


def expect_equal(found, expected):
    expect(found == expected, f"found {found!r}, expected {expected!r}")


def text_of(result):
    return "".join(block.text for block in result.content)


async def answer(_context, _params):
    return ElicitResult(action="accept", content={"username": "testuser", "email": "test@example.com"})


async def call_tools(client):
    names = {tool.name for tool in (await client.list_tools()).tools}
    missing = {"test_simple_text", "test_tool_with_progress", "test_error_handling", "slow"} - names
    expect(not missing, f"not listed: {missing}")
    expect_equal(text_of(await client.call_tool("test_simple_text")), SIMPLE_TEXT)
    failed = await client.call_tool("test_error_handling")
    expect(failed.is_error, "the tool should fail")
    expect_equal(text_of(failed), "This tool intentionally returns an error for testing")


async def see_progress(client):
    seen = []

    async def on_progress(progress, total, _message):
        seen.append((progress, total))

    await client.call_tool("test_tool_with_progress", progress_callback=on_progress)
    expect(len(seen) >= 2, f"{len(seen)} times progress, expected 3")
    expect(all(total == 100 for _, total in seen), f"totals of {seen}")
    expect_equal(sorted(set(seen)), seen)


async def cancel(client, heard):
    with anyio.CancelScope() as scope:

        async def on_progress(_progress, _total, _message):
            scope.cancel()

        await client.call_tool("slow", {"steps": 200, "ms": 50}, progress_callback=on_progress)
    expect(scope.cancelled_caught, "the call should be cancelled")
    expect_equal(text_of(await client.call_tool("test_simple_text")), SIMPLE_TEXT)
    # What was on its way has come soon after that.
    await anyio.sleep(0.1)
    before = len(heard)
    await anyio.sleep(0.2)
    expect_equal(heard[before:], [])


async def read_rest(client):
    read = await client.read_resource("test://static-text")
    expect_equal(read.contents[0].text, "This is the content of the static text resource.")
    prompt = await client.get_prompt("test_prompt_with_arguments", {"arg1": "one", "arg2": "two"})
    expect_equal(prompt.messages[0].content.text, "Prompt with arguments: arg1='one', arg2='two'")


async def elicit(client):
    said = text_of(await client.call_tool("test_elicitation", {"message": "Who are you?"}))
    expect("action=accept" in said and "testuser" in said, said)


async def talk(mode, server):
    heard = []  # notifications, and what is none, as exceptions

    async def on_message(message):
        heard.append(message)

    async with Client(server, mode=mode, elicitation_callback=answer, message_handler=on_message) as client:
        expect_equal(client.protocol_version, "2025-11-25" if mode == "legacy" else "2026-07-28")
        await call_tools(client)
        await see_progress(client)
        await cancel(client, heard)
        await read_rest(client)
        await elicit(client)
        expect_equal([message for message in heard if isinstance(message, Exception)], [])
        return time.monotonic()


async def main_http(mode, command):
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        address = server.stderr.readline().removeprefix("listening on ").strip()
        if "--tls-certificate" in command:
            address = address.replace("127.0.0.1", "https://localhost")  # as its certificate says
        with anyio.fail_after(PATIENCE):
            await talk(mode, f"{address}/mcp")
    finally:
        server.terminate()
        server.communicate(timeout=PATIENCE)
    print("all as expected")


async def main(mode, command):
    # The SDK does not tell how the server has ended, so a shell writes it down.
    with tempfile.TemporaryDirectory() as folder, anyio.fail_after(PATIENCE):
        exit_code = os.path.join(folder, "exit_code")
        script = 'file=$1; shift; "$@"; echo $? >"$file"'
        server = StdioServerParameters(command="sh", args=["-c", script, "sh", exit_code, *command])
        done = await talk(mode, server)
        expect(os.path.exists(exit_code), "the server did not end by itself")
        with open(exit_code, encoding="utf-8") as file:
            expect_equal(file.read(), "0\n")
    expect(time.monotonic() - done < 1.9, "the server took too long to end")
    print("all as expected")


def first_of(error):
    return first_of(error.exceptions[0]) if isinstance(error, BaseExceptionGroup) else error


if len(sys.argv) < 3:
    sys.exit("usage: python client.py MODE [--http] SERVER ARGUMENTS...")
try:
    if sys.argv[2] == "--http":
        anyio.run(main_http, sys.argv[1], sys.argv[3:])
    else:
        anyio.run(main, sys.argv[1], sys.argv[2:])
except Exception as error:
    sys.exit(repr(first_of(error)))
