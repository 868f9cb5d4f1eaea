// The official SDK 2 finds out from partyline-tools where to get a token, gets it from oidc-provider, and another one
// when a call takes another scope.
//   node login_test.mjs PACKAGES PARTYLINE-TOOLS

import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import test from 'node:test';
import { makeKey, OidcIssuer, secret } from './oidc_issuer.mjs';
import { Served, trusted } from './served.mjs';

const [packages, tools] = process.argv.slice(2);
const require = createRequire(join(packages, 'package.json'));
const { Client, ClientCredentialsProvider, StreamableHTTPClientTransport: Http } = require('@modelcontextprotocol/client');

function freePort() {
    const server = createServer();
    return new Promise((resolve) => server.listen(0, '127.0.0.1', () => {
        const { port } = server.address();
        server.close(() => resolve(port));
    }));
}

for (const mode of ['legacy', { pin: '2026-07-28' }])
    test(`a client logs in (${mode.pin ?? mode})`, { timeout: 60_000 }, async (t) => {
        const issuer = await OidcIssuer.start(packages, ['alice'], [await makeKey('ES256', 'one')]);
        t.after(() => issuer.stop());
        issuer.grants = 'files:read';
        const port = await freePort();
        const resource = `http://127.0.0.1:${port}/mcp`;
        const served = await Served.start(tools, [trusted(issuer.url, `${issuer.url}/jwks`, resource)], { resource, port });
        t.after(() => served.stop());

        const authProvider = new ClientCredentialsProvider({
            clientId: 'alice', clientSecret: secret, expectedIssuer: issuer.url, scope: 'files:read',
        });
        const client = new Client({ name: 'login-test', version: '1.0.0' }, { versionNegotiation: { mode } });
        await client.connect(new Http(new URL(resource), { authProvider }));
        const names = (await client.listTools()).tools.map(({ name }) => name).sort();
        assert.deepEqual(names, ['hash_files', 'wait']);
        assert.ok(!(await client.callTool({ name: 'wait', arguments: { seconds: 0 } })).isError);
        assert.equal(authProvider.tokens().scope, 'files:read');
        issuer.grants = 'files:read files:write';
        assert.ok(!(await client.callTool({ name: 'hash_files', arguments: { files: ['access.json'] } })).isError);
        assert.equal(authProvider.tokens().scope, 'files:read files:write');
        await client.close();
    });
