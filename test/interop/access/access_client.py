"""The official SDK for Python as a client of servers with an access file, in the revisions of both eras.

See with_access.py: python access_client.py URL...
"""

import os
import sys

import anyio
import httpx2
from mcp import MCPError
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

PATIENCE = 60  # seconds for all of it
READER, WRITER = os.environ["READER"], os.environ["WRITER"]
FILES = {"files": ["notes.txt"]}


def expect_equal(found, expected):
    if found != expected:
        raise AssertionError(f"found {found!r}, expected {expected!r}")


async def talk(url, mode, token, say):
    fields = {"Authorization": f"Bearer {token}"} if token else {}
    async with httpx2.AsyncClient(headers=fields) as http:
        async with Client(streamable_http_client(url, http_client=http), mode=mode) as client:
            await say(client)


def first_of(error):
    return first_of(error.exceptions[0]) if isinstance(error, BaseExceptionGroup) else error


async def failure(work):
    try:
        await work
    except Exception as error:  # pylint: disable=broad-except  # it is looked at
        error = first_of(error)
        if not isinstance(error, MCPError):
            raise AssertionError(f"it fails by {error!r}") from error
        return error.error.code, error.error.message, error.error.data
    raise AssertionError("it should fail")


async def names_of(client):
    return sorted(tool.name for tool in (await client.list_tools()).tools)


async def read(client):
    expect_equal(await names_of(client), ["hash_files", "wait"])
    expect_equal((await client.call_tool("wait", {"seconds": 0})).is_error, False)
    hidden = await failure(client.call_tool("search_files", {}))
    unknown = await failure(client.call_tool("search_filez", {}))
    expect_equal(hidden[0], -32602)
    expect_equal((hidden[0], hidden[1].replace("search_files", "search_filez")), unknown[:2])
    expect_equal(await failure(client.call_tool("hash_files", FILES)),
                 (-31003, "Insufficient scope", {"required": ["files:write"]}))
    expect_equal((await client.call_tool("wait", {"seconds": 0})).is_error, False)  # it goes on


async def write(client):
    expect_equal(await names_of(client), ["hash_files", "search_files", "wait"])
    expect_equal((await client.call_tool("hash_files", FILES)).is_error, False)


async def main(urls):
    with anyio.fail_after(PATIENCE):
        for url in urls:
            for mode in ("legacy", "2026-07-28"):
                await talk(url, mode, READER, read)
                await talk(url, mode, WRITER, write)
                for token in (None, READER + "x"):  # as the SDK says it, which takes no error without an id
                    refused = await failure(talk(url, mode, token, names_of))
                    expect_equal(refused, (-32603, "Server returned an error response", None))
    print("all as expected")


anyio.run(main, sys.argv[1:])
