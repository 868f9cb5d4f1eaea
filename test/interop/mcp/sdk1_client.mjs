// The official SDK 1 as the client of a server on stdio, over HTTP or by WebSocket at that path, which is the newest
// revision of the handshake era.
//   node sdk1_client.mjs PACKAGES [--http | --websocket PATH] SERVER ARGUMENTS...

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { answer, capabilities, talk } from './client_talk.mjs';
import { reach } from './http_server.mjs';

const [packages, ...server] = process.argv.slice(2);
const require = createRequire(join(packages, 'package.json'));
const { Client } = require('@modelcontextprotocol/sdk/client/index.js');
const { StdioClientTransport: Stdio } = require('@modelcontextprotocol/sdk/client/stdio.js');
const { StreamableHTTPClientTransport: Http } = require('@modelcontextprotocol/sdk/client/streamableHttp.js');
const { WebSocketClientTransport: WebSocket } = require('@modelcontextprotocol/sdk/client/websocket.js');
const { ElicitRequestSchema } = require('@modelcontextprotocol/sdk/types.js');

globalThis.WebSocket ??= require('ws').WebSocket; // which the SDK takes from Node, where that is new enough to have it
const client = new Client({ name: 'sdk1-client', version: '1.0.0' }, { capabilities });
client.setRequestHandler(ElicitRequestSchema, () => answer);
const { transport, end } = await reach(server, { Stdio, Http, WebSocket });
const call = (name, input, options) => client.callTool({ name, arguments: input }, undefined, options);
await talk(client, transport, client.connect(transport), call, end);
assert.ok(client.getServerVersion().name);
process.stdout.write('all as expected\n');
