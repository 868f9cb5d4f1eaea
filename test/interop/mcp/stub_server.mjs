// A server on stdio that knows no rules, for tests of the bridge. It answers:
//   seen        with all messages that have come, in order
//   print TEXT  after it has written TEXT on stdout
//   all else    not at all

import { createInterface } from 'node:readline';

const seen = [];
const write = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

createInterface({ input: process.stdin }).on('line', (line) => {
    const message = JSON.parse(line);
    seen.push(message);
    if (message.method === 'print')
        process.stdout.write(`${message.params.text}\n`);
    if (['initialize', 'seen', 'print'].includes(message.method))
        write({ id: message.id, result: { seen, pid: process.pid } });
});
