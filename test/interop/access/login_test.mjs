// Clients find out from partyline-tools where to get a token, get it from oidc-provider, and another one when a call
// takes another scope: the official SDK 2, or another client.
//   node login_test.mjs PACKAGES PARTYLINE-TOOLS [CLIENT...]
// The client gets the variables URL, where it finds the tools, and ISSUER and SECRET of "alice", who it is.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import test from 'node:test';
import { once } from '../waiting.mjs';
import { makeKey, OidcIssuer, secret } from './oidc_issuer.mjs';
import { Served, trusted } from './served.mjs';

const [packages, tools, ...other] = process.argv.slice(2);

async function serve(t) {
    const issuer = await OidcIssuer.start(packages, ['alice'], [await makeKey('ES256', 'one')]);
    t.after(() => issuer.stop());
    issuer.grants = 'files:read'; // by the first token
    issuer.change = () => { issuer.grants = 'files:read files:write'; };
    const served = await Served.start(tools, []);
    t.after(() => served.stop());
    const resource = served.url; // which is not known before
    issuer.usualResource = resource; // the SDK for Go does not say what it wants a token for
    await served.change([trusted(issuer.url, `${issuer.url}/jwks`, resource)], resource);
    return { issuer: issuer.url, resource };
}

async function logIn({ issuer, resource }, mode) {
    const require = createRequire(join(packages, 'package.json'));
    const { Client, ClientCredentialsProvider, StreamableHTTPClientTransport: Http } =
        require('@modelcontextprotocol/client');
    const authProvider = new ClientCredentialsProvider({ clientId: 'alice', clientSecret: secret, expectedIssuer: issuer });
    const client = new Client({ name: 'login-test', version: '1.0.0' }, { versionNegotiation: { mode } });
    await client.connect(new Http(new URL(resource), { authProvider }));
    const names = (await client.listTools()).tools.map(({ name }) => name).sort();
    assert.deepEqual(names, ['hash_files', 'wait']);
    assert.ok(!(await client.callTool({ name: 'wait', arguments: { seconds: 0 } })).isError);
    assert.equal(authProvider.tokens().scope, 'files:read');
    assert.ok(!(await client.callTool({ name: 'hash_files', arguments: { files: ['access.json'] } })).isError);
    assert.equal(authProvider.tokens().scope, 'files:read files:write');
    await client.close();
}

if (other.length === 0)
    for (const mode of ['legacy', { pin: '2026-07-28' }])
        test(`a client logs in (${mode.pin ?? mode})`, { timeout: 60_000 }, async (t) => logIn(await serve(t), mode));
else
    test('another client logs in', { timeout: 60_000 }, async (t) => {
        const { issuer, resource } = await serve(t);
        const env = { ...process.env, URL: resource, ISSUER: issuer, SECRET: secret };
        const client = spawn(other[0], other.slice(1), { env, stdio: ['ignore', 'inherit', 'inherit'] });
        assert.deepEqual(await once(client, 'exit'), [0, null]);
    });
