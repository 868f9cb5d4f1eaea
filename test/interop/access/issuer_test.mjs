// oidc-provider as an issuer whose tokens partyline-tools takes.
//   node issuer_test.mjs PACKAGES PARTYLINE-TOOLS

import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeKey, OidcIssuer } from './oidc_issuer.mjs';
import { audience, metadata, pause, Served, trusted } from './served.mjs';

const [packages, tools] = process.argv.slice(2);

async function withIssuer(t, keys) {
    const issuer = await OidcIssuer.start(packages, ['alice', 'bob'], keys);
    const served = await Served.start(tools, [trusted(issuer.url)]);
    t.after(async () => {
        await served.stop();
        issuer.stop();
    });
    const token = (options) => issuer.token('alice', { resource: audience, ...options });
    return { issuer, served, token };
}

const challenge = (more) => `Bearer error="invalid_token"${more}, resource_metadata="${metadata}"`;

function expectRefusal({ status, fields, body }, words, described = '') {
    assert.equal(status, 401);
    assert.equal(fields['www-authenticate'], challenge(described && `, error_description="${described}"`));
    assert.deepEqual([body.error.code, body.error.message], [-31005, words]);
}

test('tokens of each algorithm are taken', { timeout: 60_000 }, async (t) => {
    const algorithms = ['RS256', 'ES256', 'EdDSA', 'Ed25519'];
    const { served, token } = await withIssuer(t, await Promise.all(algorithms.map((alg) => makeKey(alg, `key-${alg}`))));
    for (const alg of algorithms) {
        const { status, body } = await served.callPatiently(await token({ alg }));
        assert.equal(status, 200, `${alg}: ${JSON.stringify(body)}`);
        assert.ok(!body.result.isError);
    }
});

test('scopes of a token decide what is listed and called', { timeout: 60_000 }, async (t) => {
    const { served, token } = await withIssuer(t, [await makeKey('ES256', 'one')]);
    const one = await token();
    await served.callPatiently(one);
    assert.deepEqual(await served.tools(one), ['hash_files', 'wait']); // what a scope more would allow is shown
    const lacking = await served.call(one, 'hash_files', { files: [] });
    assert.deepEqual([lacking.status, lacking.body.error.code, lacking.body.error.data],
        [403, -31003, { required: ['files:write'] }]);
    assert.equal(lacking.fields['www-authenticate'],
        `Bearer error="insufficient_scope", scope="files:write", resource_metadata="${metadata}"`);
    const [hidden, unknown] = [await served.call(one, 'search_files', {}), await served.call(one, 'search_filez', {})];
    assert.equal(hidden.status, unknown.status);
    assert.equal(JSON.stringify(hidden.body).replace('search_files', 'search_filez'), JSON.stringify(unknown.body));
    const other = await token({ scope: 'files:read files:write' });
    assert.equal((await served.call(other, 'hash_files', { files: [] })).status, 200);
});

test('tokens that are not for us are told so', { timeout: 60_000 }, async (t) => {
    const key = await makeKey('ES256', 'one');
    const { issuer, served, token } = await withIssuer(t, [key]);
    await served.callPatiently(await token());
    expectRefusal(await served.call(await token({ resource: 'https://other.example.org/mcp' })),
        'The token is for another server', 'audience');
    issuer.change = ({ payload }) => { payload.exp = payload.iat -= 61; }; // beyond the leeway
    expectRefusal(await served.call(await token()), 'The token has expired', 'expired');
    issuer.change = undefined;

    // One that nobody trusts, and that has the same key under the same name.
    const stranger = await OidcIssuer.start(packages, ['alice'], [key]);
    t.after(() => stranger.stop());
    expectRefusal(await served.call(await stranger.token('alice', { resource: audience })), 'The token is not valid');
    // One that claims to be the other one, with a key of its own under that name.
    const forged = await token();
    const other = await stranger.token('alice', { resource: audience });
    expectRefusal(await served.call(forged.slice(0, forged.lastIndexOf('.')) + other.slice(other.lastIndexOf('.'))),
        'The token is not valid');
    assert.equal((await served.call(await token())).status, 200);
});

// Requests one after the other on each of several connections, as long as `goes` says; how many had which status.
function load(served, nextToken, goes) {
    const counts = {};
    const others = [];
    const pace = async () => {
        while (goes()) {
            const answer = await served.call(nextToken());
            const { status, fields, body } = answer;
            counts[status] = (counts[status] ?? 0) + 1;
            if (status !== 200)
                others.push({ status, after: fields['retry-after'], code: body.error?.code });
            if (status === 503)
                await pause(answer);
        }
    };
    const done = Promise.all(Array.from({ length: 8 }, pace));
    return { counts, others, done };
}

