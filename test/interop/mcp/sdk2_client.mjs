// The official SDK 2 as the client of a server on stdio or over HTTP.
//   node sdk2_client.mjs PACKAGES MODE [--http] SERVER ARGUMENTS...
// MODE is how it finds the revision: legacy (it begins with the handshake), auto (it asks) or a revision.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { answer, capabilities, talk } from './client_talk.mjs';
import { reach } from './http_server.mjs';

const [packages, mode, ...server] = process.argv.slice(2);
const require = createRequire(join(packages, 'package.json'));
const { Client, StreamableHTTPClientTransport: Http } = require('@modelcontextprotocol/client');
const { StdioClientTransport: Stdio } = require('@modelcontextprotocol/client/stdio');

const versionNegotiation = { mode: ['legacy', 'auto'].includes(mode) ? mode : { pin: mode } };
const client = new Client({ name: 'sdk2-client', version: '1.0.0' }, { capabilities, versionNegotiation });
client.setRequestHandler('elicitation/create', () => answer);
const { transport, end } = await reach(server, { Stdio, Http });
const call = (name, input, options) => client.callTool({ name, arguments: input }, options);
const connected = client.connect(transport).then(() => {
    assert.equal(client.getNegotiatedProtocolVersion(), mode === 'legacy' ? '2025-11-25' : '2026-07-28');
});
await talk(client, transport, connected, call, end);
process.stdout.write('all as expected\n');
