// The official conformance suite against a server on stdio, through the bridge to HTTP, or against one that serves HTTP
// itself at /mcp where it says "listening on http://..." on standard error.
//   node conformance.mjs PACKAGES [--http] SERVER ARGUMENTS...
// Fails when a scenario that counts for its set, or one about tasks or skills, has a failure, a warning or no result,
// and when the bridge sees a fault. Other failing scenarios are only named.

import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startHttpServer } from './http_server.mjs';
import { expectedOf, isBad, patience, runSet, runSkills, sets, skillScenarios } from './suite.mjs';

const [, ...words] = process.argv.slice(2);
const servesHttp = words[0] === '--http';
const server = servesHttp ? words.slice(1) : words;
if (server.length === 0) {
    process.stderr.write('usage: node conformance.mjs PACKAGES [--http] SERVER ARGUMENTS...\n');
    process.exit(2);
}
const faults = [];

const say = (line) => process.stdout.write(`${line}\n`);
const count = (number, what) => `${number} ${what}${number === 1 ? '' : 's'}`;

function startBridge() {
    const program = join(dirname(fileURLToPath(import.meta.url)), 'http_bridge.mjs');
    const bridge = spawn(process.execPath, [program, '--until-eof', '--', ...server], { stdio: 'pipe' });
    createInterface({ input: bridge.stderr }).on('line', (line) => {
        if (line.startsWith('bridge: fault:'))
            faults.push(line);
        else
            process.stderr.write(`${line}\n`);
    });
    bridge.ended = new Promise((resolve) => bridge.once('close', resolve));
    bridge.url = new Promise((resolve, reject) => {
        createInterface({ input: bridge.stdout }).once('line', (line) => resolve(line.replace('listening on ', '')));
        bridge.once('exit', () => reject(new Error('the bridge has ended')));
        setTimeout(() => reject(new Error('the bridge does not listen')), patience).unref();
    });
    return bridge;
}

function startServer() {
    return startHttpServer(server[0], server.slice(1), (line) => {
        if (!line.includes('partyline: a requestState')) // which a scenario has tampered with
            faults.push(line);
    });
}

function tell(scenario, checks) {
    for (const { id, status, errorMessage = '' } of checks.filter(isBad))
        say(`  ${status} ${scenario}: ${id} ${errorMessage}`);
}

// Tells what has come of the scenarios of one set, or about skills, and whether that is well.
function judge(set, expected, { results, said }) {
    const missing = expected.filter((scenario) => !results.has(scenario));
    const checks = expected.flatMap((scenario) => results.get(scenario) ?? []);
    const failed = expected.filter((scenario) => results.get(scenario)?.some(({ status }) => status === 'FAILURE'));
    const warnings = checks.filter(({ status }) => status === 'WARNING').length;
    const passed = expected.length - failed.length - missing.length;
    say(`${set}: ${passed} of ${expected.length}, ${count(warnings, 'warning')}`);
    expected.forEach((scenario) => tell(scenario, results.get(scenario) ?? []));
    missing.forEach((scenario) => say(`  no result of ${scenario}`));
    [...results].filter(([scenario, others]) => !expected.includes(scenario) && others.some(isBad))
        .forEach(([scenario, others]) => say(`  beside these: ${scenario} fails in ${others.filter(isBad).length}`));
    if (missing.length > 0)
        say(said.split('\n').slice(-40).join('\n'));
    return passed === expected.length && expected.length > 0 && warnings === 0;
}

// Each set has a server of its own, since some scenarios leave something behind in it.
let isWell = true;
for (const set of sets) {
    const served = servesHttp ? startServer() : startBridge();
    const url = await served.url;
    isWell = judge(set, expectedOf(set), await runSet(set, url)) && isWell;
    isWell = judge(`${set}, skills`, skillScenarios, await runSkills(set, url)) && isWell;
    if (servesHttp)
        served.kill('SIGTERM');
    else
        served.stdin.end();
    await served.ended;
}
say(`${servesHttp ? 'the server' : 'the bridge'}: ${count(faults.length, 'fault')}`);
faults.slice(0, 20).forEach((line) => say(`  ${line}`));
process.exitCode = isWell && faults.length === 0 ? 0 : 1;
