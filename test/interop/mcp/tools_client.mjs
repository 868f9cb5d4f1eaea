// The official SDK 1 as a client of partyline-tools by WebSocket.
//   node tools_client.mjs PACKAGES PARTYLINE-TOOLS ARGUMENTS...

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { soon } from '../waiting.mjs';
import { reach } from './http_server.mjs';

const [packages, ...server] = process.argv.slice(2);
const require = createRequire(join(packages, 'package.json'));
const { Client } = require('@modelcontextprotocol/sdk/client/index.js');
const { WebSocketClientTransport: WebSocket } = require('@modelcontextprotocol/sdk/client/websocket.js');

globalThis.WebSocket ??= require('ws').WebSocket; // which the SDK takes from Node, where that is new enough to have it
const root = mkdtempSync(join(tmpdir(), 'partyline-tools-'));
process.once('exit', () => rmSync(root, { recursive: true, force: true }));
const options = ['--root', root, '--allow-command', 'sh'];
const { transport, end } = await reach(['--websocket', '/mcp/ws', ...server, ...options], { WebSocket });
const client = new Client({ name: 'tools-client', version: '1.0.0' });
const errors = [];
client.onerror = (error) => errors.push(error);

const run = (script, more) =>
    client.callTool({ name: 'run_command', arguments: { command: 'sh', arguments: ['-c', script] } }, undefined, more);

// Of a command that has no end of its own, told by its first line that it runs.
async function cancel() {
    const controller = new AbortController();
    const onprogress = ({ message }) => controller.abort(message);
    await assert.rejects(run('echo begun; exec sleep 600', { signal: controller.signal, onprogress }), /begun/);
}

await soon(client.connect(transport), 'the connection');
assert.equal(client.getServerVersion().name, 'partyline-tools');
const { tools } = await soon(client.listTools(), 'the tools');
assert.ok(tools.some(({ name }) => name === 'run_command'));
const results = await soon(Promise.all(Array.from({ length: 20 }, (_, i) => run(`echo ${i} > file${i}; cat file${i}`))), 'commands');
results.forEach(({ content: [{ text }], isError }, i) => assert.ok(!isError && text.includes(String(i)), text));
await soon(cancel(), 'a cancel');
await soon(end(), 'the end of the server'); // in order, so that the command has ended, too
assert.deepEqual(errors, []);
await client.close();
process.stdout.write('all as expected\n');
