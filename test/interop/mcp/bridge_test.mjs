// The bridge to HTTP that other tests rely on, in front of a server that knows no rules and of one with the official
// SDK.
//   node bridge_test.mjs PACKAGES

import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { Bridge } from './bridge_client.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const stub = [process.execPath, join(here, 'stub_server.mjs')];
const sdk = [process.execPath, join(here, 'sdk_server.mjs'), process.argv[2]];
const subscription = 'io.modelcontextprotocol/subscriptionId';

const request = (id, method, params = {}) => ({ jsonrpc: '2.0', id, method, params });
const introduction = request(0, 'initialize', {
    protocolVersion: '2025-11-25', capabilities: { elicitation: {} }, clientInfo: { name: 'test', version: '1' },
});

function bridged(name, server, talk, faults = []) {
    test(name, { timeout: 60_000 }, async (t) => {
        const bridge = await Bridge.start(...server);
        t.after(() => bridge.process.kill('SIGKILL'));
        await talk(bridge);
        assert.equal(await bridge.end(), 0);
        assert.deepEqual(bridge.faults.length, faults.length, bridge.faults.join('\n'));
        faults.forEach((fault, i) => assert.match(bridge.faults[i], fault));
    });
}

async function startSession(bridge) {
    const answer = await bridge.post(introduction);
    const headers = { 'Mcp-Session-Id': answer.headers['mcp-session-id'] };
    await answer.result();
    assert.equal((await bridge.post({ jsonrpc: '2.0', method: 'notifications/initialized' }, headers)).status, 202);
    return headers;
}

const isGone = (pid) => {
    try {
        return !process.kill(pid, 0);
    } catch {
        return true;
    }
};

bridged('what comes from elsewhere or is no message is refused', stub, async (bridge) => {
    const status = async (answer) => (await answer).status;
    assert.equal(await status(bridge.post(introduction, { Host: 'evil.example.com' })), 403);
    assert.equal(await status(bridge.post(introduction, { Origin: 'http://evil.example.com' })), 403);
    assert.equal(await status(bridge.post(introduction, { 'Content-Type': 'text/plain' })), 415);
    assert.equal(await status(bridge.post(introduction, { Accept: 'application/json' })), 406);
    assert.equal(await status(bridge.post('{')), 400);
    assert.equal(await status(bridge.post([introduction])), 400);
    assert.equal(await status(bridge.post({ ...introduction, id: null })), 400);
    assert.equal(await status(bridge.post(introduction, { Origin: 'http://localhost:1' })), 200);
});

bridged('a session lasts until it is deleted', stub, async (bridge) => {
    const headers = await startSession(bridge);
    const { result: { pid } } = await (await bridge.post(request('a', 'seen'), headers)).result();
    assert.equal((await bridge.post(request(1, 'seen'))).status, 400);
    assert.equal((await bridge.post(request(1, 'seen'), { 'Mcp-Session-Id': 'other' })).status, 404);
    const old = { ...headers, 'MCP-Protocol-Version': '1999-01-01' };
    assert.equal((await bridge.post(request(1, 'seen'), old)).status, 400);
    assert.equal((await bridge.send('DELETE', headers)).status, 204);
    assert.equal((await bridge.post(request(1, 'seen'), headers)).status, 404);
    assert.equal((await bridge.send('DELETE')).status, 405);
    assert.equal((await bridge.send('GET', { Accept: 'text/event-stream' })).status, 405);
    await bridge.end();
    assert.ok(isGone(pid));
});

bridged('each session has a server of its own', stub, async (bridge) => {
    const sessions = [await startSession(bridge), await startSession(bridge)];
    const ask = async (headers) => (await bridge.post(request(7, 'seen'), headers)).result();
    const answers = await Promise.all(sessions.map(ask));
    assert.notEqual(answers[0].result.pid, answers[1].result.pid);
    assert.deepEqual(answers.map(({ id }) => id), [7, 7]);
});

bridged('messages go on the stream of their request, others on that of a GET', sdk, async (bridge) => {
    const headers = await startSession(bridge);
    const stream = await bridge.send('GET', { ...headers, Accept: 'text/event-stream' });
    const call = (id, name, rest) =>
        bridge.post(request(id, 'tools/call', { name, arguments: {}, ...rest }), headers);
    const progress = await call(1, 'test_tool_with_progress', { _meta: { progressToken: 'p' } });
    assert.equal((await progress.result()).id, 1);
    assert.deepEqual(progress.messages.slice(0, -1).map(({ params }) => params.progressToken), ['p', 'p', 'p']);

    const asking = await call('two', 'test_elicitation', { arguments: { message: 'Who?' } });
    const asked = await asking.first(({ method }) => method === 'elicitation/create', 'the question');
    const reply = { jsonrpc: '2.0', id: asked.id, result: { action: 'decline' } };
    assert.equal((await bridge.post(reply, headers)).status, 202);
    assert.equal((await asking.result()).id, 'two');

    await (await call(3, 'test_trigger_tool_change')).result();
    await stream.first(({ method }) => method === 'notifications/tools/list_changed', 'the change');
    assert.equal(stream.messages.length, 1);
});

