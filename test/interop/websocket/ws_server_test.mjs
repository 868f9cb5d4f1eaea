// Servers of the package ws, and partyline-call as their client, with TLS and without.
//   node ws_server_test.mjs PACKAGES PARTYLINE-CALL

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer as createPlain } from 'node:http';
import { createServer as createSecure } from 'node:https';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import test from 'node:test';
import { once, soon } from '../waiting.mjs';
import { Peer } from './json_rpc_peer.mjs';
import { makeCertificates, run } from './programs.mjs';

const [packages, call] = process.argv.slice(2);
const { WebSocketServer } = createRequire(join(packages, 'package.json'))('ws');
const { ca, caText, paths } = makeCertificates('localhost', 'other.example');
const MiB = 1 << 20;

// A server that `serve` gets each connection of, as a Peer. `requests` are those to open one, `tls` is what was agreed
// on for that, and `peers` what became of them.
class Server {
    requests = [];
    tls = [];
    peers = [];

    constructor(scheme, serve, { certificate = 'localhost', tls = {}, ...options } = {}) {
        const { certificate: cert, key } = paths[certificate];
        const secure = () => createSecure({ cert: readFileSync(cert), key: readFileSync(key), ...tls });
        this.scheme = scheme;
        this.http = scheme === 'wss' ? secure() : createPlain();
        this.sockets = new WebSocketServer({ server: this.http, path: '/rpc', ...options });
        this.sockets.on('connection', (socket, request) => {
            const peer = new Peer(socket);
            this.requests.push(request);
            if (scheme === 'wss')
                this.tls.push({ version: request.socket.getProtocol(), client: request.socket.getPeerCertificate().subject?.CN });
            this.peers.push(peer);
            serve(peer);
        });
    }

    async listen() {
        this.http.listen(0, '127.0.0.1');
        await once(this.http, 'listening');
    }

    get url() {
        return `${this.scheme}://localhost:${this.http.address().port}/rpc`;
    }

    // partyline-call as its client.
    start(args, input) {
        return run(call, [this.url, ...args, ...(this.scheme === 'wss' ? ['--tls-ca', ca] : [])], input);
    }

    call(...args) {
        return this.start(args).ended;
    }

    close() {
        for (const socket of this.sockets.clients)
            socket.terminate();
        this.sockets.close();
        this.http.close();
    }
}

const result = (id, value) => ({ jsonrpc: '2.0', id, result: value });

// Answers requests one by one, in order.
const inOrder = (answer) => (peer) => peer.socket.on('message', (data) => {
    const request = JSON.parse(data);
    if ('method' in request && 'id' in request)
        answer(peer, request);
});
const echoing = inOrder((peer, { id, params = null }) => peer.send(result(id, params)));
const onSocket = (act) => inOrder((peer, request) => act(peer.socket, request, peer));

function serving(name, serve, talk, options) {
    for (const scheme of ['ws', 'wss']) {
        test(`${scheme}: ${name}`, { timeout: 60_000 }, async (t) => {
            const server = new Server(scheme, serve, options);
            await server.listen();
            t.after(() => server.close());
            await talk(server);
        });
    }
}

const calls = (count) => Array.from({ length: count }, (_, i) => `${JSON.stringify({ method: 'echo', params: [i] })}\n`).join('');
const replies = (out) => out.trim().split('\n').map((line) => JSON.parse(line));
const byId = (list) => list.sort((a, b) => a.id - b.id).map(({ id, result: [value] }) => [id, value]);

serving('a call is answered, and the connection closed in order', echoing, async (server) => {
    const { code, out, err } = await server.call('echo', 'text=ö€');
    assert.deepEqual([code, out], [0, '{"text":"ö€"}\n'], err);
    assert.equal((await server.peers[0].end()).code, 1000);
    const { headers } = server.requests[0];
    assert.deepEqual([headers['sec-websocket-protocol'], headers['sec-websocket-extensions']], ['jsonrpc', undefined]);
}, { perMessageDeflate: true });

serving('five hundred calls are answered in order', echoing, async (server) => {
    const { code, out, err } = await server.start(['--calls', '-'], calls(500)).ended;
    assert.equal(code, 0, err);
    assert.deepEqual(byId(replies(out)), Array.from({ length: 500 }, (_, i) => [i + 1, i]));
});

