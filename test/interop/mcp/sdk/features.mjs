// What the server with the official SDK offers to our client: some of what the conformance suite asks for, and more.

import { setTimeout as sleep } from 'node:timers/promises';
import { object, sdk, text } from './package.mjs';

const { ResourceTemplate, inputRequired, inputResponse } = sdk;

async function steps(total, count, ms, { mcpReq }) {
    const progressToken = mcpReq._meta?.progressToken;
    for (let step = 1; step <= count && !mcpReq.signal.aborted; ++step) {
        const params = { progressToken, progress: step * total / count, total };
        if (progressToken !== undefined)
            await mcpReq.notify({ method: 'notifications/progress', params });
        await sleep(ms);
    }
}

async function log({ mcpReq }) {
    for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
        await mcpReq.log('info', data);
        await sleep(20);
    }
    return text('Tool with logging executed successfully');
}

const form = {
    type: 'object',
    properties: { username: { type: 'string' }, email: { type: 'string' } },
    required: ['username', 'email'],
};

// Each asks for what has not been answered: the SDK calls it again with the answer, in either era.
function elicit({ message }, { mcpReq: { inputResponses } }) {
    const { kind, action, content = {} } = inputResponse(inputResponses, 'user');
    if (kind === 'missing')
        return inputRequired({ inputRequests: { user: inputRequired.elicit({ message, requestedSchema: form }) } });
    return text(`User response: action=${action}, content=${JSON.stringify(content)}`);
}

function sample({ prompt }, { mcpReq: { inputResponses } }) {
    const { kind, result } = inputResponse(inputResponses, 'said');
    if (kind !== 'missing')
        return text(`LLM response: ${result.content.text}`);
    const messages = [{ role: 'user', content: { type: 'text', text: prompt } }];
    return inputRequired({ inputRequests: { said: inputRequired.createMessage({ messages, maxTokens: 100 }) } });
}

function listRoots(_, { mcpReq: { inputResponses } }) {
    const { kind, roots } = inputResponse(inputResponses, 'roots');
    if (kind === 'missing')
        return inputRequired({ inputRequests: { roots: inputRequired.listRoots() } });
    return text(`Roots: ${roots.map(({ uri }) => uri).join(' ')}`);
}

function addTools(add) {
    const none = object();
    const numbers = object({ a: { type: 'number' }, b: { type: 'number' } });
    const pace = object({ steps: { type: 'integer' }, ms: { type: 'integer' } });
    add('test_simple_text', none, () => text('This is a simple text response for testing.'));
    add('sum', numbers, ({ a, b }) => ({ ...text(JSON.stringify({ sum: a + b })), structuredContent: { sum: a + b } }),
        object({ sum: { type: 'number' } }));
    add('test_error_handling', none, () => {
        throw new Error('This tool intentionally returns an error for testing');
    });
    add('test_tool_with_progress', none, async (_, context) => {
        await steps(100, 3, 20, context);
        return text('done');
    });
    add('test_tool_with_logging', none, (_, context) => log(context));
    add('slow', pace, async ({ steps: count, ms }, context) => {
        await steps(count, count, ms, context);
        return text('done');
    });
    const marked = object({ region: { type: 'string', 'x-mcp-header': 'Region' } });
    add('test_x_mcp_header', marked, ({ region }) => text(region));
}

function addAsking(add) {
    add('test_elicitation', object({ message: { type: 'string' } }), elicit);
    add('test_sampling', object({ prompt: { type: 'string' } }), sample);
    add('list_roots', object(), listRoots);
}

// A tool that adds something, or takes it away again. That lasts, also where the SDK has a server for each request.
export function addTrigger(add, name, what, changes, addOne) {
    let there = changes[what] && addOne();
    add(name, object(), () => {
        there?.remove();
        there = there ? undefined : addOne();
        changes[what] = there !== undefined;
        changes.tell?.(what);
        return text('Mutation triggered');
    });
}

// For clients of 2026-07-28 the SDK knows by itself who wants to be told.
function addSubscriptions(add, server) {
    const subscribed = new Set();
    add('touch', object(), async (_, { mcpReq: { envelope } }) => {
        if (envelope !== undefined || subscribed.has(watched))
            await server.sendResourceUpdated({ uri: watched });
        return text('done');
    });
    server.setRequestHandler('resources/subscribe', ({ params: { uri } }) => {
        subscribed.add(uri);
        return {};
    });
    server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
        subscribed.delete(uri);
        return {};
    });
}

const watched = 'test://static-text';

function addResources(server) {
    const content = (uri, words) => ({ contents: [{ uri, mimeType: 'text/plain', text: words }] });
    server.registerResource('static-text', watched, { description: 'A text', mimeType: 'text/plain' },
        () => content(watched, 'This is the content of the static text resource.'));
    const known = (begun) => ['alpha', 'alpine', 'beta'].filter((id) => id.startsWith(begun));
    const template = new ResourceTemplate('test://template/{id}/data', { list: undefined, complete: { id: known } });
    server.registerResource('template', template, { description: 'Data by id' },
        ({ href }, { id }) => content(href, `Data for ${id}`));
}

function addPrompts(server) {
    const said = (words) => ({ messages: [{ role: 'user', content: { type: 'text', text: words } }] });
    server.registerPrompt('test_simple_prompt', { description: 'A prompt' },
        () => said('This is a simple prompt for testing.'));
    const argsSchema = object({ arg1: { type: 'string' }, arg2: { type: 'string' } });
    server.registerPrompt('test_prompt_with_arguments', { description: 'A prompt with arguments', argsSchema },
        ({ arg1, arg2 }) => said(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`));
}

// `changes` are what has come of the tools that change something, for all servers of the process.
export function addFeatures(server, add, changes) {
    addTools(add);
    addAsking(add);
    addTrigger(add, 'test_trigger_tool_change', 'tools', changes,
        () => add('test_dynamic_tool', object(), () => text('Dynamic tool')));
    addSubscriptions(add, server.server);
    addResources(server);
    addPrompts(server);
}
