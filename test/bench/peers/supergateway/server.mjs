// supergateway in front of the server whose command the arguments are, a process of it for each session.
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

// It does not tell the port that the system chooses, so a free one is looked for.
async function freePort() {
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address();
    probe.close();
    await once(probe, 'close');
    return port;
}

async function isListening(port) {
    const socket = connect(port, '127.0.0.1');
    try {
        await once(socket, 'connect');
        return true;
    } catch {
        return false;
    } finally {
        socket.destroy();
    }
}

// It hands the command to a shell.
const command = process.argv.slice(2).map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
const port = await freePort();
// In this process, so that what it is charged is the gateway's, and signals reach that. A line logged for each message
// would have to be read, and partyline-gateway logs none.
process.argv.splice(2, Infinity, '--stdio', command, '--outputTransport', 'streamableHttp', '--stateful',
    '--port', String(port), '--logLevel', 'none');
await import('supergateway/dist/index.js');
while (!await isListening(port))
    await sleep(20);
process.stderr.write(`listening on http://127.0.0.1:${port}\n`);
