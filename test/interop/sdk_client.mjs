// Plain JSON-RPC between the official SDK's client transport and partyline-echo.
// The SDK takes objects only for results, so that is what is asked for here.

import assert from 'node:assert/strict';
import test from 'node:test';
import { EchoClient } from './echo_client.mjs';

const all = (list, count) => (list.length === count ? list : undefined);
const cancel = (id) => ['$/cancelRequest', { id }];

// A conversation of its own for each test; whatever it was, it has to end well.
function conversation(name, talk) {
    test(name, { timeout: 60_000 }, async (t) => {
        const client = await EchoClient.start();
        t.after(() => client.kill());
        await talk(client);
        await client.close();
        assert.deepEqual(await client.exit, { code: 0, signal: null });
    });
}

conversation('two thousand requests at once are answered, each by its id', async (client) => {
    const ids = Array.from({ length: 1000 }, (_, i) => [i, String(i)]).flat();
    const replies = await Promise.all(ids.map((id) => client.request(id, 'echo', { id, text: `text ${id}` })));
    replies.forEach((reply, i) => assert.deepEqual(reply.result, { id: ids[i], text: `text ${ids[i]}` }));
    assert.equal(client.messages.length, ids.length);
    assert.deepEqual(client.errors, []);
});

conversation('ids come back as they are', async (client) => {
    for (const id of [0, '', -1, '0', 'a/b\\"c', '\u{1F600}\u0000\u2028', Number.MAX_SAFE_INTEGER, 'null'])
        assert.deepEqual((await client.request(id, 'echo', { id })).result, { id });
    assert.deepEqual(client.errors, []);
});

conversation('a reply comes when it is ready, whatever was asked before', async (client) => {
    const ids = Array.from({ length: 50 }, (_, i) => (i % 2 ? i : `question ${i}`));
    for (const id of ids)
        await client.send({ jsonrpc: '2.0', id, method: 'ask', params: { question: 'what next?' } });
    await client.first(() => all(client.notifications('question'), ids.length), 'the questions');
    for (const id of ids.reverse()) {
        await client.notify('answer', { id, value: { answered: id } });
        assert.deepEqual((await client.reply(id)).result, { answered: id });
    }
    assert.equal(client.messages.length, 2 * ids.length);
});

conversation('a cancel ends one request and no other', async (client) => {
    for (const id of ['slow', 1, '1'])
        await client.send({ jsonrpc: '2.0', id, method: 'delay', params: { ms: 600_000 } });
    for (const id of ['1', 'slow', 1]) {
        const before = client.messages.length;
        await client.notify(...cancel(id));
        const { error } = await client.reply(id);
        assert.equal(error.code, -32800);
        assert.equal(error.message, 'Request cancelled');
        assert.equal(client.messages.length, before + 1);
    }
    await client.notify(...cancel('unknown'));
    assert.deepEqual((await client.request(2, 'echo', { still: 'here' })).result, { still: 'here' });
    assert.equal(client.messages.length, 4);
});

conversation('a request of the server is answered, though its id is one of ours as well', async (client) => {
    const ids = Array.from({ length: 20 }, (_, i) => i + 1);
    for (const id of ids)
        await client.send({ jsonrpc: '2.0', id, method: 'call_back', params: { method: 'double', params: { id } } });
    const asked = await client.first(() => all(client.requests('double'), ids.length), 'the requests');
    assert.ok(asked.some(({ id }) => ids.includes(id)));
    const outcome = (n) => (n % 2 ? { result: { twice: 2 * n } } : { error: { code: n, message: 'even' } });
    for (const { id, params } of asked.reverse())
        await client.send({ jsonrpc: '2.0', id, ...outcome(params.id) });
    for (const id of ids)
        assert.deepEqual(await client.reply(id), { jsonrpc: '2.0', id, ...outcome(id) });
});

