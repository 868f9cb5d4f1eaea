// What apps/examples/browser_page does, without its buttons.

import { Rpc } from './rpc.js';

async function abandon(rpc) {
    const stop = new AbortController();
    const onProgress = () => stop.abort();
    try {
        return await rpc.call('count', { to: 1000 }, { onProgress, signal: stop.signal });
    } catch ({ code }) {
        return code;
    }
}

export default async function talk({ url }) {
    let asked = 0;
    let rpc;
    try {
        rpc = await Rpc.connect(url, { methods: { your_name: () => (++asked, 'Ada') } });
    } catch ({ message }) {
        return { refused: message.startsWith('cannot connect') };
    }
    const seen = [];
    const counted = await rpc.call('count', { to: 3 }, { onProgress: (value) => seen.push(value) });
    const findings = {
        added: await rpc.call('add', { a: 2, b: 40 }), counted, seen, greeting: await rpc.call('greet'), asked,
        abandoned: await abandon(rpc),
    };
    rpc.close();
    return findings;
}
