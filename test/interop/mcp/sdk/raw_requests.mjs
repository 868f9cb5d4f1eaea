// Sends requests over the transport of the SDK's client. That client refuses results of types that it does not know,
// such as a task's, and the package for tasks leaves sending to its user.

const timeout = 20_000; // ms for each

export class RawRequests {
    #transport;
    #pending = new Map();
    #last = 0;

    // After the client has connected.
    constructor(transport) {
        this.#transport = transport;
        const forTheClient = transport.onmessage;
        transport.onmessage = (message, extra) => {
            const pending = message.method === undefined && this.#pending.get(message.id);
            if (!pending)
                return forTheClient(message, extra);
            this.#pending.delete(message.id);
            pending(message.error ? { kind: 'error', error: message.error } : { kind: 'result', result: message.result });
        };
    }

    dispatch = async (request, { signal, context } = {}) => {
        const id = `raw-${++this.#last}`;
        const late = AbortSignal.timeout(timeout);
        const requestSignal = signal ? AbortSignal.any([signal, late]) : late;
        const answered = new Promise((resolve, reject) => {
            if (requestSignal.aborted)
                return reject(requestSignal.reason);
            this.#pending.set(id, resolve);
            requestSignal.addEventListener('abort', () => {
                this.#pending.delete(id);
                reject(requestSignal.reason);
            });
        });
        const message = { jsonrpc: '2.0', id, ...request };
        const [answer] = await Promise.all([answered,
            this.#transport.send(message, { requestSignal, headers: context?.headers })]);
        return answer;
    };
}
