// JSON-RPC over a WebSocket of the package ws, in its own words.

import assert from 'node:assert/strict';
import { Arrivals, soon } from '../waiting.mjs';

export class Peer {
    messages = []; // all that came, in order
    pongs = []; // what those say
    #arrivals = new Arrivals();

    constructor(socket) {
        this.socket = socket;
        socket.on('message', (data, isBinary) => this.#note(this.messages, isBinary ? data : JSON.parse(data)));
        socket.on('pong', (data) => this.#note(this.pongs, data.toString()));
        socket.on('error', (error) => { this.error = error; }); // what follows is that it is closed
        this.closed = new Promise((resolve) => socket.once('close', (code, reason) => {
            this.code = code;
            resolve({ code, reason: reason.toString() });
            this.#arrivals.look();
        }));
    }

    #note(list, item) {
        list.push(item);
        this.#arrivals.look();
    }

    // Resolves with the first thing, of those that came and those to come, that `find` finds.
    first(find, what) {
        const look = () => find() ?? (this.code === undefined ? undefined : { closedWith: this.code });
        return this.#arrivals.first(look, what).then((found) => {
            assert.ok(!found.closedWith, `${what}: closed with ${found.closedWith}`);
            return found;
        });
    }

    send(message) {
        this.socket.send(JSON.stringify(message));
    }

    notify(method, params) {
        this.send({ jsonrpc: '2.0', method, params });
    }

    start(id, method, params) {
        this.send({ jsonrpc: '2.0', id, method, params });
    }

    request(id, method, params) {
        this.start(id, method, params);
        return this.reply(id);
    }

    reply(id) {
        const find = () => this.messages.find((message) => message.id === id && !('method' in message));
        return this.first(find, `the reply to ${JSON.stringify(id)}`);
    }

    // The requests or notifications of that method, once there are so many.
    several(method, count) {
        const find = () => {
            const found = this.messages.filter((message) => message.method === method);
            return found.length >= count ? found : undefined;
        };
        return this.first(find, `${count} times ${method}`);
    }

    async sees(result = { still: 'here' }) {
        assert.deepEqual((await this.request('sees', 'echo', result)).result, result);
    }

    close(...how) {
        this.socket.close(...how);
        return this.end();
    }

    end() {
        return soon(this.closed, 'the end of the connection');
    }
}
