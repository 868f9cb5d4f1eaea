// An editor's client, vscode-languageserver-protocol, with partyline-echo as its language server.
// Programs that use it are started as: node PROGRAM.mjs PACKAGES PARTYLINE-ECHO

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import test from 'node:test';
import { Arrivals, once, soon } from './waiting.mjs';

const [packages, server] = process.argv.slice(2);
export const protocol = createRequire(join(packages, 'package.json'))('vscode-languageserver-protocol/node');

// As it goes over the wire.
export function framed(message) {
    const body = Buffer.from(typeof message === 'string' ? message : JSON.stringify(message));
    return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]);
}

export class LanguageClient {
    received = []; // all messages that came, in order, those of the connection too
    errors = []; // what the connection complains of
    chunks = 0; // in which they came
    #arrivals = new Arrivals();

    constructor() {
        this.process = spawn(server, ['--profile', 'lsp'], { stdio: ['pipe', 'pipe', 'inherit'] });
        this.exit = once(this.process, 'exit').then(([code, signal]) => ({ code, signal }));
        this.ended = once(this.process, 'close');
        this.process.stdin.on('error', () => {}); // who sends behind the end finds out by what does not come
        this.process.stdout.on('data', () => ++this.chunks);
        this.connection = this.#connect();
        this.connection.listen();
    }

    #connect() {
        const reader = new protocol.StreamMessageReader(this.process.stdout);
        const listen = reader.listen.bind(reader);
        reader.listen = (callback) => listen((message) => {
            callback(message);
            this.received.push(message);
            this.#arrivals.look();
        });
        const complain = (text) => this.errors.push(text);
        const logger = { error: complain, warn: complain, info: complain, log: () => {} };
        const writer = new protocol.StreamMessageWriter(this.process.stdin);
        const connection = protocol.createProtocolConnection(reader, writer, logger);
        connection.onError(([error]) => complain(error.message));
        return connection;
    }

    async initialize(capabilities = {}) {
        const { InitializeRequest, InitializedNotification } = protocol;
        const params = { processId: process.pid, rootUri: null, capabilities };
        this.introduction = await this.request(InitializeRequest.type, params);
        await this.notify(InitializedNotification.type, {});
    }

    request(type, ...values) {
        return soon(this.connection.sendRequest(type, ...values), `the answer to ${type.method ?? type}`);
    }

    notify(type, ...values) {
        return soon(this.connection.sendNotification(type, ...values), `sending ${type.method ?? type}`);
    }

    // Resolves with the error that a request is answered with.
    refusal(type, ...values) {
        return this.request(type, ...values).then(
            (result) => assert.fail(`expected an error, got ${JSON.stringify(result)}`), (error) => error);
    }

    // Writes bytes past the connection, in one piece; resolves when the system has them.
    write(bytes) {
        return soon(new Promise((resolve) => this.process.stdin.write(bytes, resolve)), 'writing');
    }

    // The answer to a request that was written so; its id is none of the connection's.
    reply(id) {
        const find = () => this.received.find((message) => message.id === id && !('method' in message));
        return this.#arrivals.first(find, `the reply to ${JSON.stringify(id)}`);
    }

    progress(token) {
        const told = this.received.filter(({ method, params }) => method === '$/progress' && params.token === token);
        return told.map(({ params }) => params.value);
    }

    // Asks for the end in order.
    async shutDown() {
        assert.equal(await this.request(protocol.ShutdownRequest.type), null);
        await this.notify(protocol.ExitNotification.type);
    }

    async expectExit(code) {
        assert.deepEqual(await soon(this.exit, 'the exit'), { code, signal: null });
        await soon(this.ended, 'the end of its output');
    }

    dispose() {
        this.connection.dispose();
        if (this.process.exitCode === null && this.process.signalCode === null)
            this.process.kill('SIGKILL');
    }
}

// A test with a server of its own, which is not initialized yet.
export function start(name, talk) {
    test(name, { timeout: 60_000 }, async (t) => {
        const client = new LanguageClient();
        t.after(() => client.dispose());
        await talk(client);
    });
}

// A whole conversation; whatever it was, it has to end well.
export function conversation(name, talk, capabilities) {
    start(name, async (client) => {
        await client.initialize(capabilities);
        await talk(client);
        assert.deepEqual(client.errors, []);
        await client.shutDown();
        await client.expectExit(0);
    });
}
