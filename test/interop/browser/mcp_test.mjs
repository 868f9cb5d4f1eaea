// Pages in Chromium as clients of an MCP server over HTTP: one of an origin that is allowed, and some that are not.
//   node mcp_test.mjs KIND PROGRAM ARGUMENTS...
// PROGRAM serves HTTP, and takes the options that all our servers of HTTP have. KIND is which tools are there: fixture
// or tools (partyline-tools --root . --allow-command touch).

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { AskedServer, enterNewFolder } from './asked_server.mjs';
import { answersOf, newModernRequest, post } from './pages/requests.mjs';
import { seeRefusals } from './refusals.mjs';
import { Visits } from './visits.mjs';

const changing = newModernRequest('tools/call', { name: 'test_trigger_tool_change', arguments: {} });

async function hasDynamicTool(url) {
    const { body, headers } = newModernRequest('tools/list');
    const [{ result }] = await answersOf(await post(url, body, headers));
    return result.tools.some(({ name }) => name === 'test_dynamic_tool');
}

const touching = newModernRequest('tools/call', {
    name: 'run_command', arguments: { command: 'touch', arguments: ['touched'] },
});

const kinds = {
    fixture: {
        server: 'partyline-mcp-fixture',
        steps: { name: 'slow', arguments: { steps: 3, ms: 10 } },
        progress: [1, 2, 3],
        endless: { name: 'slow', arguments: { steps: 100_000, ms: 20 } },
        watched: 'test://watched-resource',
        effect: (url) => ({ ...changing, hasHappened: () => hasDynamicTool(url) }),
    },
    tools: {
        server: 'partyline-tools',
        steps: { name: 'wait', arguments: { seconds: 0.1 } },
        progress: [0.1],
        endless: { name: 'wait', arguments: { seconds: 1000 } },
        effect: () => ({ ...touching, hasHappened: () => existsSync('touched') }),
    },
};

function judge(found, { server, progress, watched }) {
    assert.deepEqual(found.begun, { server, greeted: 202 });
    const heard = watched && { heard: 'notifications/resources/updated' };
    assert.deepEqual(found.stream, { status: 200, type: 'text/event-stream', ...heard });
    for (const { result, ...rest } of [found.called, found.modern]) {
        assert.deepEqual(rest, { status: 200, progress });
        assert.equal(result.content[0].type, 'text');
        assert.notEqual(result.isError, true);
    }
    assert.deepEqual(found.cancelled, { first: 'notifications/progress', told: 202 });
    assert.deepEqual(found.abandoned, { first: 'notifications/progress', end: 'AbortError' });
    assert.equal(found.asText, 415);
    assert.deepEqual(found.ended, { deleted: true, streamEnded: true, after: 404 });
}

const [name, ...words] = process.argv.slice(2);
const kind = kinds[name];
enterNewFolder();
const visits = new Visits();
const origin = await visits.openOrigin();
const server = await AskedServer.start(words, origin);
const { steps, endless, watched } = kind;
judge(await visits.visit(origin, 'mcp', { url: server.mcp, steps, endless, watched }), kind);
await server.sees({ // all of it: so the call that was abandoned has ended
    'OPTIONS 204': 1, 'GET 200': 1, 'DELETE 204': 1,
    'POST 200': watched ? 6 : 5, 'POST 202': 2, 'POST 415': 1, 'POST 404': 1,
});
await seeRefusals(visits, origin, server, server.mcp, kind.effect(server.mcp));
await visits.end();
await server.end();
process.stdout.write('all as expected\n');
