// The official conformance suite against the server with the official SDK (sdk_server.mjs): where the SDK serves HTTP
// itself, and where our gateway does, with the server on stdio behind it. What is well with the one has to be so with
// the other.
//   node conformance_same.mjs PACKAGES GATEWAY
// A check that is not well with the SDK alone decides nothing, unless its scenario fails: then there is nothing to
// compare with.

import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startHttpServer } from './http_server.mjs';
import { isBad, runSet, scoredOf, sets } from './suite.mjs';

const [packages, gateway] = process.argv.slice(2);
const program = join(dirname(fileURLToPath(import.meta.url)), 'sdk_server.mjs');
const node = (how) => [process.execPath, program, packages, how];

// On stdio the SDK does not look at the revision that a request names once another one has been served.
const knownOnStdio = [
    'server-stateless: sep-2575-http-server-unsupported-version-400',
    'server-stateless: sep-2575-server-unsupported-version-error',
];

// The checks that are not well, of the scenarios that count, as "SCENARIO: CHECK", each with what the suite says of it.
async function findBad(set, [command, ...args]) {
    const server = startHttpServer(command, args, (line) => process.stderr.write(`${line}\n`));
    const url = await server.url;
    const { results } = await runSet(set, url);
    server.kill('SIGTERM');
    await server.ended;
    const absent = [{ id: 'none', status: 'FAILURE', errorMessage: 'there is no result' }];
    const all = scoredOf(set).flatMap((scenario) => (results.get(scenario) ?? absent).filter(isBad)
        .map(({ id, status, errorMessage }) => [`${scenario}: ${id}`, `${status} ${errorMessage}`]));
    return new Map(all);
}

function tell(what, names, texts) {
    names.forEach((name) => process.stdout.write(`  ${what}: ${name} ${texts.get(name) ?? ''}\n`));
    return names.length === 0;
}

async function compare(set) {
    const alone = await findBad(set, node('http'));
    const behind = await findBad(set, [gateway, '--http', '127.0.0.1:0', '--', ...node('conformance')]);
    process.stdout.write(`${set}: ${scoredOf(set).length} scenarios, not well ${alone.size} alone, ${behind.size} behind\n`);
    const failures = [...alone.keys()].filter((name) => alone.get(name).startsWith('FAILURE'));
    const worse = [...behind.keys()].filter((name) => !alone.has(name) && !knownOnStdio.includes(name));
    const mended = set === sets.at(-1) ? knownOnStdio.filter((name) => !behind.has(name)) : [];
    return [
        tell('fails with the SDK alone', failures, alone),
        tell('worse behind the gateway', worse, behind),
        tell('known, but well by now', mended, behind),
    ].every(Boolean);
}

let isWell = true;
for (const set of sets)
    isWell = await compare(set) && isWell;
process.exitCode = isWell ? 0 : 1;
