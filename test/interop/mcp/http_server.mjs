// Starts a server of HTTP that says "listening on http://HOST:PORT" on standard error, or that without "http://".

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const patience = 30_000; // ms for it to listen

// What it says besides goes to `say`. It has `url`, a promise of where MCP is served, and `ended`, one of its end.
export function startHttpServer(command, args, say) {
    const origin = args.includes('--tls-certificate')
        ? (address) => `https://${address.replace('127.0.0.1', 'localhost')}` // as its certificate says
        : (address) => `http://${address}`;
    const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'pipe'] });
    child.ended = new Promise((resolve) => child.once('close', resolve));
    child.url = new Promise((resolve, reject) => {
        createInterface({ input: child.stderr }).on('line', (line) => {
            const told = /^listening on (?:http:\/\/)?([^ /]+)$/.exec(line);
            if (told)
                resolve(`${origin(told[1])}/mcp`);
            else
                say(line);
        });
        child.once('exit', () => reject(new Error('the server has ended')));
        setTimeout(() => reject(new Error('the server does not listen')), patience).unref();
    });
    process.once('exit', () => child.kill('SIGKILL'));
    return child;
}

// The transport to a server: over HTTP where the words begin with --http, by WebSocket where they begin with
// --websocket and a path, else over its standard input and output. `end` ends it, and resolves when that is done.
export async function reach(words, { Stdio, Http, WebSocket }) {
    const serve = (command, ...args) => startHttpServer(command, args, (line) => process.stderr.write(`${line}\n`));
    if (words[0] === '--http') {
        const server = serve(...words.slice(1));
        return overNetwork(server, new Http(new URL(await server.url)));
    }
    if (words[0] === '--websocket') {
        const [path, ...command] = words.slice(1);
        const server = serve(...command);
        return overNetwork(server, new WebSocket(new URL(path, (await server.url).replace(/^http/, 'ws'))));
    }
    const [command, ...args] = words;
    return { transport: new Stdio({ command, args }) };
}

function overNetwork(server, transport) {
    const end = async () => {
        if (transport.sessionId)
            await transport.terminateSession();
        server.kill('SIGTERM');
        await server.ended;
    };
    return { transport, end };
}
