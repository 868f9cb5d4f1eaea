// HTTP as a client of the bridge would speak it, with every header under the test's control.

import { spawn } from 'node:child_process';
import { request } from 'node:http';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { newModernRequest } from '../browser/pages/requests.mjs';
import { Arrivals, once, soon } from '../waiting.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const types = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };

export class Bridge {
    faults = [];

    static async start(...server) {
        const bridge = new Bridge();
        bridge.process = spawn(process.execPath, [join(here, 'http_bridge.mjs'), '--', ...server]);
        bridge.exit = once(bridge.process, 'exit').then(([code, signal]) => code ?? signal);
        createInterface({ input: bridge.process.stderr }).on('line', (line) => bridge.faults.push(line));
        const [line] = await soon(once(createInterface({ input: bridge.process.stdout }), 'line'), 'the bridge');
        bridge.url = line.replace('listening on ', '');
        return bridge;
    }

    end() {
        this.process.kill('SIGTERM');
        return soon(this.exit, 'the end of the bridge');
    }

    // Resolves when the headers of the answer are there.
    send(method, headers = {}, body = undefined) {
        const sent = request(this.url, { method, headers });
        const response = soon(once(sent, 'response'), `the answer to ${method}`);
        sent.on('error', () => {}); // the bound on the answer tells it
        sent.end(typeof body === 'object' ? JSON.stringify(body) : body);
        return response.then(([it]) => new Answer(it));
    }

    post(body, headers = {}) {
        return this.send('POST', { ...types, ...headers }, body);
    }

    // A request of 2026-07-28 with all that it needs, but for what `headers` and `meta` change.
    modern(id, method, params = {}, { headers = {}, meta = {} } = {}) {
        const { body, headers: said } = newModernRequest(method, { ...params, _meta: meta });
        return this.post({ ...body, id }, { ...said, ...headers });
    }
}

export class Answer {
    messages = []; // of a stream, or the one that is the body
    #arrivals = new Arrivals();
    #text = '';

    constructor(response) {
        Object.assign(this, { response, status: response.statusCode, headers: response.headers });
        this.isStream = response.headers['content-type'] === 'text/event-stream';
        this.ended = new Promise((resolve) => response.once('close', resolve));
        response.setEncoding('utf8').on('data', (text) => this.#read(text));
        response.on('end', () => this.#note(this.isStream || !this.#text ? [] : [this.#text]));
        response.on('error', () => {}); // the test has closed it
    }

    #read(text) {
        this.#text += text;
        if (!this.isStream)
            return;
        const events = this.#text.split('\n\n');
        this.#text = events.pop();
        this.#note(events.map((event) => /^data: (.*)$/m.exec(event)?.[1]).filter((data) => data !== undefined));
    }

    #note(texts) {
        this.messages.push(...texts.map((text) => JSON.parse(text)));
        this.#arrivals.look();
    }

    first(find, what) {
        return this.#arrivals.first(() => this.messages.find(find), what);
    }

    // The last message, which is the response.
    async result() {
        await soon(this.ended, 'the end of an answer');
        return this.messages.at(-1);
    }

    close() {
        this.response.destroy();
    }
}
