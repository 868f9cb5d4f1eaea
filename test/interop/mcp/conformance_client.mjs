// The official conformance suite as the server of a client over HTTP, and as the authorization servers that it has to
// deal with.
//   node conformance_client.mjs PACKAGES CLIENT [LEFT-OUT...]
// Fails on any failure or warning of a scenario that counts for its set of requirements, or is one of `besides`, but
// for those whose names begin with what is left out.

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isBad, sets } from './suite.mjs';

const [packages, client, ...leftOut] = process.argv.slice(2);
const suite = join(packages, 'node_modules/@modelcontextprotocol/conformance');
const { parse } = createRequire(join(packages, 'package.json'))('yaml');

// What counts for no set: servers of the first revision, and extensions, which belong to none.
const besides = [
    ['2025-03-26', 'auth/2025-03-26-oauth-metadata-backcompat'],
    ['2025-03-26', 'auth/2025-03-26-oauth-endpoint-fallback'],
    ['2026-07-28', 'auth/client-credentials-jwt', '--force'],
    ['2026-07-28', 'auth/client-credentials-basic', '--force'],
];
const scenariosOf = (set) => parse(readFileSync(join(suite, `requirements/${set}.yaml`), 'utf8')).client
    .map((scenario) => [set, scenario]);

// Resolves with the checks of a scenario, and what was said.
async function run(set, scenario, ...options) {
    const folder = mkdtempSync(join(tmpdir(), 'partyline-conformance-'));
    try {
        const args = ['client', '--command', client, '--scenario', scenario, '--spec-version', set, '-o', folder, '--verbose',
            ...options];
        const child = spawn(process.execPath, [join(suite, 'dist/index.js'), ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
        let said = '';
        child.stdout.on('data', (chunk) => { said += chunk; });
        child.stderr.on('data', (chunk) => { said += chunk; });
        await new Promise((resolve) => child.once('close', resolve));
        const [file] = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('checks.json'));
        const checks = file ? JSON.parse(readFileSync(join(folder, file), 'utf8')) : [];
        return { checks, said };
    } finally {
        rmSync(folder, { recursive: true, force: true });
    }
}

let isWell = true;
leftOut.forEach((scenario) => process.stdout.write(`left out: ${scenario}\n`));
for (const what of [...sets.flatMap(scenariosOf), ...besides]) {
    const [set, scenario] = what;
    if (leftOut.some((name) => scenario.startsWith(name)))
        continue;
    const { checks, said } = await run(...what);
    const bad = checks.filter(isBad);
    const passed = checks.filter(({ status }) => status === 'SUCCESS').length;
    process.stdout.write(`${set} ${scenario}: ${passed} checks passed, ${bad.length} did not\n`);
    bad.forEach(({ id, status, errorMessage = '' }) => process.stdout.write(`  ${status} ${id} ${errorMessage}\n`));
    if (passed === 0 || bad.length > 0) {
        process.stdout.write(said.split('\n').slice(-40).join('\n'));
        isWell = false;
    }
}
process.exitCode = isWell ? 0 : 1;
