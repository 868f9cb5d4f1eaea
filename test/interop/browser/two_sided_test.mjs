// The example of a page that talks by WebSocket in Chromium: of an origin that is allowed, and of one that is not.
//   node two_sided_test.mjs BROWSER_PAGE_SERVER

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { once, soon } from '../waiting.mjs';
import { Visits } from './visits.mjs';

const expected = { added: 42, counted: 3, seen: [1, 2, 3], greeting: 'Hello, Ada!', asked: 1, abandoned: -32800 };

const visits = new Visits();
const origin = await visits.openOrigin();
const other = await visits.openOrigin();
const server = spawn(process.argv[2], ['0', origin], { stdio: ['ignore', 'inherit', 'pipe'] });
process.once('exit', () => server.kill('SIGKILL'));
const [line] = await soon(once(createInterface({ input: server.stderr }), 'line'), 'the server');
const url = `ws://${line.replace('listening on ', '')}/ws`;
assert.deepEqual(await visits.visit(origin, 'two_sided', { url }), expected);
assert.deepEqual(await visits.visit(other, 'two_sided', { url }), { refused: true });
await visits.end();
server.kill();
process.stdout.write('all as expected\n');
