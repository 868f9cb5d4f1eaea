// The official SDK 1 as a client of servers with an access file: see with_access.py.
//   node sdk1_access_client.mjs PACKAGES URL...

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { seeWhatIsAllowed } from './access_talk.mjs';

const [packages, ...urls] = process.argv.slice(2);
const require = createRequire(join(packages, 'package.json'));
const { Client } = require('@modelcontextprotocol/sdk/client/index.js');
const { StreamableHTTPClientTransport: Http, StreamableHTTPError } =
    require('@modelcontextprotocol/sdk/client/streamableHttp.js');

async function open(url, token) {
    const client = new Client({ name: 'sdk1-access-client', version: '1.0.0' });
    const headers = token ? { Authorization: `Bearer ${token}` } : {};
    await client.connect(new Http(new URL(url), { requestInit: { headers } }));
    return client;
}

const hasStatus = (status) => (error) => error instanceof StreamableHTTPError && error.code === status;
const is = { refusal: hasStatus(401), lackOfScope: hasStatus(403) };
const call = (client, name, input) => client.callTool({ name, arguments: input });
for (const url of urls)
    await seeWhatIsAllowed(url, { open, call, is });
process.stdout.write('all as expected\n');
