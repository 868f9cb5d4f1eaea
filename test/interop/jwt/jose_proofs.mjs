// Proofs made by npm jose are valid for the library, and the library's are what jose verifies:
// node jose_proofs.mjs PACKAGES OURS FOLDER, where FOLDER is for keys.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash, randomBytes, webcrypto } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

globalThis.crypto ??= webcrypto; // of Node 18
const [packages, ours, folder] = process.argv.slice(2);
const jose = await import(pathToFileURL(path.join(packages, 'node_modules/jose/dist/webapi/index.js')));

// RFC 8785 of what these tests have; ECMAScript's own order of names is that of UTF-16 code units.
const canonical = (value) =>
    Array.isArray(value)
        ? `[${value.map(canonical).join(',')}]`
        : value && typeof value === 'object'
          ? `{${Object.keys(value).sort().map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`
          : JSON.stringify(value);
const digest = (params) => createHash('sha256').update(canonical(params)).digest('base64url');

async function sign(key, alg, method, params) {
    return await new jose.SignJWT({ m: method, p: digest(params), jti: randomBytes(16).toString('base64url') })
        .setProtectedHeader({ alg, typ: 'partyline-proof+jwt', kid: 'k1' })
        .setIssuedAt()
        .sign(key);
}

const ask = (what, file, lines) =>
    execFileSync(ours, [what, file], { input: lines.map((line) => `${line}\n`).join(''), encoding: 'utf8' })
        .split('\n')
        .slice(0, -1);

async function keysOf(alg) {
    if (alg === 'HS256') {
        const secret = randomBytes(32);
        const jwk = { kty: 'oct', k: secret.toString('base64url') };
        return { own: secret, open: secret, ownJwk: jwk, openJwk: jwk };
    }
    const { privateKey, publicKey } = await jose.generateKeyPair(alg, { extractable: true });
    const pem = alg.startsWith('RS') || alg.startsWith('PS') ? await jose.exportPKCS8(privateKey) : undefined;
    return {
        own: privateKey,
        open: publicKey,
        ownJwk: pem ?? (await jose.exportJWK(privateKey)),
        openJwk: await jose.exportJWK(publicKey),
    };
}

const calls = [
    ['tools/call', { name: 'delete', arguments: { path: '/srv/\u20ac \ud83d\ude00', z: [1.5, -0, 1e30, 1e-7], a: null } }],
    ['add', { b: 2, a: 40 }],
    ['none', {}],
];

for (const alg of ['EdDSA', 'ES256', 'ES384', 'RS256', 'PS256', 'HS256']) {
    const keys = await keysOf(alg);
    const file = path.join(folder, `${alg}.key`);
    const text = (jwk) => (typeof jwk === 'string' ? jwk : JSON.stringify({ ...jwk, kid: 'k1' }));
    const shown = [];
    for (const [method, params] of calls) {
        const proof = await sign(keys.own, alg, method, params);
        shown.push(`${method}\t${JSON.stringify({ _meta: { 'partyline/proof': proof, progressToken: 1 }, ...params })}`);
    }
    fs.writeFileSync(file, text(keys.openJwk));
    assert.deepEqual(ask('judge', file, [...shown, ...shown]), [
        ...calls.map(() => 'valid'),
        ...calls.map(() => 'replayed'),
    ]);
    if (alg === 'PS256') continue; // a key in PEM signs by RS256
    fs.writeFileSync(file, text(keys.ownJwk), { mode: 0o600 });
    const made = ask('make', file, calls.map(([method, params]) => `${method}\t${JSON.stringify(params)}`));
    for (const [i, [method, params]] of calls.entries()) {
        const { payload } = await jose.jwtVerify(made[i], keys.open, { typ: 'partyline-proof+jwt', maxTokenAge: 60 });
        assert.equal(payload.m, method);
        assert.equal(payload.p, digest(params));
        assert.equal(Buffer.from(payload.jti, 'base64url').length, 16);
    }
    console.log(`${alg}: the same`);
}
