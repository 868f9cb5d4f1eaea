// The official SDK's client transport with partyline-echo as its server.
// Programs that use it are started as: node PROGRAM.mjs PACKAGES PARTYLINE-ECHO [...]

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Arrivals, once, soon } from './waiting.mjs';

const [packages, server] = process.argv.slice(2);
const require = createRequire(join(packages, 'package.json'));
const { StdioClientTransport } = require('@modelcontextprotocol/sdk/client/stdio.js');

export class EchoClient {
    messages = []; // all that came, in order
    lines = []; // the same as text, also what the SDK refuses
    errors = []; // what the SDK said of those
    timesClosed = 0;
    #replies = new Map(); // by id
    #arrivals = new Arrivals();
    #unfinished = [];

    static async start() {
        const client = new EchoClient();
        const transport = new StdioClientTransport({ command: server });
        client.transport = transport;
        transport.onmessage = (message) => client.#receive(message);
        transport.onerror = (error) => client.#note(client.errors, error);
        client.closed = new Promise((resolve) => {
            transport.onclose = () => resolve(++client.timesClosed);
        });
        await soon(transport.start(), `start of ${server}`);
        client.#watch(transport._process);
        return client;
    }

    // The transport tells neither the exit code nor what it can't parse, so the process is asked.
    #watch(process) {
        this.pid = process.pid;
        this.process = process;
        this.exit = once(process, 'exit').then(([code, signal]) => ({ code, signal }));
        process.stdin.setMaxListeners(0); // each message that finds it full listens for room
        process.stdout.on('data', (chunk) => this.#split(chunk));
    }

    #split(chunk) {
        for (let end; (end = chunk.indexOf('\n')) >= 0; chunk = chunk.subarray(end + 1)) {
            this.#unfinished.push(chunk.subarray(0, end));
            this.#note(this.lines, Buffer.concat(this.#unfinished.splice(0)).toString());
        }
        this.#unfinished.push(chunk);
    }

    #receive(message) {
        if (!('method' in message))
            this.#expected(message.id).settle(message);
        this.#note(this.messages, message);
    }

    // The first reply with that id, which comes or has come.
    #expected(id) {
        if (!this.#replies.has(id)) {
            const reply = {};
            reply.promise = new Promise((resolve) => { reply.settle = resolve; });
            this.#replies.set(id, reply);
        }
        return this.#replies.get(id);
    }

    #note(list, item) {
        list.push(item);
        this.#arrivals.look();
    }

    // Resolves with the first thing, of those that came and those to come, that `find` finds.
    first(find, what) {
        return this.#arrivals.first(find, what);
    }

    send(message) {
        return soon(this.transport.send(message), 'sending');
    }

    notify(method, params) {
        return this.send({ jsonrpc: '2.0', method, params });
    }

    async request(id, method, params) {
        await this.send({ jsonrpc: '2.0', id, method, params });
        return this.reply(id);
    }

    reply(id) {
        return soon(this.#expected(id).promise, `the reply to ${JSON.stringify(id)}`);
    }

    notifications(method) {
        return this.requests(method).map((message) => message.params);
    }

    requests(method) {
        return this.messages.filter((message) => message.method === method);
    }

    close() {
        return soon(this.transport.close(), 'closing');
    }

    // For a test that failed: nothing of it shall keep the others waiting.
    kill() {
        if (this.process.exitCode === null && this.process.signalCode === null)
            this.process.kill('SIGKILL');
    }
}
