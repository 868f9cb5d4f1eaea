'use strict';

const { WebSocketServer } = require('ws');

function answer({ id, method, params }) {
    return method === 'echo' ? { jsonrpc: '2.0', id, result: params }
        : { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } };
}

const server = new WebSocketServer({ host: '127.0.0.1', port: 0, path: '/ws' });
server.on('connection', (socket) => {
    socket.on('error', console.error);
    socket.on('message', (data) => socket.send(JSON.stringify(answer(JSON.parse(data)))));
});
server.on('listening', () => {
    process.stderr.write(`listening on http://127.0.0.1:${server.address().port}\n`);
});
