// What an editor's client, vscode-languageserver-protocol, and partyline-echo as a language server say to each other.

import assert from 'node:assert/strict';
import { conversation, protocol } from './language_client.mjs';
import { soon } from './waiting.mjs';

const { CancellationTokenSource, ErrorCodes, LSPErrorCodes, ProgressType, ResponseError } = protocol;
const texts = ['', 'a', 'aß€\u{1F600}\\n\n"\u2028', '\u0000\u001f\u007f', 'Content-Length: 3\r\n\r\n{}'];
const endless = 600_000; // milliseconds

conversation('the server introduces itself', async ({ introduction }) => {
    assert.equal(introduction.serverInfo.name, 'partyline-echo');
    assert.deepEqual(introduction.capabilities, {});
});

conversation('requests are answered with results', async (client) => {
    for (const text of texts)
        assert.deepEqual(await client.request('demo/echo', { text, list: [text] }), { text, list: [text] });
    assert.equal(await client.request('add', 2, 40), 42); // by position
    assert.equal(await client.request('add', { a: 2, b: 0.5 }), 2.5); // by name
});

conversation('two thousand requests at once are answered, each by its id', async (client) => {
    const all = Array.from({ length: 2000 }, (_, i) => ({ i, text: `text ${i}` }));
    const results = await Promise.all(all.map((params) => client.request('demo/echo', params)));
    assert.deepEqual(results, all);
});

conversation('a reply comes when it is ready, whatever was asked before', async (client) => {
    const questions = [];
    const asked = new Promise((resolve) => client.connection.onNotification('question', (question) => {
        if (questions.push(question) === 50)
            resolve();
    }));
    const order = [];
    const replies = Array.from({ length: 50 }, (_, i) =>
        client.request('ask', { question: `number ${i}` }).then((answer) => {
            order.push(i);
            return answer;
        }));
    await soon(asked, 'the questions');
    assert.deepEqual(questions.map(({ question }) => question), replies.map((_, i) => `number ${i}`));
    for (const { id, question } of questions.slice().reverse())
        await client.notify('answer', { id, value: `answer to ${question}` });
    assert.deepEqual(await Promise.all(replies), replies.map((_, i) => `answer to number ${i}`));
    assert.deepEqual(order, replies.map((_, i) => replies.length - 1 - i));
});

conversation('a cancellation token ends its request and no other', async (client) => {
    const sources = Array.from({ length: 10 }, () => new CancellationTokenSource());
    let settled = 0;
    const refusals = sources.map(({ token }) =>
        client.refusal('demo/slow', { steps: 1, ms: endless }, token).finally(() => ++settled));
    for (const [i, source] of sources.entries()) {
        assert.equal(settled, i);
        source.cancel();
        const error = await refusals[i];
        assert.ok(error instanceof ResponseError);
        assert.equal(error.code, LSPErrorCodes.RequestCancelled);
        assert.equal(error.code, -32800);
        assert.deepEqual(await client.request('demo/echo', { still: 'here' }), { still: 'here' });
    }
});

conversation('a cancel that comes too late does nothing', async (client) => {
    const source = new CancellationTokenSource();
    assert.deepEqual(await client.request('demo/echo', { n: 1 }, source.token), { n: 1 });
    source.cancel();
    await client.notify('$/cancelRequest', { id: 'never used' });
    assert.deepEqual(await client.request('demo/echo', { still: 'here' }), { still: 'here' });
});

conversation('a cancel goes on to what the server has asked meanwhile', async (client) => {
    const source = new CancellationTokenSource();
    const cancelled = new Promise((resolve) => client.connection.onRequest('think', (params, token) =>
        new Promise((answer) => {
            token.onCancellationRequested(() => answer(resolve(params)));
            source.cancel();
        })));
    const error = await client.refusal('call_back', { method: 'think', params: { about: 'it' } }, source.token);
    assert.equal(error.code, LSPErrorCodes.RequestCancelled);
    assert.deepEqual(await soon(cancelled, 'the cancel'), { about: 'it' });
});

conversation('what the server asks back is answered, though its ids are ours as well', async (client) => {
    client.connection.onRequest('double', ({ n }) =>
        n % 2 ? { twice: 2 * n } : new ResponseError(n, 'even', { n }));
    const asked = Array.from({ length: 50 }, (_, n) => ({ method: 'double', params: { n } }));
    const outcomes = await Promise.allSettled(asked.map((params) => client.request('call_back', params)));
    for (const [n, { value, reason }] of outcomes.entries()) {
        if (n % 2)
            assert.deepEqual(value, { twice: 2 * n });
        else
            assert.deepEqual([reason.code, reason.message, reason.data], [n, 'even', { n }]);
    }
});

conversation('work-done progress comes in order, all of it before the reply', async (client) => {
    const steps = 5;
    const expected = Array.from({ length: steps }, (_, i) => `step ${i + 1}`);
    await Promise.all(['first', 2, 'third'].map(async (workDoneToken) => {
        const told = [];
        const listening = client.connection.onProgress(new ProgressType(), workDoneToken, (value) => told.push(value));
        const result = await client.request('demo/slow', { steps, ms: 5, workDoneToken });
        const before = told.slice(); // what comes from here on came too late
        assert.deepEqual(result, { steps });
        assert.deepEqual(before.map(({ kind }) => kind), ['begin', ...expected.map(() => 'report'), 'end']);
        assert.equal(before[0].title, 'demo/slow');
        assert.deepEqual(before.slice(1, -1).map(({ message }) => message), expected);
        assert.deepEqual(before.slice(1, -1).map(({ percentage }) => percentage), [20, 40, 60, 80, 100]);
        await client.request('demo/echo', {});
        assert.deepEqual(client.progress(workDoneToken), before);
        listening.dispose();
    }));
});

conversation('there is no progress for who has not asked for it', async (client) => {
    assert.deepEqual(await client.request('demo/slow', { steps: 2, ms: 1 }), { steps: 2 });
    assert.equal(client.received.filter(({ method }) => method === '$/progress').length, 0);
});

conversation('errors carry code, message and data', async (client) => {
    const unknown = await client.refusal('demo/none');
    assert.equal(unknown.code, ErrorCodes.MethodNotFound);
    assert.equal((await client.refusal('$/none')).code, ErrorCodes.MethodNotFound);
    const misfit = await client.refusal('add', { a: 'one', b: 2 });
    assert.deepEqual([misfit.code, misfit.data.parameter], [ErrorCodes.InvalidParams, 'a']);
    const failed = await client.refusal('fail', { code: LSPErrorCodes.RequestFailed, message: 'no', data: ['why'] });
    assert.deepEqual([failed.code, failed.message, failed.data], [-32803, 'no', ['why']]);
    await client.notify('demo/none', {}); // nobody answers that
    await client.notify('$/none', {});
    assert.deepEqual(await client.request('demo/echo', { still: 'here' }), { still: 'here' });
});

conversation('messages of a megabyte keep every character, in both directions', async (client) => {
    // 1 to 4 bytes each, so that the ends of reads and writes fall within characters
    const long = Array.from({ length: 8 }, (_, i) => 'x'.repeat(i) + 'aß€\u{1F600}\\n\n"\u2028'.repeat(60_000));
    assert.ok(long.every((text) => Buffer.byteLength(text) > 1_000_000));
    const chunksBefore = client.chunks;
    const results = await Promise.all(long.map((text) => client.request('demo/echo', { text })));
    results.forEach(({ text }, i) => assert.ok(text === long[i], `text ${i} has changed`));
    assert.ok(client.chunks - chunksBefore > long.length, 'expected replies that come in parts');
});
