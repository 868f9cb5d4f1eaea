// Prints what npm jose says of tokens: node jose_verdicts.mjs PACKAGES KEYS TIME, as jwt_verdicts.cpp.

import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import { webcrypto } from 'node:crypto';
import { pathToFileURL } from 'node:url';

globalThis.crypto ??= webcrypto; // of Node 18
const [packages, keys, time] = process.argv.slice(2);
const jose = await import(pathToFileURL(path.join(packages, 'node_modules/jose/dist/webapi/index.js')));

const find = jose.createLocalJWKSet(JSON.parse(fs.readFileSync(keys, 'utf8')));
const rules = {
    algorithms: ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA', 'Ed25519'],
    issuer: 'https://as.example.org',
    audience: 'https://rpc.example.org/mcp',
    requiredClaims: ['exp', 'sub'],
    clockTolerance: 60,
    currentDate: new Date(Number(time) * 1000),
};

for await (const token of readline.createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    const is_good = await jose.jwtVerify(token, find, rules).then(
        () => true,
        () => false,
    );
    process.stdout.write(is_good ? 'good\n' : 'bad\n');
}
