// Pages in Chromium as clients of partyline-echo over TLS, by https and by wss: in a browser that believes the
// certificate, whose pages come over https as well, and in one that does not.
//   node tls_test.mjs PROGRAM ARGUMENTS...
// PROGRAM takes the options that all our servers of TLS have. The server is told `--trace trace`.

import assert from 'node:assert/strict';
import { createHash, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { makeCertificates } from '../websocket/programs.mjs';
import { AskedServer, enterNewFolder } from './asked_server.mjs';
import { refusedWebSocket, rpc, websocket } from './findings.mjs';
import { Visits } from './visits.mjs';

const { certificate, key } = makeCertificates('localhost').paths.localhost;
const secrets = { cert: readFileSync(certificate), key: readFileSync(key) };
const publicKey = new X509Certificate(secrets.cert).publicKey.export({ type: 'spki', format: 'der' });
const believed = createHash('sha256').update(publicKey).digest('base64');

enterNewFolder();
const believing = new Visits(`--ignore-certificate-errors-spki-list=${believed}`);
const doubting = new Visits();
const secure = await believing.openOrigin(secrets);
const plain = await believing.openOrigin();
const doubted = await doubting.openOrigin(); // plain, since it would not show a page of https either
const others = ['--allow-origin', plain, '--allow-origin', doubted];
const tls = ['--tls-certificate', certificate, '--tls-key', key, '--tls-only'];
const server = await AskedServer.start([...process.argv.slice(2), ...tls, ...others], secure);
const url = new URL('/ws', server.rpc).href.replace('https:', 'wss:');
assert.match(url, /^wss:/);

for (const origin of [secure, plain]) {
    assert.deepEqual(await believing.visit(origin, 'rpc', { url: server.rpc }), rpc);
    assert.deepEqual(await believing.visit(origin, 'websocket', { url }), websocket);
}
await believing.end();
const before = readFileSync('trace', 'utf8');
await assert.rejects(doubting.visit(doubted, 'rpc', { url: server.rpc }), /TypeError: Failed to fetch/);
assert.deepEqual(await doubting.visit(doubted, 'refused_websocket', { url }), refusedWebSocket);
assert.equal(readFileSync('trace', 'utf8'), before);
await doubting.end();
await server.end();
process.stdout.write('all as expected\n');
