import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';

import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';

const echoed = z.object({ text: z.string() });

function makeServer() {
    const server = new McpServer({ name: 'mcp-typescript-peer', version: '1.0.0' });
    server.registerTool(
        'echo',
        { description: 'Returns the text that it is given.', inputSchema: echoed, outputSchema: echoed },
        ({ text }) => {
            const structuredContent = { text };
            return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
        });
    return server;
}

const sessions = new Map();

async function beginSession() {
    const transport = new NodeStreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => { sessions.set(id, transport); },
    });
    await makeServer().connect(transport);
    return transport;
}

const http = createServer(async (request, response) => {
    const transport = sessions.get(request.headers['mcp-session-id']) ?? await beginSession();
    await transport.handleRequest(request, response);
});
http.listen(0, '127.0.0.1', () => {
    process.stderr.write(`listening on http://127.0.0.1:${http.address().port}\n`);
});
