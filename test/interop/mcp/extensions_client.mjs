// The official SDK 2, with its extension for skills and its package for tasks, as the client of a server on stdio or
// over HTTP that has both: the fixture. Tasks are there from 2026-07-28 on.
//   node extensions_client.mjs PACKAGES MODE [--http] SERVER ARGUMENTS...
// MODE: legacy (it begins with the handshake) or 2026-07-28.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { once, soon } from '../waiting.mjs';
import { reach } from './http_server.mjs';
import { RawRequests } from './sdk/raw_requests.mjs';

const [packages, mode, ...server] = process.argv.slice(2);
const require = createRequire(join(packages, 'package.json'));
const { Client, StreamableHTTPClientTransport: Http } = require('@modelcontextprotocol/client');
const { StdioClientTransport: Stdio } = require('@modelcontextprotocol/client/stdio');
const { SkillsClient, SkillVerificationError } = require('@modelcontextprotocol/client/ext/skills');
// Imported by its path: not every Node can `require` an ES module.
const { createApplicationInputHandler, createTaskSessionFromClient } =
    await import(pathToFileURL(join(packages, 'node_modules/@modelcontextprotocol/ext-tasks/dist/client/index.js')));

const clientInfo = { name: 'extensions-client', version: '1.0.0' };
const clientCapabilities = { elicitation: {} };
const isModern = mode !== 'legacy';
const revision = isModern ? '2026-07-28' : '2025-11-25';

const refusedFor = (reason) => (error) => {
    assert.ok(error instanceof SkillVerificationError, `${error}`);
    assert.equal(error.reason, reason);
    return true;
};

async function readReport(skills, report) {
    const { text, frontmatter, body, verified } = await skills.read(report);
    assert.ok(verified && text.endsWith(body) && body.includes('# Report'), text);
    assert.deepEqual(frontmatter, report.frontmatter);
    assert.equal((await skills.read(report, 'templates/monthly.md')).text, '# Report of {month}\n');
    const { bytes, mimeType } = await skills.read(report, 'logo.png');
    assert.deepEqual([...bytes], [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]);
    assert.equal(mimeType, 'image/png');
    for (const { uri } of report.resources)
        assert.equal((await skills.read(report, uri)).verified, true, uri);
}

// A file that differs from its entry is refused, so the client does compare them.
async function readWrong(skills, report) {
    await assert.rejects(skills.read(report, 'no-such-file.md'), refusedFor('unlisted'));
    const other = structuredClone(report);
    for (const file of other.resources)
        file.digest = `sha256:${'0'.repeat(64)}`;
    await assert.rejects(skills.read(other), refusedFor('digest'));
    const renamed = structuredClone(report);
    renamed.frontmatter.license = 'MIT';
    await assert.rejects(skills.read(renamed), refusedFor('frontmatter'));
}

async function useSkills(client) {
    const skills = new SkillsClient(client);
    assert.deepEqual([skills.supported, skills.directoryRead], [true, true]);
    const listing = await skills.list();
    assert.deepEqual(listing.invalid, []);
    const uris = listing.skills.map(({ uri }) => uri).sort();
    assert.deepEqual(uris, ['skill://report/SKILL.md', 'skill://report/forms/SKILL.md', 'skill://team/greet/SKILL.md']);

    const report = listing.skills.find(({ uri }) => uri === 'skill://report/SKILL.md');
    assert.deepEqual(report.frontmatter, {
        name: 'report', description: 'Writes a report: what, when, and by whom', license: 'Apache-2.0',
        metadata: { version: '1.2' }, tags: ['text', 'monthly'],
    });
    assert.deepEqual((await skills.get(report.uri)).skill, report);
    await assert.rejects(skills.get('skill://nobody/SKILL.md'), { code: -32602 });
    await readReport(skills, report);
    await readWrong(skills, report);

    const { resources } = await skills.readDirectory('skill://report');
    const folders = resources.filter(({ mimeType }) => mimeType === 'inode/directory');
    assert.deepEqual(folders.map(({ name }) => name).sort(), ['forms', 'scripts', 'templates']);
    const files = resources.filter((one) => !folders.includes(one));
    assert.deepEqual(files.map(({ uri }) => uri).sort(), ['skill://report/SKILL.md', 'skill://report/logo.png']);
    const below = await skills.readDirectory('skill://report/templates');
    assert.deepEqual(below.resources.map(({ uri }) => uri), ['skill://report/templates/monthly.md']);
    await assert.rejects(skills.readDirectory('skill://report/SKILL.md'), { code: -32602 });
}

