// Pages in Chromium as clients of partyline-echo over HTTP: one of an origin that is allowed, and some that are not.
//   node rpc_test.mjs PROGRAM ARGUMENTS...
// PROGRAM serves HTTP, and takes the options that all our servers of HTTP have. The server itself is told
// `--trace trace`.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { AskedServer, enterNewFolder } from './asked_server.mjs';
import { rpc as expected } from './findings.mjs';
import { newRequest } from './pages/requests.mjs';
import { seeRefusals } from './refusals.mjs';
import { Visits } from './visits.mjs';

const effect = { body: newRequest('add', [20, 22]), hasHappened: () => readFileSync('trace', 'utf8').includes('method=add') };

enterNewFolder();
const visits = new Visits();
const origin = await visits.openOrigin();
const server = await AskedServer.start(process.argv.slice(2), origin);
assert.deepEqual(await visits.visit(origin, 'rpc', { url: server.rpc }), expected);
await server.sees({ 'OPTIONS 204': 1, 'POST 200': 3, 'POST 415': 1 }); // so the call that was abandoned has ended
await seeRefusals(visits, origin, server, server.rpc, effect);
await visits.end();
await server.end();
process.stdout.write('all as expected\n');
