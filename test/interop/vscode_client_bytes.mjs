// What partyline-echo makes of messages whose bytes come in unusual pieces. vscode-languageserver-protocol reads the
// replies.
//
// To be sure that the server has read a piece as one, and not together with the next: it begins with the last bytes of
// a request whose reply is then awaited.

import assert from 'node:assert/strict';
import { conversation, framed } from './language_client.mjs';

const sample = 'aß€\u{1F600}';

let last = 0;
function request(text) {
    const id = `raw ${++last}`;
    return { id, text, bytes: framed({ jsonrpc: '2.0', id, method: 'demo/echo', params: { text } }) };
}

async function expectReply(client, { id, text }) {
    const reply = await client.reply(id);
    assert.ok(reply.result?.text === text, `${id}: expected its text back, got ${JSON.stringify(reply).slice(0, 200)}`);
}

// Sends requests of which each is cut where `place` says; its end and the next one's beginning are one piece.
async function sendCut(client, requests, place) {
    let rest = Buffer.alloc(0);
    let before;
    for (const each of requests) {
        const cut = place(each.bytes);
        assert.ok(cut > 0 && cut < each.bytes.length);
        await client.write(Buffer.concat([rest, each.bytes.subarray(0, cut)]));
        if (before)
            await expectReply(client, before);
        rest = each.bytes.subarray(cut);
        before = each;
    }
    await client.write(rest);
    await expectReply(client, before);
}

const bodyOf = (bytes) => bytes.indexOf('\r\n\r\n') + 4;
// In the middle of the last occurrence of a character of several bytes.
const within = (character) => (bytes) => bytes.lastIndexOf(character) + Buffer.byteLength(character) / 2;
const places = {
    'after the first byte': () => 1,
    'in the name of the header': () => 5,
    'before the colon': (bytes) => bytes.indexOf(':'),
    'behind the colon': (bytes) => bytes.indexOf(':') + 1,
    'in the length': (bytes) => bytes.indexOf(':') + 3,
    'before the header\'s CR': (bytes) => bytes.indexOf('\r'),
    'between CR and LF of the header': (bytes) => bytes.indexOf('\r') + 1,
    'before the empty line': (bytes) => bodyOf(bytes) - 2,
    'between CR and LF of the empty line': (bytes) => bodyOf(bytes) - 1,
    'between header and body': bodyOf,
    'in the body': (bytes) => bodyOf(bytes) + 7,
    'in a character of two bytes': within('ß'),
    'in a character of three bytes': (bytes) => bytes.lastIndexOf('€') + 1,
    'later in a character of three bytes': (bytes) => bytes.lastIndexOf('€') + 2,
    'in a character of four bytes': within('\u{1F600}'),
    'before the last byte': (bytes) => bytes.length - 1,
};

for (const [name, place] of Object.entries(places)) {
    conversation(`messages are cut ${name}`, async (client) => {
        await sendCut(client, [request(sample), request(sample.repeat(3)), request(sample)], place);
        const long = sample.repeat(100_000);
        assert.equal(Buffer.byteLength(long), 1_000_000);
        await sendCut(client, [request('short'), request(long), request(long + long), request('short')],
            name.includes('character') ? (bytes) => (bytes.length > 200 ? place(bytes) : bodyOf(bytes) + 1) : place);
    });
}

conversation('a message may be cut anywhere', async (client) => {
    const { length } = request(sample).bytes;
    let place = 0;
    // Every place in its turn; ids grow longer now and then, and their requests with them.
    await sendCut(client, Array.from({ length: length - 1 }, () => request(sample)), () => ++place);
});

conversation('messages may come byte by byte', async (client) => {
    for (const each of [request(sample), request('')]) {
        for (const byte of each.bytes)
            await client.write(Buffer.of(byte));
        await expectReply(client, each);
    }
});

conversation('many messages may come in one piece', async (client) => {
    for (const count of [2, 3, 500]) {
        const all = Array.from({ length: count }, (_, i) => request(`${sample} ${i}`));
        await client.write(Buffer.concat(all.map(({ bytes }) => bytes)));
        await Promise.all(all.map((each) => expectReply(client, each)));
    }
});

conversation('headers may be written in other ways', async (client) => {
    const type = 'Content-Type: application/vscode-jsonrpc; charset';
    const respellings = [
        (length) => `content-length:${length}`,
        (length) => `CONTENT-LENGTH: \t ${length} \t`,
        (length) => `Content-Length: ${length}\r\n${type}=utf-8`,
        (length) => `${type}=utf8\r\nContent-Length: ${length}`,
        (length) => `X-Trace: a: b\r\nContent-Length: ${length}`,
    ];
    for (const respell of respellings) {
        const each = request(sample);
        const body = each.bytes.subarray(bodyOf(each.bytes));
        await client.write(Buffer.concat([Buffer.from(`${respell(body.length)}\r\n\r\n`), body]));
        await expectReply(client, each);
    }
});