// Holds replies back until there are so many, and gives them from the last to the first.
const backwards = (count) => {
    const held = [];
    return inOrder((peer, { id, params }) => {
        if (held.push(result(id, params)) === count)
            held.splice(0).reverse().forEach((reply) => peer.send(reply));
    });
};

serving('calls are answered from the last to the first', backwards(50), async (server) => {
    const { code, out, err } = await server.start(['--calls', '-', '--concurrency', '50'], calls(200)).ended;
    assert.equal(code, 0, err);
    assert.deepEqual(byId(replies(out)), Array.from({ length: 200 }, (_, i) => [i + 1, i]));
});

serving('a batch is one message', (peer) => peer.socket.on('message', (data) => {
    peer.send(JSON.parse(data).reverse().map(({ id, params }) => result(id, params)));
}), async (server) => {
    const { code, out, err } = await server.start(['--calls', '-', '--batch'], calls(20)).ended;
    assert.equal(code, 0, err);
    assert.deepEqual(byId(replies(out)), Array.from({ length: 20 }, (_, i) => [i + 1, i]));
    assert.equal(server.peers[0].messages.length, 1);
});

serving('an error is told', inOrder((peer, { id }) => {
    peer.send({ jsonrpc: '2.0', id, error: { code: -7, message: 'tired' } });
}), async (server) => {
    const { code, err } = await server.call('work');
    assert.deepEqual([code, err], [1, 'error -7: tired\n']);
});

serving('what comes before the reply is shown: progress', inOrder((peer, { id }) => {
    for (const value of [1, 2])
        peer.notify('$/progress', { token: id, value });
    peer.send(result(id, 'done'));
}), async (server) => {
    const { code, out, err } = await server.call('work', '--progress');
    assert.deepEqual([code, out], [0, '"done"\n'], err);
    assert.match(err, /1[^]*2/);
});

serving('what the server asks in return is refused', inOrder((peer, { id, method }) => {
    if (method !== 'work')
        return;
    peer.request('its own', 'who are you').then(({ error }) => peer.send(result(id, error.code)));
}), async (server) => {
    const { code, out, err } = await server.call('work');
    assert.deepEqual([code, out], [0, '-32601\n'], err);
});

serving('a reply in many frames, with pings between them, is one message', onSocket((socket, { id, params }) => {
    const bytes = Buffer.from(JSON.stringify(result(id, params.text.repeat(200_000))));
    for (let at = 0; at < bytes.length; at += 5001) {
        socket.send(bytes.subarray(at, at + 5001), { binary: false, fin: at + 5001 >= bytes.length });
        if (at % 50_010 === 0)
            socket.ping(String(at));
    }
}), async (server) => {
    const { code, out, err } = await server.call('repeat', 'text=aß€\u{1F600}');
    assert.equal(code, 0, err);
    assert.ok(out === `"${'aß€\u{1F600}'.repeat(200_000)}"\n`);
    assert.ok(server.peers[0].pongs.length > 0);
});

serving('a long call comes whole', echoing, async (server) => {
    const text = 'aß€\u{1F600}\\n'.repeat(300_000);
    const { code, out, err } = await server.start(['echo', '-'], JSON.stringify({ text })).ended;
    assert.equal(code, 0, err);
    assert.ok(out === `${JSON.stringify({ text })}\n`);
});

serving('who is interrupted cancels', () => {}, async (server) => {
    const caller = server.start(['sleep']);
    await soon(once(server.sockets, 'connection'), 'the connection');
    const [peer] = server.peers;
    const [{ id }] = await peer.several('sleep', 1);
    caller.kill('SIGINT');
    const [{ params }] = await peer.several('$/cancelRequest', 1);
    assert.deepEqual(params, { id });
    peer.send({ jsonrpc: '2.0', id, error: { code: -32800, message: 'Request cancelled' } });
    assert.equal((await caller.ended).code, 128 + 2);
    assert.equal((await peer.end()).code, 1000);
});

// How a server may end a connection in the middle of a call, and what is told of that.
const ends = {
    'in order': ({ socket }) => socket.close(1000),
    'since it goes away': ({ socket }) => socket.close(1001, 'going away'),
    'with a fault of its own': ({ socket }) => socket.close(1011, 'something is broken'),
    'with a code of its own': ({ socket }) => socket.close(4001),
    'without a code': ({ socket }) => socket.close(),
    'without a word': ({ socket }) => socket.terminate(),
};