bridged('clients of 2026-07-28 may use the same ids and tokens at once', [...sdk, 'modern'], async (bridge) => {
    const meta = { progressToken: 1 };
    const call = () => bridge.modern(1, 'tools/call', { name: 'test_tool_with_progress' }, { meta });
    for (const answer of await Promise.all([call(), call(), call()])) {
        assert.equal((await answer.result()).id, 1);
        assert.deepEqual(answer.messages.slice(0, -1).map(({ params }) => params.progressToken), [1, 1, 1]);
    }
    assert.equal((await (await bridge.modern('s', 'tools/list')).result()).id, 's');
});

bridged('ids and tokens keep their types, and a lost stream is a cancel', stub, async (bridge) => {
    const controller = new AbortController();
    const lost = assert.rejects(fetch(bridge.url, {
        method: 'POST', signal: controller.signal,
        headers: {
            'Content-Type': 'application/json', Accept: '*/*',
            'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'slow',
        },
        body: JSON.stringify(request('x', 'slow', { _meta: { progressToken: 'x' } })),
    }));
    const seen = async (method) => {
        for (;;) {
            const { result } = await (await bridge.modern(9, 'seen')).result();
            const found = result.seen.find((message) => message.method === method);
            if (found)
                return found;
        }
    };
    const { id, params } = await seen('slow');
    assert.equal(typeof id, 'string');
    assert.equal(params._meta.progressToken, id);
    assert.equal(typeof (await seen('seen')).id, 'number');
    controller.abort();
    await lost;
    assert.equal((await seen('notifications/cancelled')).params.requestId, id);
});

bridged('headers have to say what the body says', [...sdk, 'modern'], async (bridge) => {
    const refused = async (answer) => {
        const { status, messages } = await answer.then(async (it) => (await it.result(), it));
        assert.deepEqual([status, messages[0].error?.code, messages[0].id], [400, -32020, 5]);
    };
    const params = { name: 'test_x_mcp_header', arguments: { region: 'Hello' } };
    const call = (headers) => bridge.modern(5, 'tools/call', params, { headers });
    await refused(call({ 'Mcp-Method': 'tools/list' }));
    await refused(call({ 'Mcp-Name': 'other', 'Mcp-Param-Region': 'Hello' }));
    await refused(call({ 'MCP-Protocol-Version': '2025-11-25', 'Mcp-Param-Region': 'Hello' }));
    await refused(call({}));
    for (const region of ['hello', '=?base64?SGVsbG8?=', '=?base64?SGVs!!!bG8=?=', '=?base64?/w==?='])
        await refused(call({ 'Mcp-Param-Region': region }));
    for (const region of ['Hello', '=?base64?SGVsbG8=?='])
        assert.equal((await (await call({ 'mcp-param-REGION': region })).result()).result.content[0].text, 'Hello');
    const name = `=?base64?${Buffer.from(params.name).toString('base64')}?=`;
    assert.equal((await call({ 'Mcp-Name': name, 'Mcp-Param-Region': 'Hello' })).status, 200);
    assert.equal((await bridge.modern(5, 'no such method')).status, 404);
    const notification = { jsonrpc: '2.0', method: 'x' };
    assert.equal((await bridge.post(notification, { 'MCP-Protocol-Version': '2026-07-28' })).status, 400);
});

bridged('subscriptions are streams', [...sdk, 'modern'], async (bridge) => {
    const listen = await bridge.modern('l', 'subscriptions/listen', { notifications: { toolsListChanged: true } });
    await listen.first(({ method }) => method === 'notifications/subscriptions/acknowledged', 'the acknowledgment');
    await (await bridge.modern('l', 'tools/call', { name: 'test_trigger_tool_change' })).result();
    await listen.first(({ method }) => method === 'notifications/tools/list_changed', 'the change');
    assert.ok(listen.messages.every(({ params }) => params._meta[subscription] === 'l'));
    listen.close();
});

bridged('what is no message on stdout is a fault', stub, async (bridge) => {
    assert.equal((await (await bridge.modern(1, 'print', { text: 'hello' })).result()).id, 1);
    await (await bridge.modern(1, 'print', { text: '{"jsonrpc":"2.0","id":99,"result":{}}' })).result();
}, [/fault: no message on stdout: hello/, /fault: for no open request/]);
