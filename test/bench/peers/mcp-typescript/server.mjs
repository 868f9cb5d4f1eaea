import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

const echoed = z.object({ text: z.string() });

serveStdio(() => {
    const server = new McpServer({ name: 'mcp-typescript-peer', version: '1.0.0' });
    server.registerTool(
        'echo',
        { description: 'Returns the text that it is given.', inputSchema: echoed, outputSchema: echoed },
        ({ text }) => {
            const structuredContent = { text };
            return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
        });
    return server;
});
