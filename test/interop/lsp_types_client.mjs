// Types of the Language Server Protocol between the library that editors' clients use and C++ structs, both ways. The
// library makes the values, and its own guards judge what comes back.
// Started as: node lsp_types_client.mjs PACKAGES LSP-TYPES-SERVER

import assert from 'node:assert/strict';
import { conversation, protocol } from './language_client.mjs';
import { fullSymbol, is, range, related, sent, uri, values } from './lsp_values.mjs';
import { changed, paths, spell, without } from './variations.mjs';
import { soon } from './waiting.mjs';

const {
    CompletionItem, CompletionItemKind, Diagnostic, DiagnosticSeverity, DocumentSymbol, ErrorCodes, InsertTextFormat,
    Location, MarkupKind, Range, SymbolKind, TextEdit, WorkspaceEdit,
} = protocol;

// Where any JSON may be.
const isFree = (path) => path.includes('data') || path.includes('arguments');
const isMap = (path) => ['changes', 'changeAnnotations'].includes(path.at(-1));
const isStruct = (path, part) => part?.constructor === Object && !isFree(path) && !isMap(path);

// Resolves with { result } or { error }.
const echo = (client, type, value) =>
    client.request(`echo/${type}`, value).then((result) => ({ result }), (error) => ({ error }));

// The place is named, or one within, or of several alternatives the place of all.
function assertRefusal({ code, data }, path) {
    assert.equal(code, ErrorCodes.InvalidParams);
    const [wrong, named] = [spell(path), data.parameter];
    assert.ok(named && (wrong.startsWith(named) || named.startsWith(wrong)), `${wrong}: ${JSON.stringify(data)}`);
}

conversation('values come back as they were, and what they do not have is not there', async (client) => {
    for (const [type, value] of values) {
        assert.ok(is(type, value), JSON.stringify(value));
        assert.deepEqual(await echo(client, type, value), { result: value });
    }
});

conversation('members that nobody knows are ignored, wherever they are', async (client) => {
    for (const [type, value] of values) {
        for (const [path, part] of paths(value).filter(([...place]) => isStruct(...place))) {
            const more = changed(value, path, { ...part, unknown: [1] });
            assert.deepEqual(await echo(client, type, more), { result: value }, spell(path));
        }
    }
});

conversation('without a member, values are refused where the guards refuse them', async (client) => {
    let refused = 0;
    for (const [type, value] of values) {
        for (const [path] of paths(value).slice(1)) {
            const less = without(value, path);
            const { result, error } = await echo(client, type, less);
            if (error) {
                assertRefusal(error, path);
                assert.ok(path.length > 1 || !is(type, less), spell(path));
                ++refused;
            } else if (path.at(-1) === 'version') {
                assert.deepEqual(result, changed(value, path, null));
            } else {
                assert.ok(is(type, less), spell(path));
                assert.deepEqual(result, less);
            }
        }
    }
    assert.ok(refused > 100, `${refused}`);
});

conversation('a member that is null is none', async (client) => {
    for (const [type, value] of values) {
        for (const [path] of paths(value).slice(1)) {
            if (isFree(path) || isMap(path.slice(0, -1)) || typeof path.at(-1) === 'number')
                continue;
            const absent = await echo(client, type, without(value, path));
            const none = await echo(client, type, changed(value, path, null));
            assert.deepEqual(none.result, absent.result, spell(path));
            if (none.error)
                assertRefusal(none.error, path);
        }
    }
});

// Whether another value may stand in this place, too: one of its kind, or an alternative.
const closed = ['severity', 'kind', 'tags', 'insertTextFormat', 'insertTextMode'];
const alternatives = ['code', 'message', 'documentation', 'contents'];
function mayBe(path, part, other) {
    const name = path.findLast((step) => typeof step === 'string');
    if (isFree(path) || alternatives.includes(name))
        return true;
    const isInteger = Number.isInteger(other) && other < 2 ** 31;
    if (name === 'version')
        return isInteger;
    return other.constructor === part?.constructor && (typeof other !== 'number' || (isInteger && other >= 0)) &&
        (typeof other === 'object' || !closed.includes(name));
}

conversation('what is wrong is refused with its place', async (client) => {
    const odd = [true, -1, 0.5, 99, 2 ** 31, 2 ** 32, 'odd', [], {}, [true], [{}]];
    let refused = 0;
    for (const [type, value] of values) {
        for (const [path, part] of paths(value).slice(1)) {
            for (const other of odd) {
                const wrong = changed(value, path, other);
                const { result, error } = await echo(client, type, wrong);
                if (error) {
                    assertRefusal(error, path);
                    ++refused;
                } else {
                    assert.ok(mayBe(path, part, other), `${type} ${spell(path)}: ${JSON.stringify(other)}`);
                    assert.ok(is(type, result), spell(path));
                    assert.deepEqual(result, wrong);
                }
            }
        }
    }
    assert.ok(refused > 1000, `${refused}`);
});