for (const [how, end] of Object.entries(ends)) {
    serving(`a server that ends the connection ${how} has not replied`, onSocket((_, request, peer) => end(peer)), async (server) => {
        const { code, out, err } = await server.call('work');
        assert.deepEqual([code, out], [3, ''], err);
        assert.match(err, /^partyline-call: .+\n/);
    });
}

// What no server sends that means well, and the code that it is told.
const faults = {
    'a binary message': [1003, (socket) => socket.send(Buffer.from('{}'), { binary: true })],
    'text that is not UTF-8': [1007, (socket) => socket.send(Buffer.from([0x22, 0xC3, 0x28, 0x22]), { binary: false })],
    'a message that is too long': [1009, (socket) => socket.send('x'.repeat(3 * MiB))],
    'a frame with a mask': [1002, ({ _socket }) => _socket.write(Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0x7B, 0x7D]))],
    'a reserved bit': [1002, ({ _socket }) => _socket.write(Buffer.from([0xC1, 0]))],
    'a continuation of nothing': [1002, ({ _socket }) => _socket.write(Buffer.from([0x80, 0]))],
    'a code that is none': [1002, ({ _socket }) => _socket.write(Buffer.from([0x88, 2, 0x03, 0xED]))],
};

for (const [what, [expected, send]] of Object.entries(faults)) {
    serving(`${what} ends the connection`, onSocket((socket) => send(socket)), async (server) => {
        const { code, err } = await server.call('work', '--max-message-bytes', String(2 * MiB));
        assert.equal(code, 3, err);
        assert.equal((await server.peers[0].end()).code, expected);
    });
}

serving('a subprotocol that was not offered is refused', echoing, async (server) => {
    const { code, err } = await server.call('echo');
    assert.deepEqual([code, /subprotocol/.test(err)], [3, true], err);
}, { handleProtocols: () => 'other' });

serving('a server without a subprotocol will do', echoing, async (server) => {
    const { code, out, err } = await server.call('echo', '1');
    assert.deepEqual([code, out], [0, '[1]\n'], err);
}, { handleProtocols: () => false });

serving('fields are sent, and a server that refuses is told of with its status', echoing, async (server) => {
    const refused = await server.call('echo');
    assert.deepEqual([refused.code, /401/.test(refused.err)], [3, true], refused.err);
    const { code, err } = await server.call('echo', '--header', 'Authorization: Bearer abc');
    assert.equal(code, 0, err);
}, { verifyClient: ({ req }) => req.headers.authorization === 'Bearer abc' });

serving('another path is refused', echoing, async (server) => {
    const { code, err } = await run(call, [server.url.replace('/rpc', '/nowhere'), 'echo', '--tls-insecure']).ended;
    assert.deepEqual([code, /400/.test(err)], [3, true], err);
});

function secured(name, options, talk) {
    test(`wss: ${name}`, { timeout: 60_000 }, async (t) => {
        const server = new Server('wss', echoing, options);
        await server.listen();
        t.after(() => server.close());
        await talk(server);
    });
}

secured('a certificate that nobody has signed whom the system trusts is refused, unless told otherwise', {}, async (server) => {
    const refused = await run(call, [server.url, 'echo']).ended;
    assert.deepEqual([refused.code, /certificate/.test(refused.err)], [3, true], refused.err);
    const { code, err } = await run(call, [server.url, 'echo', '--tls-insecure']).ended;
    assert.equal(code, 0, err);
});

secured('a certificate for another host is refused', { certificate: 'other.example' }, async (server) => {
    const { code, err } = await server.call('echo');
    assert.deepEqual([code, /certificate|host/.test(err)], [3, true], err);
});

const asks = { requestCert: true, rejectUnauthorized: true, ca: caText };

secured('a client shows its certificate to who asks for it', { tls: asks }, async (server) => {
    const { certificate, key } = paths['other.example'];
    const { code, err } = await server.call('echo', '--client-certificate', certificate, '--client-key', key);
    assert.equal(code, 0, err);
    assert.equal(server.tls[0].client, 'other.example');
    assert.equal((await server.call('echo')).code, 3);
});

for (const version of ['TLSv1.2', 'TLSv1.3']) {
    secured(`${version} is spoken`, { tls: { minVersion: version, maxVersion: version } }, async (server) => {
        const { code, err } = await server.call('echo');
        assert.equal(code, 0, err);
        assert.equal(server.tls[0].version, version);
    });
}

secured('TLS 1.1 is refused', { tls: { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } },
    async (server) => assert.equal((await server.call('echo')).code, 3));
