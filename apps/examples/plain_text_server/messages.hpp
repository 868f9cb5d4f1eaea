#pragma once

#include "checks.hpp"
#include "document.hpp"
#include "headings.hpp"
#include "words.hpp"

#include <partyline/rpc/notes.hpp>

#include <boost/describe/class.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What the server and the editor tell each other, as far as this server needs it: described structs, in the names of
/// LSP 3.17. Members that they do not have are ignored, as the profile says; what else does not fit is answered -32602
/// "Invalid params".
namespace plain_text {

using partyline::note;
using partyline::wire_name;

BOOST_DESCRIBE_STRUCT(position, (), (line, character))
BOOST_DESCRIBE_STRUCT(range, (), (start, end))

/// TextDocumentContentChangeEvent
BOOST_DESCRIBE_STRUCT(text_change, (), (where, text))
constexpr auto notes_of(partyline::of<text_change>)
{
    return partyline::notes(note(&text_change::where, wire_name("range")));
}

/// TextDocumentIdentifier; what has a version has that, too.
struct document_id {
    std::string uri;
};
BOOST_DESCRIBE_STRUCT(document_id, (), (uri))

struct document_version : document_id {
    std::int64_t version = 0;
};
BOOST_DESCRIBE_STRUCT(document_version, (document_id), (version))

/// TextDocumentItem
struct document_item : document_version {
    std::string text;
};
BOOST_DESCRIBE_STRUCT(document_item, (document_version), (text))

/// DidOpenTextDocumentParams
struct opened_document {
    document_item document;

    static constexpr auto notes()
    {
        return partyline::notes(note(&opened_document::document, wire_name("textDocument")));
    }
};
BOOST_DESCRIBE_STRUCT(opened_document, (), (document))

/// DidChangeTextDocumentParams
struct changed_document {
    document_version document;
    std::vector<text_change> changes;

    static constexpr auto notes()
    {
        using me = changed_document;
        return partyline::notes(note(&me::document, wire_name("textDocument")),
                                note(&me::changes, wire_name("contentChanges")));
    }
};
BOOST_DESCRIBE_STRUCT(changed_document, (), (document, changes))

/// What has a `textDocument` and no more: DidCloseTextDocumentParams, DocumentSymbolParams.
struct document_name {
    document_id document;

    static constexpr auto notes()
    {
        return partyline::notes(note(&document_name::document, wire_name("textDocument")));
    }
};
BOOST_DESCRIBE_STRUCT(document_name, (), (document))

/// TextDocumentPositionParams: HoverParams
struct document_place : document_name {
    plain_text::position position;
};
BOOST_DESCRIBE_STRUCT(document_place, (document_name), (position))

/// DocumentSymbol; SymbolInformation for clients that know no other.
struct document_symbol {
    std::string name;
    int kind = 15; // String: what editors show for a heading, too
    plain_text::range range;
    plain_text::range title;

    static constexpr auto notes()
    {
        return partyline::notes(note(&document_symbol::title, wire_name("selectionRange")));
    }
};
BOOST_DESCRIBE_STRUCT(document_symbol, (), (name, kind, range, title))

struct location {
    std::string uri;
    plain_text::range range;
};
BOOST_DESCRIBE_STRUCT(location, (), (uri, range))

struct symbol_information {
    std::string name;
    int kind = 15;
    plain_text::location location;
};
BOOST_DESCRIBE_STRUCT(symbol_information, (), (name, kind, location))

std::vector<document_symbol> document_symbols(const std::vector<heading>& headings);
std::vector<symbol_information> symbols_at(const std::string& uri, const std::vector<heading>& headings);

/// MarkupContent
struct markup {
    std::string kind = "plaintext";
    std::string value;
};
BOOST_DESCRIBE_STRUCT(markup, (), (kind, value))

/// Hover
struct hover_text {
    markup contents;
    plain_text::range range;
};
BOOST_DESCRIBE_STRUCT(hover_text, (), (contents, range))

/// Of a word that occurs so often, in a line of so many UTF-16 code units.
hover_text describe_word(const word& found, const range& where, std::size_t count, std::size_t line_length);

/// Diagnostic
struct diagnostic {
    plain_text::range range;
    int severity = 2; // Warning
    std::string code;
    std::string source = "plain-text-server";
    std::string message;
};
BOOST_DESCRIBE_STRUCT(diagnostic, (), (range, severity, code, source, message))

/// PublishDiagnosticsParams
struct published_diagnostics {
    std::string uri;
    std::optional<std::int64_t> version;
    std::vector<diagnostic> diagnostics;
};
BOOST_DESCRIBE_STRUCT(published_diagnostics, (), (uri, version, diagnostics))

std::vector<diagnostic> diagnostics_of(const std::vector<finding>& findings);

} // namespace plain_text
