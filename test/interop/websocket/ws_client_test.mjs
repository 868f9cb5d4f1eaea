// The package ws as a client of partyline-echo, with TLS and without.
//   node ws_client_test.mjs PACKAGES PARTYLINE-ECHO

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { once, soon } from '../waiting.mjs';
import { Peer } from './json_rpc_peer.mjs';
import { makeCertificates, startListening } from './programs.mjs';

const [packages, echo] = process.argv.slice(2);
const { WebSocket } = createRequire(join(packages, 'package.json'))('ws');
const { caText, paths: { localhost } } = makeCertificates('localhost');
const cancel = (id) => ['$/cancelRequest', { id }];
const endless = { ms: 600_000 };
const MiB = 1 << 20;
const characters = 'aß€\u{1F600}\\n\n"\u2028'; // of 1 to 4 bytes, so that frames end within some

const start = (...more) => startListening(echo, '--tls-certificate', localhost.certificate, '--tls-key', localhost.key, ...more);
const server = await start('--allow-origin', 'https://example.org');
after(async () => {
    server.kill('SIGTERM');
    assert.deepEqual(await soon(server.exit, 'the end of the server'), { code: 128 + 15, signal: null });
});

function connect(scheme, { port = server.port, path = '/ws', protocols = [], ...options } = {}) {
    return new WebSocket(`${scheme}://localhost:${port}${path}`, protocols, { ca: caText, family: 4, ...options });
}

async function open(scheme, options) {
    const peer = new Peer(connect(scheme, options));
    await soon(Promise.race([once(peer.socket, 'open'), peer.closed.then(() => { throw peer.error; })]), 'the connection');
    return peer;
}

// Resolves with the status that a connection is refused with.
async function refusal(scheme, options) {
    const socket = connect(scheme, options);
    socket.on('error', () => {});
    const [, response] = await soon(once(socket, 'unexpected-response'), 'the refusal');
    socket.terminate();
    return response.statusCode;
}

// A connection of its own for each test, which has to end well.
function conversation(name, talk, options) {
    for (const scheme of ['ws', 'wss']) {
        test(`${scheme}: ${name}`, { timeout: 60_000 }, async (t) => {
            const peer = await open(scheme, options);
            t.after(() => peer.socket.terminate());
            await talk(peer);
            assert.deepEqual(await peer.close(1000, 'done'), { code: 1000, reason: '' });
        });
    }
}

function over(name, talk) {
    for (const scheme of ['ws', 'wss'])
        test(`${scheme}: ${name}`, { timeout: 60_000 }, (t) => talk(scheme, t));
}

conversation('two thousand requests at once are answered, each by its id', async (peer) => {
    const ids = Array.from({ length: 1000 }, (_, i) => [i, String(i)]).flat();
    for (const id of ids)
        peer.start(id, 'echo', { id, text: `text ${id}` });
    for (const id of ids)
        assert.deepEqual((await peer.reply(id)).result, { id, text: `text ${id}` });
    assert.equal(peer.messages.length, ids.length);
});

conversation('a reply comes when it is ready, whatever was asked before', async (peer) => {
    const ids = Array.from({ length: 50 }, (_, i) => (i % 2 ? i : `question ${i}`));
    for (const id of ids)
        peer.start(id, 'ask', { question: 'what next?' });
    await peer.several('question', ids.length);
    for (const id of ids.reverse()) {
        peer.notify('answer', { id, value: { answered: id } });
        assert.deepEqual((await peer.reply(id)).result, { answered: id });
    }
    assert.equal(peer.messages.length, 2 * ids.length);
});

conversation('progress comes in order and before the reply', async (peer) => {
    peer.start('by id', 'count', { to: 5 });
    peer.start(2, 'count', { to: 3, workDoneToken: 'by token' });
    for (const [id, token, to] of [['by id', 'by id', 5], [2, 'by token', 3]]) {
        const reply = await peer.reply(id);
        assert.deepEqual(reply.result, { counted: to });
        const before = peer.messages.slice(0, peer.messages.indexOf(reply));
        const values = before.filter(({ params }) => params?.token === token).map(({ params }) => params.value);
        assert.deepEqual(values, Array.from({ length: to }, (_, i) => i + 1));
    }
});

