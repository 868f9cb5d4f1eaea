// What a client of the official SDKs in Node sees of a server with an access file: see with_access.py.

import assert from 'node:assert/strict';
import { soon } from '../waiting.mjs';

const { READER: reader, WRITER: writer } = process.env;
const files = ['notes.txt'];

const namesOf = async (client) => (await client.listTools()).tools.map(({ name }) => name).sort();

// `open(url, token)` connects a client; `call(client, name, input)` calls a tool; `is` tells errors apart.
export async function seeWhatIsAllowed(url, { open, call, is }) {
    const failure = async (promise) => assert.rejects(promise).then(() => promise.catch((error) => error));
    const first = await soon(open(url, reader), 'a connection with a token');
    assert.deepEqual(await namesOf(first), ['hash_files', 'wait']);
    assert.ok(!(await call(first, 'wait', { seconds: 0 })).isError);
    const hidden = await failure(call(first, 'search_files', {}));
    const unknown = await failure(call(first, 'search_filez', {}));
    assert.equal(hidden.code, -32602);
    assert.deepEqual([hidden.code, hidden.message.replace('search_files', 'search_filez')], [unknown.code, unknown.message]);
    const lacking = await failure(call(first, 'hash_files', { files }));
    assert.ok(is.lackOfScope(lacking), `${lacking.constructor.name}: ${lacking.message}`);
    assert.ok(!(await call(first, 'wait', { seconds: 0 })).isError); // it goes on

    const second = await soon(open(url, writer), 'a connection with another token');
    assert.deepEqual(await namesOf(second), ['hash_files', 'search_files', 'wait']);
    assert.ok(!(await call(second, 'hash_files', { files })).isError);
    await Promise.all([first.close(), second.close()]);

    for (const token of [undefined, `${reader}x`]) {
        const refused = await failure(open(url, token));
        assert.ok(is.refusal(refused), `${refused.constructor.name}: ${refused.message}`);
    }
}
