// Runs the official conformance suite, of the packages that the program has been told of, and reads what has come of
// it.

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const sets = ['2025-11-25', '2026-07-28'];
// Scenarios of the extensions that our server has. Those of tasks are run with their set, which does not demand them;
// those of skills belong to no set, and are run by the revision of each.
const taskScenarios = { '2026-07-28': [
    'capability-negotiation', 'dispatch-and-envelope', 'lifecycle', 'mrtr-composition', 'mrtr-input', 'request-headers',
    'request-state-removal', 'required-task-error', 'status-notifications', 'wire-fields',
].map((name) => `tasks-${name}`) };
export const skillScenarios = ['enumeration', 'manifest', 'directory'].map((name) => `sep-2640-skills-${name}`);
export const patience = 30_000; // ms for one scenario, and for a server to listen

const [, , packages] = process.argv;
const suite = join(packages, 'node_modules/@modelcontextprotocol/conformance');
const { parse } = createRequire(join(packages, 'package.json'))('yaml');

// Runs one set, or one scenario; resolves with what the suite said, for when something is missing.
function run(what, url, folder) {
    const args = ['server', '--url', url, ...what, '-o', folder, '--timeout', String(patience)];
    const program = join(suite, 'dist/index.js');
    const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    child.stdout.on('data', (chunk) => { said += chunk; });
    child.stderr.on('data', (chunk) => { said += chunk; });
    return new Promise((resolve) => child.once('close', () => resolve(said)));
}

// The checks of each scenario that has been run to its end, by its name.
function read(folder) {
    const names = readdirSync(folder).map((name) => [/^server-(.*)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name)?.[1], name]);
    const ended = names.map(([scenario, name]) => [scenario, join(folder, name, 'checks.json')])
        .filter(([scenario, file]) => scenario && existsSync(file));
    return new Map(ended.map(([scenario, file]) => [scenario, JSON.parse(readFileSync(file, 'utf8'))]));
}

export const isBad = ({ status }) => status === 'FAILURE' || status === 'WARNING';

// Scenarios run side by side, and what one of them changes another may see: that one is run again by itself.
async function repeatDisturbed(set, url, folder) {
    const results = read(folder);
    const isDisturbed = ({ status, errorMessage = '' }) => status === 'WARNING' && errorMessage.startsWith('Not testable');
    for (const [scenario] of [...results].filter(([, checks]) => checks.some(isDisturbed))) {
        const again = join(folder, 'again');
        await run(['--scenario', scenario, '--spec-version', set], url, again);
        const checks = read(again).get(scenario);
        if (checks)
            results.set(scenario, checks);
    }
    return results;
}

const requirementsOf = (set) => parse(readFileSync(join(suite, `requirements/${set}.yaml`), 'utf8'));

// The scenarios that count for a set.
export const scoredOf = (set) => requirementsOf(set).server;

// The same, and those about tasks.
export const expectedOf = (set) => scoredOf(set).concat(taskScenarios[set] ?? []);

// Runs a set against a server. Resolves with the checks of each scenario, and what the suite said.
export async function runSet(set, url) {
    const folder = mkdtempSync(join(tmpdir(), 'partyline-conformance-'));
    try {
        const said = await run(['--requirements', set], url, folder);
        return { results: await repeatDisturbed(set, url, folder), said };
    } finally {
        rmSync(folder, { recursive: true, force: true });
    }
}

// Runs the scenarios about skills against a server, by the revision of a set. Resolves as `runSet` does, without those
// that have skipped all checks, since the server has not declared the extension.
export async function runSkills(set, url) {
    const folder = mkdtempSync(join(tmpdir(), 'partyline-conformance-'));
    try {
        const said = await Promise.all(skillScenarios.map((scenario) =>
            run(['--scenario', scenario, '--spec-version', set, '--force'], url, folder)));
        const hasTried = ([, checks]) => checks.some(({ status }) => status !== 'SKIPPED');
        return { results: new Map([...read(folder)].filter(hasTried)), said: said.join('') };
    } finally {
        rmSync(folder, { recursive: true, force: true });
    }
}
