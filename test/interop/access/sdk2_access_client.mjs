// The official SDK 2 as a client of servers with an access file, in the revisions of both eras: see with_access.py.
//   node sdk2_access_client.mjs PACKAGES URL...

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { seeWhatIsAllowed } from './access_talk.mjs';

const [packages, ...urls] = process.argv.slice(2);
const require = createRequire(join(packages, 'package.json'));
const { Client, InsufficientScopeError, StreamableHTTPClientTransport: Http, UnauthorizedError } =
    require('@modelcontextprotocol/client');

const opens = (mode) => async (url, token) => {
    const client = new Client({ name: 'sdk2-access-client', version: '1.0.0' }, { versionNegotiation: { mode } });
    await client.connect(new Http(new URL(url), { authProvider: { token: async () => token } }));
    return client;
};

const is = {
    refusal: (error) => error instanceof UnauthorizedError,
    lackOfScope: (error) => error instanceof InsufficientScopeError && error.requiredScope === 'files:write',
};
const call = (client, name, input) => client.callTool({ name, arguments: input });
for (const url of urls)
    for (const mode of ['legacy', { pin: '2026-07-28' }])
        await seeWhatIsAllowed(url, { open: opens(mode), call, is });
process.stdout.write('all as expected\n');
