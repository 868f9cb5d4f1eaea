// The documents of rpc.discover by the validator of OpenRPC, and JSON Schemas of C++ types by a foreign validator: what
// it accepts our server accepts, what it refuses our server refuses. But the bounds of `int` are in no schema: what is
// outside of them the server refuses all the same.
// Started as: node schema_client.mjs PACKAGES SCHEMA-SERVER PARTYLINE-ECHO

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { soon } from './waiting.mjs';

const [packages, schemaServer, echoServer] = process.argv.slice(2);
const require = createRequire(join(packages, 'package.json'));
const { validateOpenRPCDocument } = require('@open-rpc/schema-utils-js');
const Ajv = require('ajv/dist/2020').default;

class Server {
    #next = 1;
    #waiting = new Map();

    constructor(program) {
        this.process = spawn(program, { stdio: ['pipe', 'pipe', 'inherit'] });
        createInterface({ input: this.process.stdout }).on('line', (line) => {
            const reply = JSON.parse(line);
            this.#waiting.get(reply.id)(reply);
        });
    }

    // Resolves with the reply, whichever it is. `params` is JSON text.
    ask(method, params) {
        const id = this.#next++;
        const reply = new Promise((resolve) => this.#waiting.set(id, resolve));
        this.process.stdin.write(`{"jsonrpc":"2.0","id":${id},"method":"${method}"${params ? `,"params":${params}` : ''}}\n`);
        return soon(reply, method);
    }

    async end() {
        const ended = new Promise((resolve) => this.process.on('exit', resolve));
        this.process.stdin.end();
        assert.equal(await soon(ended, 'the end of the server'), 0);
    }
}

async function discover(server) {
    const { result } = await server.ask('rpc.discover');
    assert.equal(validateOpenRPCDocument(result), true);
    for (const method of result.methods) {
        for (const param of method.params)
            compile(param.schema);
        if (method.result)
            compile(method.result.schema);
    }
    return result;
}

// Strict: what the validator does not know is an error, too. (A tuple of a fixed length is what it is strict about.)
function compile(schema) {
    const validator = new Ajv({ strict: true, strictTuples: false, strictRequired: true, allErrors: true });
    assert.equal(validator.validateSchema(schema), true, JSON.stringify(validator.errors));
    return validator.compile(schema);
}

const good = {
    flag: true, number: 1, small: 1, real: 0.5, pattern: 'ab', limit: 7, ratio: 0.5, kind: 'file', sort: 'by-date', level: 4,
    where: { path: '/' }, folders: [{ path: 'a', depth: 3 }], counts: { a: 1 }, pair: [1, 2], mixed: [1, 'x'], either: 'x',
    names: ['n'], time: 5, file: '/tmp', class: 'c',
};

const values = [
    true, false, 0, 1, -1, 2, 4, 0.5, 1.5, 50, 127, 128, 1000, 1001, 65535, 65536, 2147483647, 2147483648, -2147483649, 9007199254740991, '', 'a',
    '\u{1F600}\u{1F600}', 'abcd', 'abcde', 'file', 'other', 'by_name', 'by-date', 'by_date', [], [1], [1, 2], [1, 2, 3], [1, 'x'],
    ['x', 1], [1, 'x', 2], ['n', 'm'], ['n', 1], {}, { a: 1 }, { a: 'x' }, { a: 1, b: 2 }, { path: '' }, { path: 1 }, { depth: 1 },
    { path: '', depth: 127 }, { path: '', depth: 128 }, { path: '', other: 1 }, [{ path: '' }], [{ path: '' }, { path: 'b', depth: -128 }],
    [{ path: '' }, { path: '' }, { path: '' }], [{ path: '', depth: 1.5 }],
];

const ints = ['number', 'either']; // members that may be any `int`

function isBeyondInt(params) {
    return ints.some((name) => Number.isInteger(params[name]) && Math.abs(params[name] + 0.5) > 2 ** 31);
}

// All params that differ from the good ones in one member.
function* variations() {
    yield good;
    for (const name of Object.keys(good)) {
        const { [name]: left, ...others } = good;
        yield others;
        for (const value of values)
            yield { ...good, [name]: value };
    }
    yield { ...good, unknown: 1 };
}

const schemas = new Server(schemaServer);
const { methods: [check] } = await discover(schemas);
const whole = compile({
    type: 'object',
    properties: Object.fromEntries(check.params.map((param) => [param.name, param.schema])),
    required: check.params.filter((param) => param.required).map((param) => param.name),
    additionalProperties: false,
});
const written = compile(check.result.schema);
let accepted = 0;
let refused = 0;
let beyond = 0;
for (const params of variations()) {
    const { result, error } = await schemas.ask('check', JSON.stringify(params));
    if (isBeyondInt(params)) {
        assert.equal(whole(params), true, JSON.stringify(whole.errors));
        assert.equal(error.code, -32602);
        assert.match(error.data.expected, params.number === good.number ? /^integer or string$/ : /2147483647|-2147483648/);
        ++beyond;
        continue;
    }
    assert.equal(result !== undefined, whole(params), JSON.stringify({ params, result, error, told: whole.errors }));
    if (result)
        assert.equal(written(result), true, JSON.stringify({ result, told: written.errors }));
    else
        assert.equal(error.code, -32602);
    result ? ++accepted : ++refused;
}
assert.ok(accepted > 100 && refused > 500, `${accepted} accepted, ${refused} refused`);
assert.equal(beyond, 6); // three values for each of `ints`
await schemas.end();

const echo = new Server(echoServer);
const { methods } = await discover(echo);
assert.deepEqual(methods.find((method) => method.name === 'add').params.map((param) => param.name), ['a', 'b']);
assert.equal(methods.find((method) => method.name === 'log').result, undefined);
await echo.end();
console.log(`${accepted} accepted, ${refused} refused`);