conversation('a cancel goes on to the request that the server has made meanwhile', async (client) => {
    await client.send({ jsonrpc: '2.0', id: 'ours', method: 'call_back', params: { method: 'think', params: {} } });
    const [{ id }] = await client.first(() => all(client.requests('think'), 1), 'the request');
    await client.notify(...cancel('ours'));
    const [passed] = await client.first(() => all(client.notifications('$/cancelRequest'), 1), 'the cancel');
    assert.deepEqual(passed, { id });
    assert.equal((await client.reply('ours')).error.code, -32800);
    await client.send({ jsonrpc: '2.0', id, result: { too: 'late' } });
    assert.deepEqual((await client.request(2, 'echo', { still: 'here' })).result, { still: 'here' });
});

conversation('progress comes in order and before the reply', async (client) => {
    await client.send({ jsonrpc: '2.0', id: 'by id', method: 'count', params: { to: 5 } });
    await client.send({ jsonrpc: '2.0', id: 2, method: 'count', params: { to: 3, workDoneToken: 'by token' } });
    for (const [id, token, to] of [['by id', 'by id', 5], [2, 'by token', 3]]) {
        const reply = await client.reply(id);
        assert.deepEqual(reply.result, { counted: to });
        const before = client.messages.slice(0, client.messages.indexOf(reply));
        const values = before.filter((message) => message.params?.token === token).map(({ params }) => params.value);
        assert.deepEqual(values, Array.from({ length: to }, (_, i) => i + 1));
        assert.equal(client.notifications('$/progress').filter((params) => params.token === token).length, to);
    }
});

conversation('errors carry the id of their request, code, message and data', async (client) => {
    const unknown = await client.request(1, 'no such method');
    assert.equal(unknown.error.code, -32601);
    const misfit = await client.request('two', 'add', { a: 'one', b: 2 });
    assert.equal(misfit.error.code, -32602);
    assert.equal(misfit.error.data.parameter, 'a');
    const failed = await client.request(3, 'fail', { code: -7, message: 'no', data: { why: ['because'] } });
    assert.deepEqual(failed.error, { code: -7, message: 'no', data: { why: ['because'] } });
    await client.send({ jsonrpc: '2.0', id: 4, params: {} }); // no method
    assert.equal((await client.reply(4)).error.code, -32600);
    assert.deepEqual((await client.request(5, 'echo', { still: 'here' })).result, { still: 'here' });
    assert.deepEqual(client.errors, []);
});

conversation('a batch is answered with an array, which the SDK refuses without harm', async (client) => {
    const call = (id, method, params) => ({ jsonrpc: '2.0', id, method, params });
    await client.send([call(1, 'echo', { n: 1 }), call('2', 'add', [1, 2]), call(3, 'no such method')]);
    const line = await client.first(() => client.lines[0], 'the array');
    const byId = new Map(JSON.parse(line).map((reply) => [reply.id, reply]));
    assert.deepEqual([...byId.keys()].sort(), [1, 3, '2'].sort());
    assert.deepEqual(byId.get(1).result, { n: 1 });
    assert.equal(byId.get('2').result, 3);
    assert.equal(byId.get(3).error.code, -32601);

    await client.send([]);
    const { id, error } = JSON.parse(await client.first(() => client.lines[1], 'the error'));
    assert.deepEqual([id, error.code], [null, -32600]);
    assert.deepEqual((await client.request(4, 'echo', { still: 'here' })).result, { still: 'here' });
    assert.equal(client.errors.length, 2);
});

conversation('messages of a megabyte keep every character, in both directions', async (client) => {
    // 1 to 4 bytes each, so that the ends of reads and writes fall within characters
    const texts = Array.from({ length: 8 }, (_, i) => 'x'.repeat(i) + 'aß€\u{1F600}\\n\n"\u2028'.repeat(60_000));
    assert.ok(texts.every((text) => Buffer.byteLength(text) > 1_000_000));
    const replies = await Promise.all(texts.map((text, i) => client.request(i, 'echo', { text })));
    replies.forEach((reply, i) => assert.ok(reply.result.text === texts[i], `text ${i}`));
    assert.deepEqual(client.errors, []);
});
