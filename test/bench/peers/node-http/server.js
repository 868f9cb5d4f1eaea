'use strict';

const http = require('node:http');

function answer({ id, method, params }) {
    return method === 'echo' ? { jsonrpc: '2.0', id, result: params }
        : { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } };
}

const server = http.createServer((request, response) => {
    const parts = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
        const body = JSON.stringify(answer(JSON.parse(Buffer.concat(parts).toString())));
        response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
        response.end(body);
    });
});
server.listen(0, '127.0.0.1', () => {
    process.stderr.write(`listening on http://127.0.0.1:${server.address().port}\n`);
});
