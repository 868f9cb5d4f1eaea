// 2026-07-28: no sessions, so that all requests go to one child. Ids and progress tokens of several clients may be the
// same, so that the child gets others, of the same type, and each client sees its own again.

import { Child, fault } from './child.mjs';
import { checkMirrored, checkStandard, metaPrefix, mirrored } from './headers.mjs';
import { Refusal, Reply } from './reply.mjs';

const subscription = `${metaPrefix}subscriptionId`;
const mostPages = 100;
const grace = 1000; // ms in which what was on its way when a cancel went out may still come
const statuses = new Map([[-32020, 400], [-32021, 400], [-32022, 400], [-32600, 400], [-32601, 404]]);

const keyOf = (id) => JSON.stringify(id);
const isToken = (value) => typeof value === 'string' || Number.isInteger(value);

function statusOf({ error }, { meta }) {
    if (!error)
        return 200;
    const complete = meta?.[`${metaPrefix}protocolVersion`] && meta?.[`${metaPrefix}clientCapabilities`];
    return statuses.get(error.code) ?? (complete ? 200 : 400);
}

const withMeta = (part, changes) => ({ ...part, _meta: { ...part?._meta, ...changes } });

export class Modern {
    #command;
    #child;
    #counter = 0;
    #open = new Map(); // by the id that the child has got
    #cancelled = new Set(); // these ids, not long ago
    #marks; // of the tools, by name: where arguments stand in headers as well

    constructor(command) {
        this.#command = command;
    }

    async post(message, request, http) {
        if (!('method' in message) || !('id' in message))
            throw new Refusal(400, -32600, 'only requests are sent over HTTP in this revision');
        checkStandard(request.headers, message);
        if (message.method === 'tools/call')
            checkMirrored(request.headers, await this.#marksOf(message), message.params?.arguments);
        if (http.destroyed)
            return; // the client has gone meanwhile
        const reply = new Reply(http, () => this.#cancel(id));
        const id = this.#send(message, reply);
    }

    // Passes a request on under an id of the bridge's own.
    #send({ id, method, params }, reply) {
        const inner = typeof id === 'string' ? `b${++this.#counter}` : ++this.#counter;
        const token = params?._meta?.progressToken;
        this.#open.set(keyOf(inner), { id, method, token, meta: params?._meta, reply });
        this.#running().send({
            jsonrpc: '2.0', id: inner, method,
            params: isToken(token) ? withMeta(params, { progressToken: inner }) : params,
        });
        return inner;
    }

    #running() {
        this.#child ??= new Child(this.#command, {
            onMessage: (message) => this.#fromServer(message),
            onEnd: () => this.#onEnd(),
        });
        return this.#child;
    }

    #onEnd() {
        this.#child = undefined;
        for (const { reply, id } of this.#open.values())
            reply.refuse(new Refusal(502, -32603, 'the server has ended'), id);
        this.#open.clear();
    }

    // Nothing more may come for the request after this, but for what was on its way.
    #cancel(id) {
        const request = this.#open.get(keyOf(id));
        if (!request)
            return;
        this.#open.delete(keyOf(id));
        this.#cancelled.add(keyOf(id));
        setTimeout(() => this.#cancelled.delete(keyOf(id)), grace).unref();
        const entries = Object.entries(request.meta ?? {}).filter(([key]) => key.startsWith(metaPrefix));
        const _meta = Object.fromEntries(entries);
        const params = { requestId: id, reason: 'the client has closed the stream', _meta };
        this.#child.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
    }

    #fromServer(message) {
        if ('method' in message)
            return this.#forward(message);
        const request = this.#open.get(keyOf(message.id));
        if (!request)
            return this.#strayed(message.id, message);
        this.#open.delete(keyOf(message.id));
        const answer = { ...message, id: request.id };
        if (message.result?._meta?.[subscription] !== undefined)
            answer.result = withMeta(message.result, { [subscription]: request.id });
        request.reply.finish(answer, statusOf(message, request));
    }

    #forward(message) {
        const { method, params } = message;
        if (method === 'notifications/cancelled')
            return this.#endListen(params);
        if (method === 'notifications/progress')
            return this.#forwardBy(params?.progressToken, message,
                ({ token }) => ({ ...params, progressToken: token }));
        const listen = params?._meta?.[subscription];
        if (listen !== undefined)
            return this.#forwardBy(listen, message, ({ id }) => withMeta(params, { [subscription]: id }));
        return this.#forwardToNewest(message);
    }

    #forwardBy(id, message, restored) {
        const request = this.#open.get(keyOf(id));
        if (request)
            request.reply.send({ ...message, params: restored(request) });
        else
            this.#strayed(id, message);
    }

    #strayed(id, message) {
        if (!this.#cancelled.has(keyOf(id)))
            fault(`for no open request: ${JSON.stringify(message).slice(0, 200)}`);
    }

    // The server ends a subscription; its result has come before, or else never comes.
    #endListen(params) {
        const request = this.#open.get(keyOf(params?.requestId));
        this.#open.delete(keyOf(params?.requestId));
        request?.reply.finish();
    }

    // Log messages do not say which request they belong to. Anything else that comes here is against the rules, and
    // goes to a client nevertheless, so that it sees that.
    #forwardToNewest(message) {
        const calls = [...this.#open.values()].filter(({ method }) => method !== 'subscriptions/listen');
        const logged = calls.filter(({ meta }) => meta?.[`${metaPrefix}logLevel`] !== undefined);
        const request = (message.method === 'notifications/message' && logged.at(-1)) || calls.at(-1);
        if (message.method !== 'notifications/message' || !request)
            fault(`belongs to no request: ${JSON.stringify(message).slice(0, 200)}`);
        request?.reply.send(message);
    }

    // Asks the server for its tools where one is called that was not among them before.
    async #marksOf({ params }) {
        const name = params?.name;
        if (!this.#marks?.has(name))
            this.#marks = await this.#listMarks(params?._meta);
        return this.#marks.get(name) ?? [];
    }

    async #listMarks(meta) {
        const marks = new Map();
        let cursor;
        for (let page = 0; page < mostPages; ++page) {
            const { result } = await this.#ask('tools/list', { ...(cursor !== undefined && { cursor }), _meta: meta });
            for (const tool of result?.tools ?? [])
                marks.set(tool.name, mirrored(tool.inputSchema));
            cursor = result?.nextCursor;
            if (cursor === undefined)
                break;
        }
        return marks;
    }

    // A request of the bridge itself, of which only the answer is looked at.
    #ask(method, { _meta: { progressToken, ...meta } = {}, ...params }) {
        return new Promise((resolve) => {
            const reply = { send() {}, finish: resolve, refuse: () => resolve({}) };
            this.#send({ id: 0, method, params: { ...params, _meta: meta } }, reply);
        });
    }
}