conversation('errors tell the place, what was expected there and what came', async (client) => {
    const least = sent(Diagnostic.create(range, 'x'));
    for (const [type, value, ...expected] of [
        ['Position', { line: -1, character: 0 }, 'line', 'integer from 0 to 4294967295', '-1'],
        ['Position', { line: 0, character: 2 ** 31 }, 'character', 'integer of at most 2147483647', '2147483648'],
        ['Diagnostic', { ...least, severity: 5 }, 'severity', 'one of 1, 2, 3, 4', '5'],
        ['Diagnostic', { ...least, severity: 'Error' }, 'severity', 'one of 1, 2, 3, 4', 'string'],
        ['Diagnostic', { ...least, code: 0.5 }, 'code', 'integer or string', 'number'],
        ['Diagnostic', { ...least, relatedInformation: [related, { location: { uri } }] },
            'relatedInformation[1].location.range', 'object', 'nothing'],
        ['CompletionItem', { label: 'x', documentation: { kind: 'html', value: '' } },
            'documentation', 'string or object', 'object'],
        ['WorkspaceEdit', { changes: { [uri]: [{ newText: '' }] } }, `changes.${uri}[0].range`, 'object', 'nothing'],
        ['DocumentSymbol', fullSymbol([fullSymbol([{}])]), 'children[0].children[0].name', 'string', 'nothing'],
    ]) {
        const { error } = await echo(client, type, value);
        assert.equal(error.code, ErrorCodes.InvalidParams);
        assert.deepEqual([error.data.parameter, error.data.expected, error.data.got], expected);
    }
});

conversation('what the server makes itself is what the library would make', async (client) => {
    const { data, detail, ...item } = CompletionItem.create('run');
    assert.deepEqual(await client.request(protocol.CompletionResolveRequest.type, { ...item, kind: CompletionItemKind.Method }), {
        label: 'run', kind: CompletionItemKind.Method, detail: 'run()', documentation: { kind: MarkupKind.Markdown, value: 'Calls **run**' },
        insertTextFormat: InsertTextFormat.Snippet, textEdit: TextEdit.replace(Range.create(1, 2, 1, 4), 'run($0)'),
    });
    const size = Range.create(1, 4, 1, 8);
    const member = sent(DocumentSymbol.create('size', undefined, SymbolKind.Field, size, size));
    const [box, ...others] = await client.request(protocol.DocumentSymbolRequest.type, { textDocument: { uri } });
    assert.ok(DocumentSymbol.is(box) && DocumentSymbol.is(box.children[0]));
    assert.deepEqual([box, others], [sent(DocumentSymbol.create(
        'box', undefined, SymbolKind.Struct, Range.create(0, 0, 2, 2), Range.create(0, 7, 0, 10), [member])), []]);
});

conversation('names that C++ can not spell are read and written', async (client) => {
    const { PositionEncodingKind, SemanticTokenModifiers, SemanticTokenTypes } = protocol;
    assert.deepEqual(client.introduction.capabilities, {
        positionEncoding: PositionEncodingKind.UTF16, hoverProvider: true,
        semanticTokensProvider: {
            legend: { tokenTypes: [SemanticTokenTypes.type, SemanticTokenTypes.class], tokenModifiers: [SemanticTokenModifiers.static] },
        },
    });
    assert.deepEqual(await client.request('echo/Settings', { default: 4 }), { default: 4 });
    client.connection.onRequest(protocol.ConfigurationRequest.type, ({ items }) =>
        items.map(({ section }) => ({ [section]: true, default: DiagnosticSeverity.Information })));
    const published = new Promise((resolve) =>
        client.connection.onNotification(protocol.PublishDiagnosticsNotification.type, resolve));
    const textDocument = protocol.TextDocumentItem.create(uri, 'plaintext', 1, 'text');
    await client.notify(protocol.DidOpenTextDocumentNotification.type, { textDocument });
    const found = Diagnostic.create(Range.create(0, 0, 0, 1), 'begins with t', DiagnosticSeverity.Information, 'first');
    assert.deepEqual(await soon(published, 'diagnostics'), { uri, diagnostics: [sent(found)] });
});

conversation('enumerators have the numbers of the library', async (client) => {
    const ours = await client.request('demo/enumerations', {});
    assert.deepEqual(ours, Object.fromEntries(Object.keys(ours).map((type) => [type, protocol[type]])));
    assert.equal(Object.keys(ours).length, 8);
});

offering([protocol.PositionEncodingKind.UTF32, protocol.PositionEncodingKind.UTF8], 'utf-32');
offering(['utf-7', protocol.PositionEncodingKind.UTF8], 'utf-8'); // of a protocol to come

function offering(positionEncodings, chosen) {
    conversation(`of ${positionEncodings} the server takes ${chosen}`, async ({ introduction }) => {
        assert.equal(introduction.capabilities.positionEncoding, chosen);
    }, { general: { positionEncodings } });
}

conversation('the server reads what the client answers', async (client) => {
    const asked = [];
    const answers = [{ applied: true }, { applied: false, failureReason: 'read only', failedChange: 0 }, { applied: 1 }];
    client.connection.onRequest(protocol.ApplyWorkspaceEditRequest.type, ({ edit: wanted }) => {
        assert.ok(WorkspaceEdit.is(wanted));
        return answers[asked.push(wanted) - 1];
    });
    const remove = () => client.request('demo/remove', Location.create(uri, range));
    assert.deepEqual(await remove(), { applied: true });
    assert.deepEqual(await remove(), { applied: false, failureReason: 'read only' });
    assert.equal((await client.refusal('demo/remove', Location.create(uri, range))).code, ErrorCodes.InternalError);
    assert.deepEqual(asked, answers.map(() => ({ changes: { [uri]: [TextEdit.del(range)] } })));
});
