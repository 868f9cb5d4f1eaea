#pragma once

#include "checks.hpp"
#include "document.hpp"
#include "headings.hpp"
#include "words.hpp"

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <boost/json/value_from.hpp>
#include <boost/json/value_to.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// What the server and the editor tell each other, as far as this server needs it. It is read by conversions of
/// Boost.JSON and not as described structs, because LSP wants members that one does not know to be ignored. What does
/// not fit is answered -32602 "Invalid params".
namespace plain_text {

/// DidOpenTextDocumentParams
struct opened_document {
    std::string uri;
    std::int64_t version = 0;
    std::string text;
};

/// DidChangeTextDocumentParams
struct changed_document {
    std::string uri;
    std::int64_t version = 0;
    std::vector<text_change> changes;
};

/// What has a `textDocument` and no more: DidCloseTextDocumentParams, DocumentSymbolParams.
struct document_name {
    std::string uri;
};

/// TextDocumentPositionParams: HoverParams
struct document_place {
    std::string uri;
    position at;
};

opened_document tag_invoke(boost::json::value_to_tag<opened_document>, const boost::json::value& params);
changed_document tag_invoke(boost::json::value_to_tag<changed_document>, const boost::json::value& params);
document_name tag_invoke(boost::json::value_to_tag<document_name>, const boost::json::value& params);
document_place tag_invoke(boost::json::value_to_tag<document_place>, const boost::json::value& params);

/// Range
void tag_invoke(boost::json::value_from_tag, boost::json::value& out, const range& from);
/// Diagnostic
void tag_invoke(boost::json::value_from_tag, boost::json::value& out, const finding& from);

/// DocumentSymbol[], or SymbolInformation[] for clients that know no other.
boost::json::array document_symbols(const std::vector<heading>& headings);
boost::json::array symbol_information(const std::vector<heading>& headings, const std::string& uri);

/// Hover, of a word that occurs so often, in a line of so many UTF-16 code units.
boost::json::value hover_value(const word& found, const range& where, std::size_t count, std::size_t line_length);

/// PublishDiagnosticsParams
boost::json::value diagnostics(const std::string& uri, std::int64_t version, const std::vector<finding>& findings);

} // namespace plain_text
