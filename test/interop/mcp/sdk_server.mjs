// A server of both eras, written with the official SDK. On stdio our client talks to it (see servers), foreign clients
// by our gateway, and the bridge is tried on it, so that what goes wrong with our server is known to be ours.
//   node sdk_server.mjs PACKAGES [modern | conformance | http]
// The SDK takes a process for one of the handshake era once a request comes without the envelope of the other, as the
// suite sends them: hence `modern`, with which it does not serve the handshake era at all. With `conformance` it has
// all that the suite asks for, and with `http` too, which it then serves over HTTP.

import { addConformanceFeatures, codec } from './sdk/conformance_features.mjs';
import { addFeatures } from './sdk/features.mjs';
import { serveHttp } from './sdk/http.mjs';
import { sdk, serveStdio } from './sdk/package.mjs';

const how = process.argv[3];
const changes = {};

function makeServer() {
    const resources = { subscribe: true, listChanged: true };
    const capabilities = { logging: {}, tools: { listChanged: true }, prompts: {}, resources };
    const options = { capabilities, requestState: { verify: codec.verify } };
    const server = new sdk.McpServer({ name: 'sdk-server', version: '1.0.0' }, options);
    const add = (name, inputSchema, run, outputSchema) =>
        server.registerTool(name, { description: `Runs ${name}.`, inputSchema, outputSchema }, run);
    addFeatures(server, add, changes);
    if (how === 'conformance' || how === 'http')
        addConformanceFeatures(server, add, changes);
    return server;
}

if (how === 'http')
    serveHttp(makeServer, changes);
else
    serveStdio(makeServer, { legacy: how === 'modern' ? 'reject' : 'serve' });
