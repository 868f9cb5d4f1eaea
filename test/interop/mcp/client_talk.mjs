// What each client of the official SDKs in Node says to a server that has the tools of the conformance suite, and what
// has to come of it.

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { once, soon } from '../waiting.mjs';

export const capabilities = { elicitation: {} };
export const answer = { action: 'accept', content: { username: 'testuser', email: 'test@example.com' } };

const textOf = ({ content }) => content.map((block) => block.text).join('');

async function callTools(client, call) {
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    for (const name of ['test_simple_text', 'test_tool_with_progress', 'test_error_handling', 'slow'])
        assert.ok(names.includes(name), `${name} is listed`);
    assert.equal(textOf(await call('test_simple_text')), 'This is a simple text response for testing.');
    const failed = await call('test_error_handling');
    assert.equal(failed.isError, true);
    assert.match(textOf(failed), /This tool intentionally returns an error for testing$/); // some SDKs put words before it
}

// The SDK drops the progress that it reads together with the result: the last one, or more where the machine stopped.
async function seeProgress(call) {
    let seen = [];
    for (let tries = 0; seen.length < 2 && tries < 5; ++tries) {
        seen = [];
        await call('test_tool_with_progress', {}, { onprogress: (progress) => seen.push(progress) });
    }
    assert.ok(seen.length >= 2, `${seen.length} times progress, expected 3`);
    assert.ok(seen.every(({ total }) => total === 100));
    assert.ok(seen.every(({ progress }, i) => i === 0 || progress > seen[i - 1].progress));
}

// Progress that was on its way when the cancel went out is an error to the SDK. What comes after the answer to a later
// call was sent in spite of the cancel.
async function cancel(call, errors) {
    const controller = new AbortController();
    const seen = [];
    const onprogress = (progress) => {
        seen.push(progress);
        controller.abort();
    };
    await assert.rejects(call('slow', { steps: 200, ms: 50 }, { signal: controller.signal, onprogress }));
    assert.equal(seen.length, 1);
    assert.equal(textOf(await call('test_simple_text')), 'This is a simple text response for testing.');
    for (const { message } of errors.splice(0))
        assert.match(message, /progress/);
    await sleep(200);
    assert.deepEqual(errors, []);
}

async function readRest(client) {
    const { contents: [read] } = await client.readResource({ uri: 'test://static-text' });
    assert.equal(read.text, 'This is the content of the static text resource.');
    const { messages: [said] } = await client.getPrompt({
        name: 'test_prompt_with_arguments', arguments: { arg1: 'one', arg2: 'two' },
    });
    assert.equal(said.content.text, "Prompt with arguments: arg1='one', arg2='two'");
}

async function elicit(call) {
    const said = textOf(await call('test_elicitation', { message: 'Who are you?' }));
    assert.ok(said.includes('action=accept') && said.includes('testuser'), said);
}

// `call(name, arguments, options)` calls a tool; of the errors that the client tells, there may be none. `end` ends a
// server that does not end with its input.
export async function talk(client, transport, connected, call, end) {
    const errors = [];
    client.onerror = (error) => errors.push(error);
    await soon(connected, 'the connection');
    const exit = end ? null : once(transport._process, 'exit');
    await soon(callTools(client, call), 'calls of tools');
    await soon(seeProgress(call), 'progress');
    await soon(cancel(call, errors), 'a cancel');
    await soon(readRest(client), 'a resource and a prompt');
    await soon(elicit(call), 'an elicitation');
    assert.deepEqual(errors, []);
    if (end) {
        await soon(end(), 'the end of the server');
        await soon(client.close(), 'closing');
        return;
    }
    const begun = Date.now();
    await soon(client.close(), 'closing');
    assert.deepEqual(await soon(exit, 'the end of the server'), [0, null]);
    assert.ok(Date.now() - begun < 1900, `the end took ${Date.now() - begun} ms`);
}
