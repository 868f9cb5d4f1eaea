// Pages in Chromium as clients of partyline-echo by WebSocket: one of an origin that is allowed, and some that are not.
//   node websocket_test.mjs PROGRAM ARGUMENTS...
// PROGRAM takes the options that all our servers of HTTP have. The server is told `--trace trace`.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { AskedServer, enterNewFolder } from './asked_server.mjs';
import { refusedWebSocket, websocket } from './findings.mjs';
import { Visits } from './visits.mjs';

enterNewFolder();
const visits = new Visits();
const origin = await visits.openOrigin();
const server = await AskedServer.start(process.argv.slice(2), origin);
const url = new URL('/ws', server.rpc).href.replace('http:', 'ws:');
assert.deepEqual(await visits.visit(origin, 'websocket', { url }), websocket);
const before = readFileSync('trace', 'utf8');
assert.match(before, /method=sum/);
for (const other of [await visits.openOrigin(), origin.replace('127.0.0.1', 'localhost')])
    assert.deepEqual(await visits.visit(other, 'refused_websocket', { url }), refusedWebSocket);
assert.equal(readFileSync('trace', 'utf8'), before);
await visits.end();
await server.end();
process.stdout.write('all as expected\n');
