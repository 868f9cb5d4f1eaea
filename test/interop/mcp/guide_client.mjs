// The official SDK 2 as the client of the guide's MCP server, in each way to find the revision.
//   node guide_client.mjs PACKAGES SERVER

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { once, soon } from '../waiting.mjs';

const [packages, server] = process.argv.slice(2);
const require = createRequire(join(packages, 'package.json'));
const { Client } = require('@modelcontextprotocol/client');
const { StdioClientTransport } = require('@modelcontextprotocol/client/stdio');

const textOf = ({ content }) => content.map((block) => block.text).join('');

async function use(client, answer) {
    const call = (name, input) => client.callTool({ name, arguments: input });
    const { tools } = await client.listTools();
    assert.deepEqual(tools.map(({ name }) => name), ['repeat', 'add']);
    assert.deepEqual(tools[0].inputSchema.properties.times,
        { description: 'How often', type: 'integer', minimum: 1, maximum: 100, default: 2 });
    assert.equal(textOf(await call('repeat', { text: 'so' })), 'so so ');
    assert.deepEqual((await call('add', { a: 2, b: 40 })).structuredContent, { result: 42 });
    assert.equal((await call('repeat', { text: 'so', times: 0 })).isError, true);

    answer.action = 'accept';
    assert.equal(textOf(await call('repeat', { text: 'x', times: 11 })), 'x '.repeat(11));
    answer.action = 'decline';
    assert.equal(textOf(await call('repeat', { text: 'x', times: 11 })), 'It was not said.');
    assert.deepEqual(answer.asked, ['So often?', 'So often?']);

    const { contents: [help] } = await client.readResource({ uri: 'repeater://help' });
    assert.equal(help.text, 'Ask it to repeat something.');
}

for (const mode of ['legacy', 'auto', '2026-07-28']) {
    const versionNegotiation = { mode: ['legacy', 'auto'].includes(mode) ? mode : { pin: mode } };
    const capabilities = { elicitation: {} };
    const client = new Client({ name: 'readme-client', version: '1.0.0' }, { capabilities, versionNegotiation });
    const answer = { asked: [] };
    client.setRequestHandler('elicitation/create', ({ params: { message } }) => {
        answer.asked.push(message);
        return answer.action === 'accept' ? { action: 'accept', content: { yes: true } } : { action: 'decline' };
    });
    const transport = new StdioClientTransport({ command: server });
    await soon(client.connect(transport), 'the connection');
    assert.equal(client.getNegotiatedProtocolVersion(), mode === 'legacy' ? '2025-11-25' : '2026-07-28');
    const exit = once(transport._process, 'exit');
    await soon(use(client, answer), mode);
    await soon(client.close(), 'closing');
    assert.deepEqual(await soon(exit, 'the end of the server'), [0, null]);
}
process.stdout.write('all as expected\n');
