// Values of the protocol's types, made by the library that editors' clients use.

import { protocol } from './language_client.mjs';

const {
    AnnotatedTextEdit, Command, CompletionItem, CompletionItemKind, CompletionItemTag, CreateFile, DeleteFile,
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, DocumentSymbol,
    InsertReplaceEdit, InsertTextFormat, InsertTextMode, Location, MarkupKind, Position, Range, SymbolInformation,
    SymbolKind, SymbolTag, TextDocumentEdit, TextEdit, WorkspaceEdit,
} = protocol;

export const uri = 'file:///a%20b/ß.txt';
export const range = Range.create(1, 2, 3, 4);
const nested = { deep: [null, 1, 2.5, 'x', { a: null }], empty: {}, none: [] };
const command = Command.create('Run', 'demo.run', null, 'x', nested);
const edit = TextEdit.replace(range, 'new\n"text" \u{1F600}');
const markup = { kind: MarkupKind.Markdown, value: '**bold**' };
export const related = DiagnosticRelatedInformation.create(Location.create(uri, range), 'see here');

// As they are on the wire: the library's functions leave members behind whose value is undefined.
export const sent = (value) => JSON.parse(JSON.stringify(value));
const all = (type, values) => values.map((value) => [type, sent(value)]);

const item = (kind) => ({ ...CompletionItem.create('item'), kind });
const symbol = (kind) => SymbolInformation.create('it', kind, range, uri, 'within');

const fullItem = {
    ...item(CompletionItemKind.Method), labelDetails: { detail: '(int)', description: 'box' }, tags: [CompletionItemTag.Deprecated],
    detail: 'void run(int)', documentation: markup, deprecated: true, preselect: false, sortText: '0', filterText: 'run',
    insertText: 'run($1)', insertTextFormat: InsertTextFormat.Snippet, insertTextMode: InsertTextMode.adjustIndentation,
    textEdit: edit, textEditText: 'run', additionalTextEdits: [TextEdit.insert(range.start, 'x'), TextEdit.del(range)],
    commitCharacters: ['(', ';'], command, data: nested,
};
const fullDiagnostic = {
    ...Diagnostic.create(range, 'wrong', DiagnosticSeverity.Warning, 'E1', 'lint', [related, related]),
    codeDescription: { href: 'https://example.org' }, tags: [DiagnosticTag.Unnecessary, DiagnosticTag.Deprecated], data: nested,
};
export const fullSymbol = (children) => ({
    ...DocumentSymbol.create('box', 'struct', SymbolKind.Struct, range, range, children), tags: [SymbolTag.Deprecated], deprecated: false,
});
const documentChanges = [
    TextDocumentEdit.create({ uri, version: 7 }, [edit, AnnotatedTextEdit.replace(range, 'y', 'why')]),
    TextDocumentEdit.create({ uri, version: null }, []),
    CreateFile.create(uri, { overwrite: true }, 'why'),
    DeleteFile.create(uri, { recursive: true, ignoreIfNotExists: false }),
];

export const values = [
    ...all('Position', [Position.create(0, 0), Position.create(2147483647, 1)]),
    ...all('Range', [range]),
    ...all('Location', [Location.create(uri, range)]),
    ...all('TextEdit', [edit, TextEdit.del(range)]),
    ...all('MarkupContent', [markup, { kind: MarkupKind.PlainText, value: '' }]),
    ...all('Command', [command, Command.create('Stop', 'demo.stop')]),
    ...all('Diagnostic', [fullDiagnostic, Diagnostic.create(range, ''), Diagnostic.create(range, 'coded', undefined, -32768)]),
    ...all('Diagnostic', Object.values(DiagnosticSeverity).map((severity) => Diagnostic.create(range, 'x', severity))),
    ...all('WorkspaceEdit', [
        { changes: {} }, { changes: { [uri]: [edit, edit], 'file:///empty': [] } },
        { documentChanges, changeAnnotations: { why: { label: 'Why', needsConfirmation: true, description: 'so' } } },
    ]),
    ...all('CompletionItem', [
        fullItem, CompletionItem.create('least'), { ...fullItem, documentation: 'plain' },
        { ...fullItem, textEdit: InsertReplaceEdit.create('r', range, range) },
    ]),
    ...all('CompletionItem', Object.values(CompletionItemKind).map(item)),
    ...all('Hover', [
        { contents: markup, range }, { contents: 'text' }, { contents: { language: 'cpp', value: 'int' } },
        { contents: ['text', { language: 'cpp', value: 'int' }] }, { contents: [] },
    ]),
    ...all('SymbolInformation', [{ ...symbol(SymbolKind.Class), tags: [SymbolTag.Deprecated], deprecated: true }]),
    ...all('SymbolInformation', Object.values(SymbolKind).map(symbol)),
    ...all('DocumentSymbol', [
        DocumentSymbol.create('leaf', undefined, SymbolKind.Null, range, range), fullSymbol([]),
        fullSymbol([fullSymbol([fullSymbol([fullSymbol([])])]), fullSymbol()]),
    ]),
];

// The library has no guards for two of these types; one takes a location without a `uri`; one wants either of two
// members though the protocol does not.
const guards = {
    CompletionItem: ({ label }) => typeof label === 'string',
    SymbolInformation: ({ name, kind, location }) => typeof name === 'string' && Number.isInteger(kind) && Location.is(location),
    Location: (value) => typeof value.uri === 'string' && Location.is(value),
    WorkspaceEdit: (value) => WorkspaceEdit.is({ changes: {}, ...value }),
};
export const is = (type, value) => (guards[type] ?? protocol[type].is)(value);
