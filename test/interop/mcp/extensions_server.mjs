// A server of both eras with the official SDK, its extension for skills, and tasks for clients of 2026-07-28: see
// extensions_driver.cpp, which uses them.
//   node extensions_server.mjs PACKAGES [http]

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { serveHttp } from './sdk/http.mjs';
import { sdk, serveStdio } from './sdk/package.mjs';
import { Tasks, addTasks } from './sdk/tasks.mjs';

const require = createRequire(join(process.argv[2], 'package.json'));
const { SkillsExtension, memorySkillFiles } = require('@modelcontextprotocol/server/ext/skills');

const refunds = `---
name: refunds
description: >-
  Pays customers back:
  by the rules
license: Apache-2.0
metadata:
  version: "1.2"
allowed-tools: Read Grep
---

# Refunds

Fill in \`templates/form.md\`.
`;
const skills = await SkillsExtension.load(memorySkillFiles({
    'greet/SKILL.md': '---\nname: greet\ndescription: "Greets a new colleague"\n---\n\nSay hello.\n',
    'refunds/SKILL.md': refunds,
    'refunds/logo.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]),
    'refunds/templates/form.md': 'Order: ä\nSum:\n',
}), { prefix: 'acme', pageSize: 1, strict: true });
const tasks = new Tasks();

function makeServer() {
    const server = new sdk.McpServer({ name: 'extensions-server', version: '1.0.0' });
    skills.attach(server);
    addTasks(server, tasks);
    return server;
}

if (process.argv[3] === 'http')
    serveHttp(makeServer, {});
else
    serveStdio(makeServer, { legacy: 'serve' });
