#pragma once

#include "lsp_types.hpp"

/// Types of single features of the protocol: see lsp_types.hpp.
namespace lsp_types {

// Completion

struct CompletionItemLabelDetails {
    std::optional<std::string> detail;
    std::optional<std::string> description;
};
BOOST_DESCRIBE_STRUCT(CompletionItemLabelDetails, (), (detail, description))

struct InsertReplaceEdit {
    std::string newText;
    Range insert;
    Range replace;
};
BOOST_DESCRIBE_STRUCT(InsertReplaceEdit, (), (newText, insert, replace))

struct CompletionItem {
    std::string label;
    std::optional<CompletionItemLabelDetails> labelDetails;
    std::optional<CompletionItemKind> kind;
    std::optional<std::vector<CompletionItemTag>> tags;
    std::optional<std::string> detail;
    std::optional<std::variant<std::string, MarkupContent>> documentation;
    std::optional<bool> deprecated;
    std::optional<bool> preselect;
    std::optional<std::string> sortText;
    std::optional<std::string> filterText;
    std::optional<std::string> insertText;
    std::optional<InsertTextFormat> insertTextFormat;
    std::optional<InsertTextMode> insertTextMode;
    std::optional<std::variant<TextEdit, InsertReplaceEdit>> textEdit;
    std::optional<std::string> textEditText;
    std::optional<std::vector<TextEdit>> additionalTextEdits;
    std::optional<std::vector<std::string>> commitCharacters;
    std::optional<Command> command;
    std::optional<any_value> data;
};
BOOST_DESCRIBE_STRUCT(CompletionItem, (),
                      (label, labelDetails, kind, tags, detail, documentation, deprecated, preselect, sortText,
                       filterText, insertText, insertTextFormat, insertTextMode, textEdit, textEditText,
                       additionalTextEdits, commitCharacters, command, data))

// Hover

struct LanguageString { // the one kind of MarkedString; the other one is a string
    std::string language;
    std::string value;
};
BOOST_DESCRIBE_STRUCT(LanguageString, (), (language, value))

using MarkedString = std::variant<std::string, LanguageString>;

struct Hover {
    std::variant<MarkupContent, LanguageString, std::string, std::vector<MarkedString>> contents;
    std::optional<Range> range;
};
BOOST_DESCRIBE_STRUCT(Hover, (), (contents, range))

// Symbols

struct SymbolInformation {
    std::string name;
    SymbolKind kind = SymbolKind::File;
    std::optional<std::vector<SymbolTag>> tags;
    std::optional<bool> deprecated;
    Location location;
    std::optional<std::string> containerName;
};
BOOST_DESCRIBE_STRUCT(SymbolInformation, (), (name, kind, tags, deprecated, location, containerName))

/// Has children of its own type: they are read and written, but the type has no JSON Schema.
struct DocumentSymbol {
    std::string name;
    std::optional<std::string> detail;
    SymbolKind kind = SymbolKind::File;
    std::optional<std::vector<SymbolTag>> tags;
    std::optional<bool> deprecated;
    Range range;
    Range selectionRange;
    std::optional<std::vector<DocumentSymbol>> children;
};
BOOST_DESCRIBE_STRUCT(DocumentSymbol, (), (name, detail, kind, tags, deprecated, range, selectionRange, children))

// Initialization and configuration: names that C++ can't spell, as texts and as members.

enum class PositionEncodingKind { UTF8, UTF16, UTF32 };
BOOST_DESCRIBE_ENUM(PositionEncodingKind, UTF8, UTF16, UTF32)
constexpr auto notes_of(partyline::of<PositionEncodingKind>)
{
    using me = PositionEncodingKind;
    return partyline::notes(note(me::UTF8, wire_name("utf-8")), note(me::UTF16, wire_name("utf-16")),
                            note(me::UTF32, wire_name("utf-32")));
}

enum class SemanticTokenTypes { type, class_, enum_, variable, operator_ };
BOOST_DESCRIBE_ENUM(SemanticTokenTypes, type, class_, enum_, variable, operator_)
constexpr auto notes_of(partyline::of<SemanticTokenTypes>)
{
    using me = SemanticTokenTypes;
    return partyline::notes(note(me::class_, wire_name("class")), note(me::enum_, wire_name("enum")),
                            note(me::operator_, wire_name("operator")));
}

struct SemanticTokensLegend {
    std::vector<SemanticTokenTypes> tokenTypes;
    std::vector<std::string> tokenModifiers;
};
BOOST_DESCRIBE_STRUCT(SemanticTokensLegend, (), (tokenTypes, tokenModifiers))

struct SemanticTokensOptions {
    SemanticTokensLegend legend;
    std::optional<bool> full;
};
BOOST_DESCRIBE_STRUCT(SemanticTokensOptions, (), (legend, full))

struct GeneralClientCapabilities {
    /// A client of a later version may offer more kinds: these are kept as texts.
    std::optional<std::vector<std::variant<PositionEncodingKind, std::string>>> positionEncodings;
};
BOOST_DESCRIBE_STRUCT(GeneralClientCapabilities, (), (positionEncodings))

struct ClientCapabilities {
    std::optional<GeneralClientCapabilities> general;
};
BOOST_DESCRIBE_STRUCT(ClientCapabilities, (), (general))

struct InitializeParams {
    std::optional<std::int32_t> processId; // null where there is none
    std::optional<std::string> rootUri;
    ClientCapabilities capabilities;
};
BOOST_DESCRIBE_STRUCT(InitializeParams, (), (processId, rootUri, capabilities))

struct ServerCapabilities {
    std::optional<PositionEncodingKind> positionEncoding;
    std::optional<bool> hoverProvider;
    std::optional<SemanticTokensOptions> semanticTokensProvider;
};
BOOST_DESCRIBE_STRUCT(ServerCapabilities, (), (positionEncoding, hoverProvider, semanticTokensProvider))

struct InitializeResult {
    ServerCapabilities capabilities;
};
BOOST_DESCRIBE_STRUCT(InitializeResult, (), (capabilities))

} // namespace lsp_types