class Tasks {
    constructor(client, transport) {
        this.asked = [];
        const elicitation = ({ params: { message, requestedSchema } }) => {
            this.asked.push(message);
            const content = requestedSchema.properties.confirm ? { confirm: true } : { name: 'Ada' };
            return { action: 'accept', content };
        };
        const onInputRequest = createApplicationInputHandler({ elicitation });
        const { dispatch: rawDispatch } = new RawRequests(transport);
        const v2RequestFraming = { protocolVersion: revision, clientInfo, clientCapabilities };
        const options = { endpointId: 'fixture', rawDispatch, v2RequestFraming, onInputRequest };
        this.session = createTaskSessionFromClient(client, options);
    }

    async call(tool, input) {
        const execution = await this.session.callTool(tool, input);
        assert.equal(execution.kind, 'task', `the call of ${tool} is a task`);
        return execution;
    }

    // The states that the task has had, and what has come of it.
    async settle(tool, input) {
        const states = [];
        const onEvent = ({ type, task }) => type === 'task' && states.push(task.status);
        const { outcome } = await (await this.call(tool, input)).settle({ onEvent });
        return { states, outcome };
    }
}

const textOf = ({ result }) => result.content.map((block) => block.text).join('');

async function complete(tasks) {
    const { states, outcome } = await tasks.settle('slow_compute', { seconds: 0.1, label: 'pi' });
    assert.equal(outcome.status, 'completed');
    assert.equal(textOf(outcome), 'pi is computed');
    assert.ok(states.includes('working'), `${states}`);
}

async function fail(tasks) {
    const { outcome: told } = await tasks.settle('failing_job');
    assert.equal(told.status, 'completed'); // as the result of a tool is, also where it has failed
    assert.deepEqual([told.result.isError, textOf(told)], [true, 'The job has failed']);
    const { outcome: refused } = await tasks.settle('protocol_error_job');
    assert.equal(refused.status, 'failed');
    assert.deepEqual([refused.error.code, refused.error.message], [-32603, 'The job could not be run']);
}

async function answer(tasks) {
    const [deleted, two, greeted] = await Promise.all([
        tasks.settle('confirm_delete', { filename: 'notes' }),
        tasks.settle('multi_input'),
        tasks.settle('test_tool_with_task'), // it asks before there is a task
    ]);
    assert.equal(textOf(deleted.outcome), 'notes is deleted');
    assert.equal(textOf(two.outcome), 'Ada is sure');
    assert.equal(textOf(greeted.outcome), 'Hello, Ada!');
    assert.deepEqual(tasks.asked.sort(),
        ['Are you sure?', 'Delete notes?', 'What is your name?', 'What is your name?']);
}

async function cancel(tasks) {
    const execution = await tasks.call('slow_compute', { seconds: 600 });
    await execution.cancel();
    const { outcome } = await execution.settle();
    assert.equal(outcome.status, 'cancelled');
    assert.equal((await tasks.session.task(execution.handle.taskId).snapshot()).status, 'cancelled');
}

async function useTasks(client, transport) {
    const tasks = new Tasks(client, transport);
    await Promise.all([complete(tasks), fail(tasks), answer(tasks), cancel(tasks)]);
    await assert.rejects(tasks.session.task('nobody').snapshot(), { code: -32602 });
    await tasks.session.close();
}

// A client that has no package for tasks gets results as ever, or is told what it would need.
async function useNoTasks(client) {
    const call = (name, input) => client.callTool({ name, arguments: input });
    assert.equal(textOf({ result: await call('slow_compute', { seconds: 0, label: 'pi' }) }), 'pi is computed');
    await assert.rejects(call('failing_job'), { code: isModern ? -32021 : -32602 });
}

const versionNegotiation = { mode: isModern ? { pin: mode } : mode };
const client = new Client(clientInfo, { capabilities: clientCapabilities, versionNegotiation });
const { transport, end } = await reach(server, { Stdio, Http });
await soon(client.connect(transport), 'the connection');
assert.equal(client.getNegotiatedProtocolVersion(), revision);
const exit = end ? undefined : once(transport._process, 'exit');
await soon(useSkills(client), 'skills');
await soon(useNoTasks(client), 'calls without tasks');
if (isModern)
    await soon(useTasks(client, transport), 'tasks');
if (end)
    await soon(end(), 'the end of the server');
await soon(client.close(), 'closing');
if (exit)
    assert.deepEqual(await soon(exit, 'the end of the server'), [0, null]);
process.stdout.write('all as expected\n');
