// A client that is killed: starts partyline-echo, brings the conversation into the state that its last argument names,
// prints the server's process id and lives on.

import { EchoClient } from './echo_client.mjs';
import { once } from './waiting.mjs';

const states = {
    idle: async () => {},
    // The server waits for a timer.
    busy: (client) => client.send({ jsonrpc: '2.0', id: 1, method: 'delay', params: { ms: 600_000 } }),
    // The server waits for room in its output.
    'not reading': async (client) => {
        const parts = once(client.process.stdout, 'data').then(() => client.process.stdout.pause());
        await client.send({ jsonrpc: '2.0', id: 1, method: 'parts', params: { count: 1000, bytes: 100_000 } });
        await parts;
    },
};

const client = await EchoClient.start();
await client.request('up', 'echo', {});
await states[process.argv[4]](client);
console.log(client.pid);
