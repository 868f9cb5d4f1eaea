// A server with the official SDK over HTTP, by what the SDK has for that: handshakes begin sessions, and requests of
// the later revision have servers of their own.

import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { sdk } from './package.mjs';

class Sessions {
    #known = new Map();

    constructor(makeServer) {
        this.makeServer = makeServer;
    }

    async fetch(request) {
        const id = request.headers.get('Mcp-Session-Id');
        const known = this.#known.get(id);
        if (id && !known)
            return new Response(null, { status: 404 });
        return (known ?? await this.#begin()).handleRequest(request);
    }

    async #begin() {
        const transport = new sdk.WebStandardStreamableHTTPServerTransport({
            sessionIdGenerator: randomUUID,
            onsessioninitialized: (id) => this.#known.set(id, transport),
            onsessionclosed: (id) => this.#known.delete(id),
        });
        await this.makeServer().connect(transport);
        return transport;
    }
}

function refuse(request) {
    return sdk.hostHeaderValidationResponse(request, sdk.localhostAllowedHostnames()) ??
        sdk.originValidationResponse(request, sdk.localhostAllowedOrigins());
}

// The SDK speaks the web's words for requests and answers, not those of Node.
function toWeb(asked, answer) {
    const { method, url, headers } = asked;
    const gone = new AbortController();
    answer.once('close', () => gone.abort());
    const body = method === 'POST' ? Readable.toWeb(asked) : undefined;
    return new Request(`http://127.0.0.1${url}`, { method, headers, body, duplex: 'half', signal: gone.signal });
}

async function send({ status, headers, body }, answer) {
    answer.writeHead(status, Object.fromEntries(headers)).flushHeaders();
    if (body)
        Readable.fromWeb(body).on('error', () => answer.destroy()).pipe(answer);
    else
        answer.end();
}

// Says where it listens as our servers do: on the port that the variable PORT has, if there is one.
export function serveHttp(makeServer, changes) {
    const modern = sdk.createMcpHandler(makeServer, { legacy: 'reject' });
    const sessions = new Sessions(makeServer);
    changes.tell = (what) => modern.notify[`${what}Changed`]();
    const server = createServer(async (asked, answer) => {
        const request = toWeb(asked, answer);
        const way = async () => (await sdk.isLegacyRequest(request) ? sessions : modern);
        await send(refuse(request) ?? await (await way()).fetch(request), answer);
    });
    server.listen(Number(process.env.PORT ?? 0), '127.0.0.1', () => {
        process.stderr.write(`listening on http://127.0.0.1:${server.address().port}\n`);
    });
    process.once('SIGTERM', () => process.exit());
}
