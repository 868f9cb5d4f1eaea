"""The official SDK for Python logs in: see login_test.mjs.

python login_client.py, with the variables URL, ISSUER and SECRET of the client "alice"
"""

import os

import anyio
import httpx2
from mcp.client.auth.extensions.client_credentials import ClientCredentialsOAuthProvider
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

PATIENCE = 60  # seconds for all of it
URL = os.environ["URL"]


class Storage:
    """Keeps the tokens of one client."""

    tokens = info = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.info

    async def set_client_info(self, info):
        self.info = info


async def talk(mode):
    login = ClientCredentialsOAuthProvider(URL, Storage(), "alice", os.environ["SECRET"], issuer=os.environ["ISSUER"])
    async with httpx2.AsyncClient(auth=login) as http:
        async with Client(streamable_http_client(URL, http_client=http), mode=mode) as client:
            assert len((await client.list_tools()).tools) == 2
            assert not (await client.call_tool("wait", {"seconds": 0})).is_error
            assert not (await client.call_tool("hash_files", {"files": ["access.json"]})).is_error


async def main():
    with anyio.fail_after(PATIENCE):
        for mode in ("legacy", "2026-07-28"):
            await talk(mode)


anyio.run(main)
