// Puts Streamable HTTP in front of a server that speaks on stdio, so that what speaks only HTTP can test it:
//   node http_bridge.mjs [--until-eof] -- SERVER ARGUMENTS...
// It says on stdout where it listens, and on stderr, after `bridge: fault:`, what the server did that it should not. It
// ends its children and itself on SIGTERM and SIGINT, and with --until-eof at the end of its own input.

import { createServer } from 'node:http';
import { endAll } from './bridge/child.mjs';
import { metaPrefix } from './bridge/headers.mjs';
import { Legacy } from './bridge/legacy.mjs';
import { Modern } from './bridge/modern.mjs';
import { Refusal, Reply } from './bridge/reply.mjs';

const modernVersion = '2026-07-28';
const largestBody = 16 * 1024 * 1024;

const separator = process.argv.indexOf('--');
const command = process.argv.slice(separator + 1);
if (separator < 0 || command.length === 0) {
    process.stderr.write('usage: node http_bridge.mjs [--until-eof] -- SERVER ARGUMENTS...\n');
    process.exit(2);
}
const eras = { legacy: new Legacy(command), modern: new Modern(command) };

// A page that a browser has loaded from elsewhere must not reach this server by a name that now leads here.
function checkOrigin({ host = '', origin }) {
    const isLocal = (url) => URL.canParse(url) && ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname);
    if (!isLocal(`http://${host}`))
        throw new Refusal(403, -32600, 'the header Host does not name this machine');
    if (origin !== undefined && !isLocal(origin))
        throw new Refusal(403, -32600, 'the header Origin names another machine');
}

async function readBody(request) {
    const chunks = [];
    let size = 0;
    for await (const chunk of request) {
        if ((size += chunk.length) > largestBody)
            throw new Refusal(413, -32600, `the body has more than ${largestBody} bytes`);
        chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString();
}

function parse(body) {
    let message;
    try {
        message = JSON.parse(body);
    } catch (error) {
        throw new Refusal(400, -32700, `the body is no JSON: ${error.message}`);
    }
    if (typeof message !== 'object' || message === null || Array.isArray(message) || message.jsonrpc !== '2.0')
        throw new Refusal(400, -32600, 'the body has to be one JSON-RPC 2.0 message');
    if ('id' in message && typeof message.id !== 'string' && !Number.isSafeInteger(message.id))
        throw new Refusal(400, -32600, 'the id has to be a string or an integer that a double holds exactly');
    return message;
}

function checkTypes({ 'content-type': type = '', accept = '' }) {
    if (!/^application\/json *(;|$)/i.test(type))
        throw new Refusal(415, -32600, 'the header Content-Type has to be application/json');
    if (!accept.includes('*/*') && !['application/json', 'text/event-stream'].every((type) => accept.includes(type)))
        throw new Refusal(406, -32600, 'the header Accept has to name application/json and text/event-stream');
}

function eraOf({ method, params }, { 'mcp-protocol-version': version }) {
    const isModern = typeof params?._meta?.[`${metaPrefix}protocolVersion`] === 'string'
        || version === modernVersion || method === 'server/discover';
    return isModern ? eras.modern : eras.legacy;
}

async function post(request, response) {
    checkTypes(request.headers);
    const message = parse(await readBody(request));
    try {
        await eraOf(message, request.headers).post(message, request, response);
    } catch (error) {
        refuse(error, response, message.id);
    }
}

async function serve(request, response) {
    checkOrigin(request.headers);
    if (new URL(request.url, 'http://localhost').pathname !== '/mcp')
        throw new Refusal(404, -32600, 'there is nothing here but /mcp');
    if (request.method === 'POST')
        return post(request, response);
    const hasSession = request.headers['mcp-session-id'] !== undefined;
    if (!['GET', 'DELETE'].includes(request.method) || !hasSession)
        throw new Refusal(405, -32600, `${request.method} is not for what has no session`);
    return eras.legacy[request.method.toLowerCase()](request, response);
}

function refuse(error, response, id) {
    if (response.destroyed)
        return; // the client has gone
    if (!(error instanceof Refusal))
        process.stderr.write(`bridge: ${error.stack}\n`);
    new Reply(response).refuse(error instanceof Refusal ? error : new Refusal(500, -32603, 'the bridge failed'), id);
}

const server = createServer((request, response) => {
    serve(request, response).catch((error) => refuse(error, response));
});
server.listen(0, '127.0.0.1', () => {
    process.stdout.write(`listening on http://127.0.0.1:${server.address().port}/mcp\n`);
});

async function end() {
    server.close();
    await endAll();
    process.exit(0);
}
process.once('SIGTERM', end).once('SIGINT', end);
if (process.argv.slice(0, separator).includes('--until-eof'))
    process.stdin.resume().once('close', end).once('end', end);
