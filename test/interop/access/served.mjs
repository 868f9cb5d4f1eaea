// partyline-tools over HTTP with an access file, and requests to it in our own words, so that each field is in a test's
// hands.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startHttpServer } from '../mcp/http_server.mjs';
import { Arrivals } from '../waiting.mjs';

const modern = '2026-07-28';
const prefix = 'io.modelcontextprotocol/';
const meta = {
    [`${prefix}protocolVersion`]: modern, [`${prefix}clientCapabilities`]: {},
    [`${prefix}clientInfo`]: { name: 'access-test', version: '1' },
};

export const audience = 'https://rpc.example.org/mcp';
export const metadata = 'https://rpc.example.org/.well-known/oauth-protected-resource/mcp';
const rules = [
    { tools: ['wait'], scopes: ['files:read'] },
    { tools: ['hash_files'], scopes: ['files:write'] },
    { tools: ['search_files'], principals: ['somebody-else'] },
];

// An issuer as the file has it, whose keys come from loopback.
export const trusted = (url, jwks = `${url}/jwks`, resource = audience) =>
    ({ issuer: url, audiences: [resource], jwks_uri: jwks, allow_private: true });

// Waits as an answer with Retry-After asks for, but a tenth as long: the issuer is on this machine.
export const pause = ({ fields }) => sleep(100 * Number(fields['retry-after']));

export class Served {
    said = []; // its lines on standard error
    #folder;
    #file;
    #lines = new Arrivals();
    #agent = new Agent({ keepAlive: true, maxSockets: 8 });

    static async start(tools, issuers) {
        const served = new Served();
        served.#folder = mkdtempSync(join(tmpdir(), 'partyline-access-'));
        served.#file = join(served.#folder, 'access.json');
        served.#write(issuers, audience);
        const args = ['--root', served.#folder, '--http', '127.0.0.1:0', '--access', served.#file];
        served.child = startHttpServer(tools, args, (line) => {
            served.said.push(line);
            served.#lines.look();
        });
        served.url = await served.child.url;
        return served;
    }

    // `resource`: its own address.
    #write(issuers, resource) {
        writeFileSync(this.#file, JSON.stringify({ resource, issuers, rules }), { mode: 0o600 });
    }

    // Has it read another access file. To be called once.
    async change(issuers, resource) {
        this.#write(issuers, resource);
        this.child.kill('SIGHUP');
        await this.hear('the access file was read again');
    }

    // Waits for a line on standard error with this text.
    hear(text) {
        return this.#lines.first(() => this.said.find((line) => line.includes(text)), text);
    }

    post(message, fields) {
        const body = JSON.stringify(message);
        const headers = {
            'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body),
            Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': modern, 'Mcp-Method': message.method,
            ...fields,
        };
        return new Promise((resolve, reject) => {
            const sent = request(this.url, { method: 'POST', agent: this.#agent, headers }, (answer) => {
                const parts = [];
                answer.on('data', (part) => parts.push(part)).on('error', reject).on('end', () => {
                    const text = Buffer.concat(parts).toString();
                    resolve({ status: answer.statusCode, fields: answer.headers, body: text && JSON.parse(text) });
                });
            });
            sent.on('error', reject).end(body);
        });
    }

    // Calls a tool with a token.
    call(token, name = 'wait', input = { seconds: 0 }) {
        const params = { name, arguments: input, _meta: meta };
        const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
        return this.post(message, { 'Mcp-Name': name, ...(token && { Authorization: `Bearer ${token}` }) });
    }

    async tools(token) {
        const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: meta } };
        const answer = await this.post(message, { Authorization: `Bearer ${token}` });
        return answer.body.result.tools.map(({ name }) => name).sort();
    }

    // The answer to a call, after at most so many of the pauses that the server asks for while it fetches keys; how many
    // these were.
    async callPatiently(token, most = 100) {
        for (let busy = 0; ; ++busy) {
            const answer = await this.call(token);
            if (answer.status !== 503 || busy === most)
                return { ...answer, busy };
            await pause(answer);
        }
    }

    async stop() {
        this.#agent.destroy();
        this.child.kill('SIGTERM');
        await this.child.ended;
        rmSync(this.#folder, { recursive: true });
    }
}
