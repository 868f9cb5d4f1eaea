// Requests as programs send them, for pages and for Node, and the answers to them.

const prefix = 'io.modelcontextprotocol/';
let lastId = 0;

export const newRequest = (method, params = {}) => ({ jsonrpc: '2.0', id: ++lastId, method, params });

export function post(url, body, headers = {}, signal = undefined) {
    const types = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
    return fetch(url, { method: 'POST', headers: { ...types, ...headers }, body: JSON.stringify(body), signal });
}

// A request of 2026-07-28, which needs no session, and the fields that repeat what it says.
export function newModernRequest(method, { _meta = {}, ...params } = {}) {
    const said = { [`${prefix}protocolVersion`]: '2026-07-28', [`${prefix}clientCapabilities`]: {} };
    const headers = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': method };
    const name = params.name ?? params.uri;
    if (name)
        headers['Mcp-Name'] = name;
    return { body: newRequest(method, { ...params, _meta: { ...said, ..._meta } }), headers };
}

// The messages of a stream of events, each as soon as it has come.
export async function* messagesOf(response) {
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
        const events = (text + read.value).split('\n\n');
        text = events.pop();
        for (const event of events) {
            const data = /^data: (.+)$/m.exec(event);
            if (data)
                yield JSON.parse(data[1]);
        }
    }
}

// How a stream that was aborted ends, behind what had come before.
export async function endOf(messages) {
    try {
        while (!(await messages.next()).done)
            continue;
        return 'its end';
    } catch ({ name }) {
        return name;
    }
}

// The messages that answer a request: of a stream, or the one that is the body.
export async function answersOf(response) {
    if (!response.headers.get('Content-Type').startsWith('text/event-stream'))
        return [await response.json()];
    const messages = [];
    for await (const message of messagesOf(response))
        messages.push(message);
    return messages;
}