conversation('a request of the server is answered, though its id is one of ours as well', async (peer) => {
    const ids = Array.from({ length: 20 }, (_, i) => i + 1);
    for (const id of ids)
        peer.start(id, 'call_back', { method: 'double', params: { id } });
    const outcome = (n) => (n % 2 ? { result: { twice: 2 * n } } : { error: { code: n, message: 'even' } });
    for (const { id, params } of (await peer.several('double', ids.length)).reverse())
        peer.send({ jsonrpc: '2.0', id, ...outcome(params.id) });
    for (const id of ids)
        assert.deepEqual(await peer.reply(id), { jsonrpc: '2.0', id, ...outcome(id) });
});

conversation('a cancel ends one request and no other', async (peer) => {
    for (const id of ['slow', 1, '1'])
        peer.start(id, 'delay', endless);
    for (const id of ['1', 'slow', 1]) {
        const before = peer.messages.length;
        peer.notify(...cancel(id));
        assert.equal((await peer.reply(id)).error.code, -32800);
        assert.equal(peer.messages.length, before + 1);
    }
    await peer.sees();
});

conversation('a cancel goes on to the request that the server has made meanwhile', async (peer) => {
    peer.start('ours', 'call_back', { method: 'think', params: {} });
    const [{ id }] = await peer.several('think', 1);
    peer.notify(...cancel('ours'));
    const [{ params }] = await peer.several('$/cancelRequest', 1);
    assert.deepEqual(params, { id });
    assert.equal((await peer.reply('ours')).error.code, -32800);
});

conversation('a batch is answered with an array', async (peer) => {
    const call = (id, method, params) => ({ jsonrpc: '2.0', id, method, params });
    peer.send([call(1, 'echo', { n: 1 }), call('2', 'add', [1, 2]), call(3, 'none')]);
    const replies = await peer.first(() => peer.messages.find(Array.isArray), 'the array');
    assert.deepEqual(replies.map(({ id }) => id).sort(), [1, '2', 3]);
});

conversation('what is no JSON is answered with an error, and the conversation goes on', async (peer) => {
    peer.socket.send('{"jsonrpc":');
    assert.equal((await peer.reply(null)).error.code, -32700);
    await peer.sees();
});

conversation('messages of megabytes keep every character, in both directions', async (peer) => {
    const texts = Array.from({ length: 4 }, (_, i) => 'x'.repeat(i) + characters.repeat(100_000));
    for (const [id, text] of texts.entries())
        peer.start(id, 'echo', { text });
    for (const [id, text] of texts.entries())
        assert.ok((await peer.reply(id)).result.text === text, `text ${id} has changed`);
});

conversation('a message in many frames, pings between them, is one message', async (peer) => {
    const text = characters.repeat(100_000);
    const bytes = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'echo', params: { text } }));
    const size = 3_000; // no multiple of what any character takes
    for (let at = 0; at < bytes.length; at += size) {
        peer.socket.send(bytes.subarray(at, at + size), { binary: false, fin: at + size >= bytes.length });
        if (at % (size * 20) === 0)
            peer.socket.ping(`at ${at}`);
    }
    assert.ok((await peer.reply(1)).result.text === text);
    const last = peer.pongs.length - 1;
    assert.ok(last >= 0);
    assert.match(peer.pongs[last], /^at \d+$/);
});

conversation('each ping is answered with what it says', async (peer) => {
    for (const text of ['', 'a', 'ö'.repeat(62)]) {
        peer.socket.ping(text);
        await peer.first(() => (peer.pongs.includes(text) ? true : undefined), 'the pong');
    }
    peer.socket.pong('nobody has asked');
    await peer.sees();
});

conversation('a result of parts comes whole to who has not read for a while', async (peer) => {
    peer.socket.pause();
    peer.start(1, 'parts', { count: 64, bytes: 200_000 });
    await new Promise((resolve) => setTimeout(resolve, 200)); // what has no event: that nothing is read
    peer.socket.resume();
    assert.deepEqual((await peer.reply(1)).result, { parts: 64 });
    const parts = peer.messages.filter(({ method }) => method === 'part');
    assert.deepEqual(parts.map(({ params }) => params.index), Array.from({ length: 64 }, (_, i) => i));
});

conversation('compression is offered, and declined', async (peer) => {
    assert.equal(peer.socket.extensions, '');
    await peer.sees({ text: 'a'.repeat(MiB) });
}, { perMessageDeflate: true });

over('the first known subprotocol is chosen', async (scheme) => {
    for (const [protocols, chosen] of [
        [[], ''], [['jsonrpc'], 'jsonrpc'], [['other', 'jsonrpc2.0', 'jsonrpc'], 'jsonrpc2.0'], [['jsonrpc-2.0'], 'jsonrpc-2.0'],
    ]) {
        const peer = await open(scheme, { protocols });
        assert.equal(peer.socket.protocol, chosen);
        await peer.sees();
        await peer.close();
    }
    await assert.rejects(open(scheme, { protocols: ['other'] }), /Server sent no subprotocol/);
});

