// People log in at oidc-provider by a browser, and programs by their secrets, with partyline-call and by the gateway,
// to call partyline-tools, which takes its tokens.
//   node person_test.mjs PACKAGES PARTYLINE-TOOLS PARTYLINE-CALL [PARTYLINE-GATEWAY]

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import test from 'node:test';
import { startChromium } from '../browser/chromium.mjs';
import { once } from '../waiting.mjs';
import { secret } from './oidc_issuer.mjs';
import { OidcPeople } from './oidc_people.mjs';
import { Served, trusted } from './served.mjs';

const [packages, tools, call, gateway] = process.argv.slice(2);
const waits = ['wait', 'seconds=0'];
const hashes = ['hash_files', '{"files":["access.json"]}'];

async function start(t) {
    const issuer = await OidcPeople.start(packages);
    t.after(() => issuer.stop());
    const served = await Served.start(tools, []);
    t.after(() => served.stop());
    const folder = mkdtempSync(join(tmpdir(), 'partyline-state-'));
    t.after(() => rmSync(folder, { recursive: true }));
    await served.change([trusted(issuer.url, `${issuer.url}/jwks`, served.url)], served.url);
    return { issuer, url: served.url, folder, tokens: join(folder, 'partyline/tokens.json') };
}

// Starts a program, and visits each page that it tells of.
function launch(program, args, folder, stdin = 'ignore') {
    const env = { ...process.env, XDG_STATE_HOME: folder };
    const child = spawn(program, args, { env, stdio: [stdin, 'pipe', 'pipe'] });
    const browsers = [];
    child.said = [];
    createInterface({ input: child.stderr }).on('line', (line) => {
        child.said.push(line);
        const [, page] = /log in at (\S+)$/.exec(line) ?? [];
        if (page)
            browsers.push(startChromium(page, []));
    });
    child.pages = () => browsers.length;
    child.ended = once(child, 'close').finally(() => Promise.all(browsers.map((browser) => browser.end())));
    return child;
}

// Calls a tool; resolves with how many pages were visited.
async function callTool({ url, folder }, words, ...options) {
    const child = launch(call, [url, ...words, '--profile', 'mcp', ...options], folder);
    const said = text(child.stdout);
    const [code] = await child.ended;
    assert.equal(code, 0, `${await said}${child.said.join('\n')}`);
    return child.pages();
}

test('a person logs in once, and again for another scope', { timeout: 120_000 }, async (t) => {
    const all = await start(t);
    const { issuer } = all;
    issuer.grants = ['files:read'];
    assert.equal(await callTool(all, waits, '--login'), 1);
    assert.equal(statSync(all.tokens).mode & 0o777, 0o600);
    assert.equal(await callTool(all, waits, '--login'), 0, 'the token was kept');
    issuer.grants = ['files:read', 'files:write'];
    assert.equal(await callTool(all, hashes, '--login'), 1);
    assert.equal(await callTool(all, hashes, '--login'), 0);
    assert.deepEqual(issuer.granted, ['authorization_code', 'authorization_code']);
    for (const asked of issuer.asked) {
        assert.equal(asked.resource, all.url);
        assert.equal(asked.code_challenge_method, 'S256');
    }
    assert.deepEqual(issuer.asked.at(-1).scope.split(' ').filter((one) => one.startsWith('files:')).sort(),
        ['files:read', 'files:write']);
    const [first, second] = issuer.asked;
    assert.equal(first.client_id, second.client_id, 'it has registered itself once');
});

test('a token that is about to expire is refreshed without the person', { timeout: 120_000 }, async (t) => {
    const all = await start(t);
    const { issuer } = all;
    issuer.lifetime = 2;
    const options = ['--login', '--client-id', 'partyline'];
    assert.equal(await callTool(all, waits, ...options), 1);
    const before = readFileSync(all.tokens, 'utf8');
    for (let calls = 0; calls !== 50 && !issuer.granted.includes('refresh_token'); ++calls)
        assert.equal(await callTool(all, waits, ...options), 0);
    assert.deepEqual(issuer.granted, ['authorization_code', 'refresh_token']);
    assert.notEqual(readFileSync(all.tokens, 'utf8'), before);
});

test('a program gets tokens for itself', { timeout: 60_000 }, async (t) => {
    const all = await start(t);
    const file = join(all.folder, 'secret');
    writeFileSync(file, `${secret}\n`, { mode: 0o600 });
    const options = ['--client-id', 'robot', '--client-secret-file', file, '--issuer', all.issuer.url];
    assert.equal(await callTool(all, hashes, ...options), 0);
    assert.deepEqual([...new Set(all.issuer.granted)], ['client_credentials']);
    assert.throws(() => statSync(all.tokens), { code: 'ENOENT' });
});

if (gateway)
    test('a host on standard input and output logs in by the gateway', { timeout: 120_000 }, async (t) => {
        const all = await start(t);
        const child = launch(gateway, ['--login', '--stdio', all.url], all.folder, 'pipe');
        const params = { name: 'wait', arguments: { seconds: 0 }, _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {},
            'io.modelcontextprotocol/clientInfo': { name: 'person-test', version: '1' },
        } };
        const replies = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
        child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })}\n`);
        const reply = JSON.parse((await replies.next()).value);
        assert.ok(reply.result && !reply.result.isError, JSON.stringify(reply));
        child.stdin.end();
        assert.deepEqual(await child.ended, [0, null]);
        assert.equal(child.pages(), 1);
    });
