// What a page of an origin that is allowed may do at an MCP server: all that a program may.

import { answersOf, endOf, messagesOf, newModernRequest, newRequest, post } from './requests.mjs';

const revision = '2025-11-25';

async function begin(url) {
    const params = { protocolVersion: revision, capabilities: {}, clientInfo: { name: 'page', version: '1.0.0' } };
    const response = await post(url, newRequest('initialize', params));
    const id = response.headers.get('Mcp-Session-Id');
    if (!id)
        throw new Error('the page cannot read the id of its session');
    const session = { 'Mcp-Session-Id': id, 'MCP-Protocol-Version': revision };
    const [{ result }] = await answersOf(response);
    const greeted = await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, session);
    return { session, found: { server: result.serverInfo.name, greeted: greeted.status } };
}

const callOf = ({ name, arguments: input }) => ({ name, arguments: input, _meta: { progressToken: 'page' } });

// What a stream has brought by its end.
async function seeAnswers(response) {
    const messages = await answersOf(response);
    const progress = messages.filter(({ method }) => method === 'notifications/progress').map(({ params }) => params.progress);
    return { status: response.status, progress, result: messages.at(-1).result };
}

// Of a call that takes longer than anybody waits, so that a first progress has come while the answer was under way.
async function cancelEndless(url, session, endless) {
    const request = newRequest('tools/call', callOf(endless));
    const messages = messagesOf(await post(url, request, session));
    const { value: first } = await messages.next();
    const params = { requestId: request.id, reason: 'seen enough' };
    const told = await post(url, { jsonrpc: '2.0', method: 'notifications/cancelled', params }, session);
    return { first: first.method, told: told.status };
}

// In the revision that has no sessions, who goes away has cancelled.
async function abandonEndless(url, endless) {
    const { body, headers } = newModernRequest('tools/call', callOf(endless));
    const leaving = new AbortController();
    const messages = messagesOf(await post(url, body, headers, leaving.signal));
    const { value: first } = await messages.next();
    leaving.abort();
    return { first: first.method, end: await endOf(messages) };
}

async function hear(url, session, watched) {
    const response = await fetch(url, { headers: { Accept: 'text/event-stream', ...session } });
    const messages = messagesOf(response);
    const found = { status: response.status, type: response.headers.get('Content-Type') };
    if (watched) {
        await answersOf(await post(url, newRequest('resources/subscribe', { uri: watched }), session));
        found.heard = (await messages.next()).value.method;
    }
    return { messages, found };
}

async function endSession(url, session, heard) {
    const deleted = await fetch(url, { method: 'DELETE', headers: session });
    let end = await heard.next();
    while (!end.done)
        end = await heard.next();
    const after = await post(url, newRequest('tools/list'), session);
    return { deleted: deleted.ok, streamEnded: end.done, after: after.status };
}

export default async function useServer({ url, steps, endless, watched }) {
    const { session, found: begun } = await begin(url);
    const { messages: heard, found: stream } = await hear(url, session, watched);
    const called = await seeAnswers(await post(url, newRequest('tools/call', callOf(steps)), session));
    const cancelled = await cancelEndless(url, session, endless);
    const { body, headers } = newModernRequest('tools/call', callOf(steps));
    const modern = await seeAnswers(await post(url, body, headers));
    const abandoned = await abandonEndless(url, endless);
    const asText = await post(url, newRequest('tools/list'), { ...session, 'Content-Type': 'text/plain' });
    const ended = await endSession(url, session, heard);
    return { begun, stream, called, cancelled, modern, abandoned, asText: asText.status, ended };
}
