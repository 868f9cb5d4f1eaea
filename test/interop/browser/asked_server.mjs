// A server of HTTP that pages ask, and what its access log tells.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startHttpServer } from '../mcp/http_server.mjs';
import { Arrivals, soon } from '../waiting.mjs';

// What servers write goes into a folder of its own, which is the current one from then on.
export function enterNewFolder() {
    const folder = mkdtempSync(join(tmpdir(), 'partyline-browser-'));
    process.chdir(folder);
    process.once('exit', () => {
        process.chdir(tmpdir());
        rmSync(folder, { recursive: true, force: true });
    });
}

export class AskedServer {
    #process;
    #requests = []; // such as "POST 403", in the order of their ends
    #arrivals = new Arrivals();

    // `words` are the program and its arguments, to which the origin that it allows is added.
    static async start([program, ...words], origin) {
        const server = new AskedServer();
        const added = ['--allow-origin', origin, '--access-log', '-'];
        server.#process = startHttpServer(program, [...added, ...words], (line) => server.#note(line));
        server.mcp = await server.#process.url;
        server.rpc = new URL('/rpc', server.mcp).href;
        return server;
    }

    #note(line) {
        if (!line.startsWith('{'))
            process.stderr.write(`${line}\n`);
        else {
            const { method, status } = JSON.parse(line);
            this.#requests.push(`${method} ${status}`);
            this.#arrivals.look();
        }
    }

    // Resolves when as many requests have ended as are expected, since this was called last, and are those: names such
    // as "POST 200" and how many.
    async sees(expected) {
        const names = Object.entries(expected).flatMap(([name, count]) => Array(count).fill(name)).sort();
        const enough = () => (this.#requests.length >= names.length ? this.#requests.splice(0).sort() : undefined);
        assert.deepEqual(await this.#arrivals.first(enough, `the end of ${names}`), names);
    }

    async end() {
        this.#process.kill('SIGTERM');
        await soon(this.#process.ended, 'the end of the server');
    }
}
