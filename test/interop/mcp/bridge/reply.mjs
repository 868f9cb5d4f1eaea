// The answer to one HTTP request: a JSON object, or a stream of server-sent events once something comes before it.

const pause = 15_000; // ms between comments that keep an idle stream open

export class Refusal extends Error {
    constructor(status, code, message, data) {
        super(message);
        Object.assign(this, { status, code, data });
    }

    // The error response, without an id where there was none to read.
    response(id) {
        const error = { code: this.code, message: this.message, ...(this.data && { data: this.data }) };
        return { jsonrpc: '2.0', ...(id !== undefined && { id }), error };
    }
}

export class Reply {
    #http;
    #comments;

    // `onLost` is called if the client goes before the reply is finished.
    constructor(http, onLost = () => {}) {
        this.#http = http;
        this.isOpen = true;
        http.once('close', () => {
            const lost = this.isOpen;
            this.#stop();
            if (lost)
                onLost();
        });
    }

    #stop() {
        this.isOpen = false;
        clearInterval(this.#comments);
    }

    get isStream() {
        return this.#comments !== undefined;
    }

    startStream(headers = {}) {
        this.#http.writeHead(200, {
            'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache', 'X-Accel-Buffering': 'no', ...headers,
        });
        this.#http.flushHeaders();
        this.#comments = setInterval(() => this.#http.write(':\n\n'), pause).unref();
    }

    // Something that comes before the answer.
    send(message) {
        if (!this.isStream)
            this.startStream();
        this.#http.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
    }

    // The last that is said: a message, or nothing.
    finish(message, status = 200, headers = {}) {
        if (!this.isOpen)
            return;
        if (this.isStream && message)
            this.send(message);
        this.#stop();
        if (this.isStream)
            this.#http.end();
        else
            this.#answer(message, status, headers);
    }

    #answer(message, status, headers) {
        const type = message && { 'Content-Type': 'application/json' };
        this.#http.writeHead(status, { ...headers, ...type }).end(message && JSON.stringify(message));
    }

    refuse(refusal, id) {
        this.finish(refusal.response(id), refusal.status, refusal.status === 405 ? { Allow: 'POST' } : {});
    }
}