over('pages of allowed origins alone are let in', async (scheme) => {
    const allowed = await open(scheme, { origin: 'https://example.org' });
    await allowed.sees();
    await allowed.close();
    for (const origin of ['https://example.net', 'http://example.org', 'null', 'https://example.org.example.net'])
        assert.equal(await refusal(scheme, { origin }), 403, origin);
    assert.equal(await refusal(scheme, { headers: { Host: 'example.org' } }), 403);
});

over('what is not asked for by WebSocket as it is spoken is refused', async (scheme) => {
    assert.equal(await refusal(scheme, { path: '/nowhere' }), 404);
    assert.equal(await refusal(scheme, { path: '/rpc' }), 405);
    assert.equal(await refusal(scheme, { protocolVersion: 8 }), 426);
});

over('the code that a client ends with comes back', async (scheme) => {
    for (const code of [1000, 1001, 1008, 1011, 3000, 4999]) {
        const peer = await open(scheme);
        await peer.sees();
        peer.socket._sender.close(code, 'seen enough', true, () => {}); // 1001 is what browsers say, and ws does not
        assert.equal((await peer.end()).code, code);
    }
    const silent = await open(scheme);
    assert.equal((await silent.close()).code, 1005);
});

// What is sent, of which no client is capable that means well, and the code that it has.
const faults = {
    'a frame without a mask': [1002, ({ _socket }) => _socket.write(Buffer.from([0x81, 2, 0x7B, 0x7D]))],
    'a reserved bit, such as of compression': [1002, ({ _socket }) => _socket.write(Buffer.from([0xC1, 0x80, 0, 0, 0, 0]))],
    'an unknown opcode': [1002, ({ _socket }) => _socket.write(Buffer.from([0x83, 0x80, 0, 0, 0, 0]))],
    'a continuation of nothing': [1002, ({ _socket }) => _socket.write(Buffer.from([0x80, 0x80, 0, 0, 0, 0]))],
    'a code that is none': [1002, ({ _socket }) => _socket.write(Buffer.from([0x88, 0x82, 0, 0, 0, 0, 0x03, 0xED]))],
    'a binary message': [1003, (socket) => socket.send(Buffer.from('{}'), { binary: true })],
    'text that is not UTF-8': [1007, (socket) => socket.send(Buffer.from([0x22, 0xC3, 0x28, 0x22]), { binary: false })],
    'half a character at the end': [1007, (socket) => socket.send(Buffer.from([0x22, 0xC3]), { binary: false })],
    'a message that is too long': [1009, (socket) => socket.send('x'.repeat(17 * MiB))],
    'frames that are too long together': [1009, (socket) => {
        socket.send('x'.repeat(9 * MiB), { fin: false });
        socket.send('x'.repeat(9 * MiB), { fin: true });
    }],
};

for (const [what, [code, send]] of Object.entries(faults)) {
    over(`${what} ends the connection`, async (scheme) => {
        const peer = await open(scheme);
        await peer.sees();
        send(peer.socket);
        assert.equal((await peer.end()).code, code);
    });
}

over('who goes away without a word has cancelled', async (scheme) => {
    const own = await start('--http-drain-ms', '600000');
    const peer = await open(scheme, { port: own.port });
    peer.start(1, 'delay', endless);
    await peer.sees();
    peer.socket.terminate();
    own.kill('SIGTERM'); // in order: what is under way would be waited for
    assert.equal((await soon(own.exit, 'the end of the server')).code, 143);
});

over('a server that ends answers what it was asked, and tells clients to come back', async (scheme) => {
    const own = await start();
    const idle = await open(scheme, { port: own.port });
    await idle.sees();
    const peer = await open(scheme, { port: own.port });
    peer.start('late', 'ask', { question: 'what next?' });
    await peer.several('question', 1);
    own.kill('SIGTERM');
    assert.equal((await idle.end()).code, 1012);
    peer.notify('answer', { id: 'late', value: 'this' });
    assert.equal((await peer.reply('late')).result, 'this');
    assert.equal((await peer.end()).code, 1012);
    assert.equal((await soon(own.exit, 'the end of the server')).code, 143);
});

test('a server whose certificate nobody trusts is not talked to', async () => {
    await assert.rejects(open('wss', { ca: undefined }), { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' });
});
