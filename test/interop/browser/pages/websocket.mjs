// What a page of an origin that is allowed may do by WebSocket: calls, and being called.

class Conversation {
    #replies = new Map();
    #progress = new Map();
    #lastId = 0;
    settled = []; // ids, in the order of their replies

    constructor(url) {
        this.socket = new WebSocket(url, ['other', 'jsonrpc']);
        this.opened = new Promise((resolve, reject) => {
            this.socket.onopen = resolve;
            this.socket.onerror = () => reject(new Error('the WebSocket does not open'));
        });
        this.closed = new Promise((resolve) => { this.socket.onclose = resolve; });
        this.socket.onmessage = ({ data }) => this.#take(JSON.parse(data));
    }

    #take({ id, method, params, result, error }) {
        if (method === '$/progress')
            this.#progress.get(params.token)?.(params.value);
        else if (method === 'double')
            this.#send({ id, result: 2 * params[0] });
        else if (method === undefined) {
            this.settled.push(id);
            error ? this.#replies.get(id).reject(error) : this.#replies.get(id).resolve(result);
        }
    }

    #send(message) {
        this.socket.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
    }

    // A promise of the result, with the id that it has.
    call(method, params, onProgress) {
        const id = ++this.#lastId;
        this.#progress.set(id, onProgress);
        const reply = new Promise((resolve, reject) => this.#replies.set(id, { resolve, reject }));
        this.#send({ id, method, params });
        return Object.assign(reply, { id });
    }

    cancel({ id }) {
        this.#send({ method: '$/cancelRequest', params: { id } });
    }
}

async function count(to, talk) {
    const seen = [];
    const result = await talk.call('count', { to, ms: 1 }, (value) => seen.push(value));
    return [...seen, result];
}

// The first takes longest.
async function seeOrder(talk) {
    const before = talk.settled.length;
    const calls = [300, 150, 0].map((ms) => talk.call('delay', { ms, value: ms }));
    await Promise.all(calls);
    return talk.settled.slice(before).map((id) => calls.findIndex((call) => call.id === id) + 1);
}

async function cancelEndless(talk) {
    let begin;
    const begun = new Promise((resolve) => { begin = resolve; });
    const endless = talk.call('count', { to: 1_000_000, ms: 20 }, begin);
    await begun;
    talk.cancel(endless);
    return endless.then(() => 'a result', ({ code }) => code);
}

export default async function useServer({ url }) {
    const talk = new Conversation(url);
    await talk.opened;
    const text = 'aß€\u{1F600}'.repeat(100_000);
    const found = {
        protocol: talk.socket.protocol,
        extensions: talk.socket.extensions,
        sum: await talk.call('sum', [2, 40]),
        counted: await count(3, talk),
        calledBack: await Promise.all([1, 2, 3].map((n) => talk.call('call_back', { method: 'double', params: [n] }))),
        cancelled: await cancelEndless(talk),
        long: (await talk.call('echo', [text]))[0] === text,
        order: await seeOrder(talk),
    };
    talk.socket.close(1000);
    const { code, wasClean } = await talk.closed;
    return { ...found, end: { code, wasClean } };
}
