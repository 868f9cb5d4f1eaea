// The official SDK of servers, from the packages that the program has been told of, and what all that is offered with
// it needs.

import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(join(process.argv[2], 'package.json'));
export const sdk = require('@modelcontextprotocol/server');
export const { serveStdio } = require('@modelcontextprotocol/server/stdio');

export const text = (said) => ({ content: [{ type: 'text', text: said }] });

export const object = (properties = {}) => sdk.fromJsonSchema({
    type: 'object', properties, required: Object.keys(properties), additionalProperties: false,
});
