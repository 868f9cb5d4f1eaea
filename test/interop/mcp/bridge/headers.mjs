// What the headers of a request of 2026-07-28 have to say about its body.

import { Refusal } from './reply.mjs';

export const metaPrefix = 'io.modelcontextprotocol/';
const strictBase64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const named = { 'tools/call': 'name', 'prompts/get': 'name', 'resources/read': 'uri',
    'tasks/get': 'taskId', 'tasks/update': 'taskId', 'tasks/cancel': 'taskId' };

const mismatch = (text) => new Refusal(400, -32020, text);

// A value as it was before it was made fit for a header.
function decoded(header, value) {
    const coded = /^=\?base64\?(.*)\?=$/s.exec(value)?.[1];
    if (coded === undefined)
        return value;
    if (!strictBase64.test(coded))
        throw mismatch(`the header ${header} is no valid base64`);
    try {
        return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(coded, 'base64'));
    } catch {
        throw mismatch(`the header ${header} is no UTF-8 in base64`);
    }
}

const isSame = (said, meant) =>
    typeof meant === 'number' ? said.trim() !== '' && Number(said) === meant : said === String(meant);

function compare(headers, header, meant) {
    const said = headers[header.toLowerCase()];
    if (said === undefined)
        throw mismatch(`the header ${header} is missing, expected ${JSON.stringify(meant)}`);
    if (!isSame(decoded(header, said), meant))
        throw mismatch(`the header ${header} is ${JSON.stringify(said)}, but the body has ${JSON.stringify(meant)}`);
}

// The headers that every request has. What the body itself lacks is for the server to tell.
export function checkStandard(headers, { method, params }) {
    const version = params?._meta?.[`${metaPrefix}protocolVersion`];
    if (typeof version === 'string')
        compare(headers, 'MCP-Protocol-Version', version);
    compare(headers, 'Mcp-Method', method);
    const name = params?.[named[method]];
    if (typeof name === 'string')
        compare(headers, 'Mcp-Name', name);
}

// Where a tool's input schema says that an argument stands in a header as well: [header, path of members] each.
export function mirrored(schema, path = []) {
    if (path.length > 32)
        return [];
    return Object.entries(schema?.properties ?? {}).flatMap(([name, member]) => {
        const mark = member?.['x-mcp-header'];
        const here = typeof mark === 'string' ? [[`Mcp-Param-${mark}`, [...path, name]]] : [];
        return [...here, ...mirrored(member, [...path, name])];
    });
}

export function checkMirrored(headers, marks, args) {
    for (const [header, path] of marks) {
        const meant = path.reduce((value, name) => value?.[name], args);
        if (['string', 'number', 'boolean'].includes(typeof meant))
            compare(headers, header, meant);
        else if ((meant ?? null) === null && headers[header.toLowerCase()] !== undefined)
            throw mismatch(`the header ${header} is there, but the body has no ${path.join('.')}`);
    }
}
