// How a conversation between the official SDK's client transport and partyline-echo ends.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { EchoClient } from './echo_client.mjs';
import { once, soon } from './waiting.mjs';

async function start(t) {
    const client = await EchoClient.start();
    t.after(() => client.kill());
    return client;
}

const bounded = { timeout: 60_000 };
const endless = { jsonrpc: '2.0', id: 'endless', method: 'delay', params: { ms: 600_000 } };

async function expectGone(client, expected) {
    assert.deepEqual(await soon(client.exit, 'the exit'), expected);
    assert.equal(await soon(client.closed, 'onclose'), 1);
    assert.ok(!existsSync(`/proc/${client.pid}`));
}

test('close() ends an idle server, which exits with 0', bounded, async (t) => {
    const client = await start(t);
    await client.request(1, 'echo', {});
    await client.close();
    await expectGone(client, { code: 0, signal: null });
    await assert.rejects(client.request(2, 'echo', {}), /Not connected/);
});

test('what was sent before close() is answered', bounded, async (t) => {
    const client = await start(t);
    const ids = Array.from({ length: 1000 }, (_, i) => i);
    for (const id of ids) // the SDK promises to be ready for more, not that it was sent: no use in waiting for that
        client.transport.send({ jsonrpc: '2.0', id, method: 'echo', params: { id } });
    await client.close();
    await expectGone(client, { code: 0, signal: null });
    assert.deepEqual(client.messages.map((message) => message.result.id).sort((a, b) => a - b), ids);
});

// The transport's way: it closes the input, waits two seconds and sends SIGTERM.
test('close() ends a request that would not end, which is answered', bounded, async (t) => {
    const client = await start(t);
    await client.send(endless);
    await client.close();
    await expectGone(client, { code: 128 + 15, signal: null });
    assert.equal(client.messages.length, 1);
    assert.equal(client.messages[0].id, 'endless');
    assert.equal(client.messages[0].error.code, -32800);
});

// The server shares its client's stderr, a pipe, which therefore ends when the last of both has.
for (const state of ['idle', 'busy', 'not reading']) {
    test(`a client that is killed while it is ${state} leaves no server behind`, bounded, async () => {
        const program = fileURLToPath(new URL('doomed_client.mjs', import.meta.url));
        const client = spawn(process.execPath, [program, ...process.argv.slice(2, 4), state],
            { stdio: ['ignore', 'pipe', 'pipe'] });
        const ended = once(client, 'close');
        const server = Number(await soon(new Promise((resolve) =>
            createInterface({ input: client.stdout }).once('line', resolve)), 'the server'));
        assert.equal(readFileSync(`/proc/${server}/comm`, 'utf8'), 'partyline-echo\n');
        client.kill('SIGKILL');
        const status = await soon(ended, 'the end of the server').catch((error) => {
            process.kill(server, 'SIGKILL');
            throw error;
        });
        assert.deepEqual(status, [null, 'SIGKILL']);
    });
}
