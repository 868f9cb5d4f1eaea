// A server written with vscode-jsonrpc, for our client. It is started as: node vscode_server.mjs PACKAGES

import { createRequire } from 'node:module';
import { join } from 'node:path';

const rpc = createRequire(join(process.argv[2], 'package.json'))('vscode-jsonrpc/node');
const connection = rpc.createMessageConnection(
    new rpc.StreamMessageReader(process.stdin), new rpc.StreamMessageWriter(process.stdout));

connection.onRequest('add', (a, b) => a + b);
connection.onRequest('echo', (params) => params);
connection.onRequest('fail', ({ code, message, data }) => new rpc.ResponseError(code, message, data));

// Ends when it is told to, by `release`, or cancelled, which is told by `gave up`.
const held = new Map();
connection.onRequest('hold', ({ name }, token) => new Promise((resolve) => {
    held.set(name, resolve);
    token.onCancellationRequested(() => {
        connection.sendNotification('gave up', { name });
        resolve(new rpc.ResponseError(-32800, 'Request cancelled'));
    });
    connection.sendNotification('held', { name });
}));
connection.onNotification('release', ({ name, result }) => held.get(name)(result));

connection.onRequest('work', async ({ steps, workDoneToken }) => {
    for (let step = 1; step <= steps; ++step)
        await connection.sendProgress(new rpc.ProgressType(), workDoneToken, { step });
    return { steps };
});

// Passes on what we answer it.
connection.onRequest('ask back', async ({ method, params }, token) => connection.sendRequest(method, params, token));

connection.onRequest('tell', async ({ count }) => {
    for (let number = 1; number <= count; ++number)
        await connection.sendNotification('told', { number });
    return null;
});

connection.onClose(() => process.exit(0));
connection.listen();
