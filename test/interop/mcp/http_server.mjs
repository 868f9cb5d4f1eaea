// Starts a server of HTTP that says "listening on http://HOST:PORT" on standard error, or that without "http://".

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const patience = 30_000; // ms for it to listen

// What it says besides goes to `say`. It has `url`, a promise of where MCP is served, and `ended`, one of its end.
export function startHttpServer(command, args, say) {
    const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'pipe'] });
    child.ended = new Promise((resolve) => child.once('close', resolve));
    child.url = new Promise((resolve, reject) => {
        createInterface({ input: child.stderr }).on('line', (line) => {
            const told = /^listening on (?:http:\/\/)?([^ /]+)$/.exec(line);
            if (told)
                resolve(`http://${told[1]}/mcp`);
            else
                say(line);
        });
        child.once('exit', () => reject(new Error('the server has ended')));
        setTimeout(() => reject(new Error('the server does not listen')), patience).unref();
    });
    process.once('exit', () => child.kill('SIGKILL'));
    return child;
}

// The transport to a server: over HTTP where the words begin with --http, else over its standard input and output. `end` ends
// it, and resolves when that is done.
export async function reach(words, { Stdio, Http }) {
    if (words[0] !== '--http') {
        const [command, ...args] = words;
        return { transport: new Stdio({ command, args }) };
    }
    const server = startHttpServer(words[1], words.slice(2), (line) => process.stderr.write(`${line}\n`));
    const transport = new Http(new URL(await server.url));
    const end = async () => {
        if (transport.sessionId)
            await transport.terminateSession();
        server.kill('SIGTERM');
        await server.ended;
    };
    return { transport, end };
}
