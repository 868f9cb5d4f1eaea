// The official Inspector, by its command line, as the client of a server on stdio or over HTTP. It also judges the
// schemas of the tools, since many hosts refuse what the standard allows.
//   node inspector_client.mjs PACKAGES [--http] SERVER ARGUMENTS...

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { soon } from '../waiting.mjs';
import { startHttpServer } from './http_server.mjs';

const patience = 30_000; // ms for one run
const [packages, ...words] = process.argv.slice(2);
const inspector = join(packages, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js');
const home = mkdtempSync(join(tmpdir(), 'partyline-inspector-')); // it keeps files there
process.on('exit', () => rmSync(home, { recursive: true, force: true }));

const served = words[0] === '--http' &&
    startHttpServer(words[1], words.slice(2), (line) => process.stderr.write(`${line}\n`));
const server = served ? [await served.url, '--transport', 'http'] : words;

async function run(era, method, ...options) {
    const how = ['--protocol-era', era, '--quiet', '--format', 'json', '--method', method, ...options];
    const bounds = { timeout: patience, env: { ...process.env, HOME: home } };
    const { stdout, stderr } =
        await promisify(execFile)(process.execPath, [inspector, '--cli', ...server, ...how], bounds);
    assert.equal(stderr, '');
    const { result, ...rest } = JSON.parse(stdout);
    return result ?? rest;
}

for (const era of ['legacy', 'modern']) {
    const { tools } = await run(era, 'tools/list', '--strict');
    assert.equal(tools[0].name, 'test_simple_text');
    const { content: [said] } = await run(era, 'tools/call', '--tool-name', 'test_simple_text');
    assert.equal(said.text, 'This is a simple text response for testing.');
    const { contents: [read] } = await run(era, 'resources/read', '--uri', 'test://static-text');
    assert.equal(read.text, 'This is the content of the static text resource.');
    const prompt = ['--prompt-name', 'test_prompt_with_arguments', '--prompt-args', 'arg1=one', 'arg2=two'];
    const { messages: [message] } = await run(era, 'prompts/get', ...prompt);
    assert.equal(message.content.text, "Prompt with arguments: arg1='one', arg2='two'");
}
if (served) {
    served.kill('SIGTERM');
    await soon(served.ended, 'the end of the server');
}
process.stdout.write('all as expected\n');
