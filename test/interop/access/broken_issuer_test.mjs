// oauth2-mock-server as an issuer whose tokens and keys are not as they should be.
//   node broken_issuer_test.mjs PACKAGES PARTYLINE-TOOLS

import assert from 'node:assert/strict';
import { createHmac, createPublicKey } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { audience, Served, trusted } from './served.mjs';

const [packages, tools] = process.argv.slice(2);
const { resolve } = createRequire(join(packages, 'package.json'));
const { OAuth2Server } = await import(pathToFileURL(resolve('oauth2-mock-server')));

async function startIssuer(t, kids) {
    const server = new OAuth2Server();
    for (const kid of kids)
        await server.issuer.keys.generate('ES256', { kid });
    await server.start(0, '127.0.0.1');
    t.after(() => server.stop());
    return server;
}

async function serve(t, issuer, path = '/jwks') {
    const url = issuer.issuer.url;
    const served = await Served.start(tools, [trusted(url, url + path)]);
    t.after(() => served.stop());
    return served;
}

const claims = { sub: 'alice', aud: audience, scope: 'files:read' };

// A token with these claims and changes.
function token({ issuer }, change = () => {}) {
    const scopesOrTransform = (header, payload) => {
        Object.assign(payload, claims);
        change(header, payload);
    };
    return issuer.buildToken({ scopesOrTransform });
}

const json = (answer, value) => answer.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));

const encoded = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');

// One with the claims of that token, and a header and a signature of somebody else.
const forged = (genuine, header, sign) => {
    const text = `${encoded(header)}.${genuine.split('.')[1]}`;
    return `${text}.${sign(text)}`;
};

async function expectInvalid(served, shown, message) {
    const { status, body } = await served.callPatiently(shown);
    assert.deepEqual([status, body.error?.code, body.error?.message], [401, -31005, 'The token is not valid'], message);
}

test('a key needs no name where there is one', { timeout: 60_000 }, async (t) => {
    const without = (header) => { delete header.kid; };
    const one = await startIssuer(t, ['one']);
    assert.equal((await (await serve(t, one)).callPatiently(await token(one, without))).status, 200);
    const two = await startIssuer(t, ['one', 'two']);
    const served = await serve(t, two);
    assert.equal((await served.callPatiently(await token(two))).status, 200);
    await expectInvalid(served, await token(two, without));
});

test('tokens that are not right are refused', { timeout: 60_000 }, async (t) => {
    const issuer = await startIssuer(t, ['one']);
    const served = await serve(t, issuer);
    const genuine = await token(issuer);
    const [jwk] = issuer.issuer.keys.toJSON();
    const pem = createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
    const bad = {
        'a key that nobody has published': await token(issuer, (header, payload) => {
            header.kid = 'unknown';
            payload.iat -= 10; // before the keys were fetched
        }),
        'no signature': forged(genuine, { alg: 'none', kid: 'one' }, () => ''),
        'a public key as a secret': forged(genuine, { alg: 'HS256', kid: 'one' },
            (text) => createHmac('sha256', pem).update(text).digest('base64url')),
        'the algorithm of another key': forged(genuine, { alg: 'RS256', kid: 'one' }, () => genuine.split('.')[2]),
        'a critical extension': await token(issuer, (header) => Object.assign(header, { crit: ['b64'], b64: true })),
        'another type': await token(issuer, (header) => { header.typ = 'dpop+jwt'; }),
        'no expiry': await token(issuer, (_, payload) => { delete payload.exp; }),
        'not valid yet': await token(issuer, (_, payload) => { payload.nbf += 3600; }),
        'no principal': await token(issuer, (_, payload) => { delete payload.sub; }),
        'another issuer': await token(issuer, (_, payload) => { payload.iss += '/'; }),
    };
    for (const [what, shown] of Object.entries(bad))
        await expectInvalid(served, shown, what);
    assert.equal((await served.callPatiently(genuine)).status, 200);
});

// What the address of the keys answers, and what standard error says of it.
const wrong = {
    'status 500': [(answer) => answer.writeHead(500).end('{}'), /HTTP status 500/],
    'a web page': [(answer) => answer.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>Away</p>'), /JSON is expected/],
    'no keys': [(answer) => json(answer, { keys: [] }), /has no key that can be used/],
    'endless text': [(answer) => json(answer, { keys: [], more: 'x'.repeat(70_000) }), /./],
    'another address': [(answer, url) => answer.writeHead(302, { Location: `${url}/jwks` }).end(), /HTTP status 302/],
    'half an answer': [(answer) => {
        answer.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 1000 }).write('{"keys":');
        setTimeout(() => answer.destroy(), 20);
    }, /./],
};

for (const [what, [answer, why]] of Object.entries(wrong))
    test(`where the keys should be there is ${what}`, { timeout: 60_000 }, async (t) => {
        const issuer = await startIssuer(t, ['one']);
        const { url, keys } = issuer.issuer;
        let isRepaired = false;
        let asked = 0;
        issuer.service.addRoute('GET', '/keys', (_, out) => {
            ++asked;
            return isRepaired ? json(out, { keys: keys.toJSON() }) : answer(out, url);
        });
        const shown = await token(issuer);
        const begun = Date.now();
        const served = await serve(t, issuer, '/keys');
        const first = await served.callPatiently(shown, 5);
        assert.deepEqual([first.status, first.fields['retry-after'], first.body.error.code], [503, '1', -31001]);
        const most = 2 + Math.log2(1 + (Date.now() - begun) / 1000); // after 1 s, 2 s and so on
        assert.ok(asked >= 1 && asked <= most, `asked ${asked} times`);
        const noKeys = `no keys from ${url}/keys: `;
        assert.match(await served.hear(noKeys), why);
        isRepaired = true;
        assert.equal((await served.callPatiently(shown)).status, 200);
        assert.equal(served.said.filter((line) => line.includes(noKeys)).length, 1, served.said.join('\n'));
    });

test('nobody waits for keys that come slowly', { timeout: 60_000 }, async (t) => {
    const issuer = await startIssuer(t, ['one']);
    let tell;
    const asked = new Promise((done) => {
        issuer.service.addRoute('GET', '/keys', (_, out) => {
            tell = () => json(out, { keys: issuer.issuer.keys.toJSON() });
            done();
        });
    });
    const served = await serve(t, issuer, '/keys');
    await asked;
    const shown = await token(issuer);
    const answers = await Promise.all(Array.from({ length: 30 }, () => served.call(shown)));
    assert.ok(answers.every(({ status, fields }) => status === 503 && fields['retry-after'] === '1'));
    tell();
    assert.equal((await served.callPatiently(shown)).status, 200);
});
