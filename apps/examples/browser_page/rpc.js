// JSON-RPC over a WebSocket, in both directions: all that a page needs.

export class RpcError extends Error {
    constructor({ code, message, data }) {
        super(message);
        Object.assign(this, { code, data });
    }
}

export class Rpc {
    #socket;
    #calls = new Map(); // by id: who waits, and who hears of progress
    #lastId = 0;

    // `methods` answer what the server calls: an object of functions, which may be async. `onNotification(method, params)` hears
    // what it tells.
    static async connect(url, { methods = {}, onNotification = () => {}, onClose = () => {} } = {}) {
        const rpc = new Rpc();
        const socket = new WebSocket(url, ['jsonrpc']);
        rpc.#socket = socket;
        await new Promise((resolve, reject) => {
            socket.onopen = resolve;
            socket.onerror = () => reject(new Error(`cannot connect to ${url}`));
        });
        socket.onerror = null;
        socket.onmessage = ({ data }) => rpc.#take(JSON.parse(data), methods, onNotification);
        socket.onclose = ({ code, reason }) => {
            for (const { reject } of rpc.#calls.values())
                reject(new Error(`the connection was closed (${code})`));
            rpc.#calls.clear();
            onClose(code, reason);
        };
        return rpc;
    }

    // Calls a method. `onProgress` hears of it on the way; where `signal` (of an AbortController) is given up, the server is told.
    call(method, params, { onProgress = () => {}, signal } = {}) {
        const id = ++this.#lastId;
        return new Promise((resolve, reject) => {
            this.#calls.set(id, { resolve, reject, onProgress });
            signal?.addEventListener('abort', () => this.notify('$/cancelRequest', { id }), { once: true });
            this.#send({ id, method, params });
        });
    }

    notify(method, params) {
        this.#send({ method, params });
    }

    close() {
        this.#socket.close(1000);
    }

    #send(message) {
        this.#socket.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
    }

    #take(message, methods, onNotification) {
        const { id, method, params } = message;
        if (method === undefined)
            this.#settle(message);
        else if (id !== undefined)
            this.#answer(id, methods[method], params);
        else if (method === '$/progress')
            this.#calls.get(params.token)?.onProgress(params.value);
        else
            onNotification(method, params);
    }

    #settle({ id, result, error }) {
        const waiting = this.#calls.get(id);
        this.#calls.delete(id);
        if (error)
            waiting?.reject(new RpcError(error));
        else
            waiting?.resolve(result);
    }

    async #answer(id, method, params) {
        try {
            if (!method)
                return this.#send({ id, error: { code: -32601, message: 'Method not found' } });
            this.#send({ id, result: (await method(params)) ?? null });
        } catch (error) {
            this.#send({ id, error: { code: -32603, message: String(error) } });
        }
    }
}
