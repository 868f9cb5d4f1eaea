// Serves the pages, at two origins and more, and has a browser visit one after the other.

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createSecure } from 'node:https';
import { dirname, extname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { once, soon } from '../waiting.mjs';
import { startChromium } from './chromium.mjs';

const patience = 60_000; // ms for a browser to start, and for a page
const pages = join(dirname(fileURLToPath(import.meta.url)), 'pages');
const example = join(pages, '../../../../apps/examples/browser_page'); // the modules of this, which end in .js
const types = { '.html': 'text/html', '.mjs': 'text/javascript', '.js': 'text/javascript' };

export class Visits {
    #servers = [];
    #options;
    #count = 0;
    #browser;
    #answer; // to the findings of the last page: where to go next
    #report;

    // The browser gets these options besides.
    constructor(...options) {
        this.#options = options;
    }

    // Resolves with the origin, without a name of its own; of https where there is a certificate with its key.
    async openOrigin(secrets = undefined) {
        const serve = (request, response) => this.#serve(request, response);
        const server = secrets ? createSecure(secrets, serve) : createServer(serve);
        this.#servers.push(server);
        server.listen(0, '127.0.0.1');
        await once(server, 'listening');
        return `${secrets ? 'https' : 'http'}://127.0.0.1:${server.address().port}`;
    }

    async #serve(request, response) {
        const [name] = request.url.slice(1).split('?');
        if (name === 'findings') {
            this.#answer = response;
            this.#report(JSON.parse(await text(request)));
        } else if (/^\w+\.(html|mjs|js)$/.test(name)) {
            response.setHeader('Content-Type', types[extname(name)]);
            response.end(await readFile(join(name.endsWith('.js') ? example : pages, name)));
        } else {
            response.writeHead(404).end(); // a browser wants an icon
        }
    }

    // Resolves with what has come of a page that runs a module of pages/.
    async visit(origin, run, given) {
        const asked = encodeURIComponent(JSON.stringify({ run: `./${run}.mjs`, ...given }));
        const url = `${origin}/page.html?${++this.#count}#${asked}`; // another address each time, else it is not loaded again
        const reported = new Promise((resolve) => { this.#report = resolve; });
        if (this.#browser)
            this.#answer.end(url);
        else
            this.#browser = startChromium(url, this.#options);
        const { findings, error } = await soon(Promise.race([reported, this.#browser.failed]), `the page ${run}`, patience);
        if (error)
            throw new Error(`at ${origin}, ${run}: ${error}`);
        return findings;
    }

    async end() {
        await this.#browser?.end();
        for (const server of this.#servers) {
            server.closeAllConnections();
            server.close();
        }
    }
}
