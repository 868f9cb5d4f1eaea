// The life of partyline-echo as a language server, from before `initialize` to `exit`, as an editor's client sees it.

import assert from 'node:assert/strict';
import { framed, protocol, start } from './language_client.mjs';

const { ErrorCodes, ExitNotification, InitializeRequest, LSPErrorCodes, ShutdownRequest } = protocol;
const introduction = { processId: null, rootUri: null, capabilities: {} };

start('a request before initialize is refused', async (client) => {
    const error = await client.refusal('demo/echo', {});
    assert.equal(error.code, ErrorCodes.ServerNotInitialized);
    assert.equal(error.code, -32002);
    assert.equal((await client.refusal(ShutdownRequest.type)).code, -32002);
    await client.notify('demo/none', {}); // dropped
    await client.initialize();
    assert.deepEqual(await client.request('demo/echo', { now: 'it works' }), { now: 'it works' });
    await client.shutDown();
    await client.expectExit(0);
});

start('a second initialize is refused and changes nothing', async (client) => {
    await client.initialize();
    assert.equal((await client.refusal(InitializeRequest.type, introduction)).code, ErrorCodes.InvalidRequest);
    assert.deepEqual(await client.request('demo/echo', { still: 'here' }), { still: 'here' });
    await client.shutDown();
    await client.expectExit(0);
});

start('a request after shutdown is refused', async (client) => {
    await client.initialize();
    assert.equal(await client.request(ShutdownRequest.type), null);
    for (const method of ['demo/echo', 'demo/none', 'shutdown', 'initialize'])
        assert.equal((await client.refusal(method, introduction)).code, ErrorCodes.InvalidRequest, method);
    await client.notify(ExitNotification.type);
    await client.expectExit(0);
});

start('exit without shutdown is a failure', async (client) => {
    await client.initialize();
    await client.notify(ExitNotification.type);
    await client.expectExit(1);
});

start('exit before initialize is a failure', async (client) => {
    await client.notify(ExitNotification.type);
    await client.expectExit(1);
});

// It ends what is under way; what becomes of the request's answer is up to the server.
start('exit does not wait for requests', async (client) => {
    await client.initialize();
    const endless = client.refusal('demo/slow', { steps: 1, ms: 600_000 });
    endless.catch(() => {}); // fails with the connection, or is told
    await client.shutDown();
    await client.expectExit(0);
});

start('what is under way at shutdown is answered before exit', async (client) => {
    await client.initialize();
    const source = new protocol.CancellationTokenSource();
    const held = client.refusal('demo/slow', { steps: 1, ms: 600_000 }, source.token);
    assert.equal(await client.request(ShutdownRequest.type), null);
    source.cancel(); // even now
    assert.equal((await held).code, LSPErrorCodes.RequestCancelled);
    await client.notify(ExitNotification.type);
    await client.expectExit(0);
});

start('the end of input without exit ends the server too', async (client) => {
    await client.initialize();
    await client.write(framed({ jsonrpc: '2.0', id: 'last', method: 'demo/echo', params: { last: 'words' } }));
    client.process.stdin.end();
    assert.deepEqual((await client.reply('last')).result, { last: 'words' });
    await client.expectExit(0);
});

// The server can't know where the next message would begin.
start('a header without a length is answered, and is the end', async (client) => {
    await client.initialize();
    await client.write(Buffer.from('Content-Type: application/vscode-jsonrpc\r\n\r\n{}'));
    const { error } = await client.reply(null);
    assert.equal(error.code, ErrorCodes.ParseError);
    await client.expectExit(3);
});

// One message is lost, and no more.
start('a message in another encoding is answered, and the next one is served', async (client) => {
    await client.initialize();
    const body = Buffer.from('{"jsonrpc":"2.0","id":"lost","method":"demo/echo"}', 'utf16le');
    const header = `Content-Length: ${body.length}\r\nContent-Type: application/vscode-jsonrpc; charset=utf-16\r\n\r\n`;
    await client.write(Buffer.concat([Buffer.from(header), body]));
    const refused = await client.reply(null);
    assert.ok(refused.error, 'expected an error');
    await client.write(framed({ jsonrpc: '2.0', id: 'next', method: 'demo/echo', params: {} }));
    assert.deepEqual((await client.reply('next')).result, {});
    await client.shutDown();
    await client.expectExit(0);
});
