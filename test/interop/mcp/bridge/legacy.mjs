// The handshake era: a child a session, which `initialize` starts and DELETE ends.

import { randomUUID } from 'node:crypto';
import { Child, fault } from './child.mjs';
import { Refusal, Reply } from './reply.mjs';

const versions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
const mostWaiting = 1000; // messages for a GET stream that is not there

const isRequest = (message) => 'method' in message && 'id' in message;
const isResponse = (message) => !('method' in message);
const keyOf = (id) => JSON.stringify(id);

class Session {
    #child;
    #open = new Map(); // requests of the client that wait for their answers, by id, in the order of their coming
    #asked = new Map(); // where requests of the server went, by id
    #streams = []; // by GET
    #waiting = []; // what none of these has taken yet

    constructor(command, onEnd) {
        this.id = randomUUID();
        this.#child = new Child(command, {
            onMessage: (message) => this.#fromServer(message),
            onEnd: () => { onEnd(this); this.#onEnd(); },
        });
    }

    #onEnd() {
        for (const { reply, id } of this.#open.values())
            reply.refuse(new Refusal(502, -32603, 'the server has ended'), id);
        this.#streams.forEach((stream) => stream.finish());
    }

    end() {
        return this.#child.end();
    }

    post(message, http) {
        if (isRequest(message))
            this.#request(message, http);
        else
            new Reply(http).finish(undefined, 202);
        this.#child.send(message);
    }

    #request({ id, method, params }, http) {
        if (this.#open.has(keyOf(id)))
            throw new Refusal(400, -32600, `a request with the id ${keyOf(id)} is still open`);
        // A client that goes does not thereby cancel its request in this era, but its answer has nowhere to go.
        this.#open.set(keyOf(id), { id, method, token: params?._meta?.progressToken, reply: new Reply(http) });
    }

    get(http) {
        const stream = new Reply(http, () => { this.#streams = this.#streams.filter((other) => other !== stream); });
        stream.startStream({ 'Mcp-Session-Id': this.id });
        this.#streams.push(stream);
        this.#waiting.splice(0).forEach((message) => stream.send(message));
    }

    #fromServer(message) {
        if (isResponse(message))
            this.#answer(message);
        else
            this.#forward(message);
    }

    #answer(message) {
        const request = this.#open.get(keyOf(message.id));
        if (!request)
            return fault(`a response to no open request: ${JSON.stringify(message).slice(0, 200)}`);
        this.#open.delete(keyOf(message.id));
        request.reply.finish(message, 200, request.method === 'initialize' ? { 'Mcp-Session-Id': this.id } : {});
        if (request.method === 'initialize' && message.error)
            this.end();
    }

    // What is no answer goes on the stream of the request that it belongs to, else on that of a GET.
    #forward(message) {
        const stream = this.#streamFor(message) ?? this.#streams.at(-1);
        if (isRequest(message))
            this.#asked.set(keyOf(message.id), stream);
        if (stream)
            stream.send(message);
        else if (this.#waiting.push(message) > mostWaiting)
            this.#waiting.shift();
    }

    #streamFor({ method, id, params }) {
        const open = [...this.#open.values()].filter(({ reply }) => reply.isOpen);
        if (method === 'notifications/progress')
            return (open.find(({ token }) => token === params?.progressToken) ?? open.at(-1))?.reply;
        if (method === 'notifications/cancelled')
            return this.#openAsked(params?.requestId);
        if (id !== undefined || method === 'notifications/message')
            return open.at(-1)?.reply;
        return undefined; // of lists and resources, which belong to no request
    }

    #openAsked(id) {
        const stream = this.#asked.get(keyOf(id));
        return stream?.isOpen ? stream : undefined;
    }

    forget(message) {
        if (isResponse(message))
            this.#asked.delete(keyOf(message.id));
    }
}

export class Legacy {
    #sessions = new Map();
    #command;

    constructor(command) {
        this.#command = command;
    }

    post(message, request, http) {
        const id = request.headers['mcp-session-id'];
        const session = id === undefined && message.method === 'initialize' && isRequest(message)
            ? this.#start() : this.#find(request);
        session.forget(message);
        session.post(message, http);
    }

    #start() {
        const session = new Session(this.#command, ({ id }) => this.#sessions.delete(id));
        this.#sessions.set(session.id, session);
        return session;
    }

    #find({ headers }) {
        const id = headers['mcp-session-id'];
        const version = headers['mcp-protocol-version'];
        if (id === undefined)
            throw new Refusal(400, -32600, 'the header Mcp-Session-Id is missing');
        if (!this.#sessions.has(id))
            throw new Refusal(404, -32600, 'there is no such session');
        if (version !== undefined && !versions.includes(version))
            throw new Refusal(400, -32600, `MCP-Protocol-Version is ${version}, expected one of ${versions}`);
        return this.#sessions.get(id);
    }

    get(request, http) {
        if (!request.headers.accept?.includes('text/event-stream'))
            throw new Refusal(406, -32600, 'the header Accept has to name text/event-stream');
        this.#find(request).get(http);
    }

    delete(request, http) {
        const session = this.#find(request);
        this.#sessions.delete(session.id);
        session.end();
        new Reply(http).finish(undefined, 204);
    }
}