test('keys are rotated while requests go on', { timeout: 60_000 }, async (t) => {
    const [first, second] = await Promise.all(['first', 'second'].map((kid) => makeKey('ES256', kid)));
    const { issuer, served, token } = await withIssuer(t, [first]);
    const many = () => Promise.all(Array.from({ length: 40 }, () => token()));
    const tokens = await many();
    assert.equal((await served.callPatiently(tokens[0])).status, 200);

    let turn = 0;
    let goes = true;
    const { counts, others, done } = load(served, () => tokens[turn++ % tokens.length], () => goes);
    const sent = async (count) => {
        for (const until = turn + count; turn < until;)
            await sleep(5);
    };
    await sent(500);
    issuer.publish([first, second]); // signs by the second one from now on
    tokens.push(...await many());
    await sent(1000);
    issuer.publish([second]);
    tokens.splice(0, 40); // whoever has an old one gets a new one
    tokens.push(...await many());
    await sent(1000);
    goes = false;
    await done;

    t.diagnostic(`answers by their status: ${JSON.stringify(counts)}`);
    assert.deepEqual(Object.keys(counts).filter((status) => !['200', '503'].includes(status)), []);
    for (const other of others)
        assert.deepEqual(other, { status: 503, after: '1', code: -31001 });
    // The keys are on their way for a moment, and whoever is told so pauses.
    assert.ok((counts[503] ?? 0) <= 80, `${counts[503]} had to come again`);
});

// More often than signatures of strangers are verified.
test('the access file is read again while requests go on', { timeout: 60_000 }, async (t) => {
    const { served, token } = await withIssuer(t, [await makeKey('ES256', 'one')]);
    const tokens = await Promise.all(Array.from({ length: 40 }, () => token()));
    for (const each of tokens)
        assert.equal((await served.callPatiently(each)).status, 200);
    let turn = 0;
    let goes = true;
    const { counts, done } = load(served, () => tokens[turn++ % tokens.length], () => goes);
    for (let signals = 0; signals < 100; ++signals) {
        served.child.kill('SIGHUP');
        await sleep(10);
    }
    goes = false;
    await done;
    assert.deepEqual(Object.keys(counts), ['200'], JSON.stringify(counts));
    await served.hear('the access file was read again');
});

test('a key that was taken away has signed nothing new', { timeout: 60_000 }, async (t) => {
    const [first, second] = await Promise.all(['first', 'second'].map((kid) => makeKey('EdDSA', kid)));
    const { issuer, served, token } = await withIssuer(t, [first]);
    issuer.change = ({ payload }) => { payload.iat -= 10; }; // before the keys are fetched again
    const [known, unseen] = [await token(), await token()];
    issuer.change = undefined;
    assert.equal((await served.callPatiently(known)).status, 200);
    issuer.publish([second]);
    assert.equal((await served.callPatiently(await token())).status, 200);
    expectRefusal(await served.call(unseen), 'The token is not valid');
});

// Keys are fetched for an unknown one once in 30 s, and anybody can name one.
test('a stranger cannot have tokens of a new key refused', { timeout: 60_000 }, async (t) => {
    const [first, second] = await Promise.all(['first', 'second'].map((kid) => makeKey('ES256', kid)));
    const { issuer, served, token } = await withIssuer(t, [first]);
    const known = await token();
    assert.equal((await served.callPatiently(known)).status, 200);
    const header = Buffer.from('{"alg":"ES256","kid":"unknown"}').toString('base64url');
    assert.notEqual((await served.callPatiently(header + known.slice(known.indexOf('.')), 10)).status, 200);
    issuer.publish([first, second]);
    const { status, fields } = await served.callPatiently(await token(), 10);
    assert.deepEqual([status, fields['retry-after']], [503, '1']);
    assert.equal((await served.call(known)).status, 200);
});

test('an issuer that is away is waited for', { timeout: 60_000 }, async (t) => {
    const issuer = await OidcIssuer.start(packages, ['alice'], [await makeKey('ES256', 'one')]);
    const token = await issuer.token('alice', { resource: audience });
    issuer.stop();
    const served = await Served.start(tools, [trusted(issuer.url)]);
    t.after(() => served.stop());
    const { status, fields } = await served.call(token);
    assert.deepEqual([status, fields['retry-after']], [503, '1']);
    await issuer.resume();
    t.after(() => issuer.stop());
    assert.equal((await served.callPatiently(token)).status, 200);
});
