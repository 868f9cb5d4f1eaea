// Our programs as processes, and certificates for them.

import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { soon } from '../waiting.mjs';

const interop = join(dirname(fileURLToPath(import.meta.url)), '..');

// A folder that is gone at the end of this process.
export function newFolder() {
    const folder = mkdtempSync(join(tmpdir(), 'partyline-websocket-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    return folder;
}

// For each name a certificate: `paths[name]` has `certificate` and `key`, and `ca` is the path of who has signed them.
export function makeCertificates(...names) {
    const folder = newFolder();
    execFileSync('bash', [join(interop, 'certificates.sh'), folder, ...names]);
    const at = (name) => join(folder, name);
    const paths = Object.fromEntries(names.map((name) => [name, { certificate: at(`${name}.pem`), key: at(`${name}.key`) }]));
    return { ca: at('ca.pem'), caText: readFileSync(at('ca.pem'), 'utf8'), paths };
}

// A server that says "listening on HOST:PORT". What it says besides is in `said`, and `exit` is a promise of how it
// ends.
export async function startListening(program, ...args) {
    const server = spawn(program, ['--listen', '127.0.0.1:0', ...args], { stdio: ['ignore', 'inherit', 'pipe'] });
    const kill = () => server.kill('SIGKILL');
    process.once('exit', kill);
    server.said = [];
    server.exit = new Promise((resolve) => server.once('close', (code, signal) => {
        process.removeListener('exit', kill);
        resolve({ code, signal });
    }));
    server.port = await soon(new Promise((resolve, reject) => {
        createInterface({ input: server.stderr }).on('line', (line) => {
            const told = /^listening on 127\.0\.0\.1:(\d+)$/.exec(line);
            if (told)
                resolve(Number(told[1]));
            else
                server.said.push(line);
        });
        server.once('close', () => reject(new Error(`${program} has ended: ${server.said}`)));
    }), 'listening');
    return server;
}

// Runs a program to its end. `ended` is a promise of its code and of what it has printed.
export function run(program, args, input = '') {
    const child = spawn(program, args, { stdio: 'pipe' });
    child.stdin.on('error', () => {}); // it may not want all of it
    child.stdin.end(input);
    const ended = async () => {
        const closed = new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal })));
        const [out, err, end] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
        return { ...end, out, err };
    };
    child.ended = soon(ended(), `the end of ${program} ${args.join(' ')}`);
    child.ended.catch(() => child.kill('SIGKILL'));
    return child;
}
