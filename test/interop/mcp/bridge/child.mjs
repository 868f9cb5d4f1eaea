// A server on stdio: one message a line each way. What it should not do is told as a fault, on stderr.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const patience = 1000; // ms until a child that does not end is asked more firmly
const running = new Set();

export function fault(text) {
    process.stderr.write(`bridge: fault: ${text}\n`);
}

// Those that still run when the bridge ends, however it ends.
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')));

export function endAll() {
    return Promise.all([...running].map((child) => child.end()));
}

export class Child {
    #process;
    #ending = false;

    // `onMessage` gets each message, `onEnd` is called once, when the child is gone.
    constructor([program, ...args], { onMessage, onEnd }) {
        this.#process = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
        running.add(this);
        this.ended = new Promise((resolve) => this.#process.once('close', resolve));
        this.#process.once('error', (error) => fault(`${program} cannot be started: ${error.message}`));
        this.#process.once('close', (code, signal) => this.#onClose(program, code, signal, onEnd));
        this.#process.stdin.on('error', () => {}); // it is gone, which the event above tells
        createInterface({ input: this.#process.stdout, crlfDelay: Infinity })
            .on('line', (line) => this.#onLine(line, onMessage));
    }

    #onLine(line, onMessage) {
        let message;
        try {
            message = JSON.parse(line);
        } catch { /* told below */ }
        if (message?.jsonrpc !== '2.0')
            fault(`no message on stdout: ${line.slice(0, 200)}`);
        else
            onMessage(message);
    }

    #onClose(program, code, signal, onEnd) {
        running.delete(this);
        if (!this.#ending || code !== 0)
            fault(`${program} ended by ${signal ?? `exit code ${code}`}`);
        onEnd();
    }

    send(message) {
        this.#process.stdin.write(`${JSON.stringify(message)}\n`);
    }

    kill(signal) {
        this.#process.kill(signal);
    }

    // As the stdio transport says: the end of its input, then SIGTERM, then SIGKILL.
    async end() {
        this.#ending = true;
        this.#process.stdin.end();
        const later = (signal, i) => setTimeout(() => this.kill(signal), (i + 1) * patience);
        const timers = ['SIGTERM', 'SIGKILL'].map(later);
        await this.ended;
        timers.forEach(clearTimeout);
    }
}
