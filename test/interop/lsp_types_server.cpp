// A language server whose handlers take and return types of the protocol: see lsp_types_client.mjs.
#include "lsp_features.hpp"
#include "lsp_types.hpp"

#include <partyline/lsp/lsp.hpp>
#include <partyline/partyline.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/describe.hpp>
#include <boost/mp11/algorithm.hpp>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace asio = boost::asio;
using partyline::request_context;
using namespace lsp_types;

namespace {

InitializeResult initialize(const InitializeParams& params)
{
    ServerCapabilities ours{.positionEncoding = PositionEncodingKind::UTF16,
                            .hoverProvider = true,
                            .semanticTokensProvider = SemanticTokensOptions{}};
    ours.semanticTokensProvider->legend = {{SemanticTokenTypes::type, SemanticTokenTypes::class_}, {"static"}};
    if (const auto& general = params.capabilities.general; general && general->positionEncodings)
        for (const auto& offered : *general->positionEncodings)
            if (const auto* const known = std::get_if<PositionEncodingKind>(&offered)) {
                ours.positionEncoding = *known;
                break;
            }
    return {ours};
}

/// What the user has set for this server; the client is asked for it.
struct Settings {
    DiagnosticSeverity default_ = DiagnosticSeverity::Hint;

    static constexpr auto notes() { return partyline::notes(note(&Settings::default_, wire_name("default"))); }
};
BOOST_DESCRIBE_STRUCT(Settings, (), (default_))

struct ConfigurationItem {
    std::string section;
};
BOOST_DESCRIBE_STRUCT(ConfigurationItem, (), (section))

struct TextDocumentItem {
    std::string uri;
    std::string text;
};
BOOST_DESCRIBE_STRUCT(TextDocumentItem, (), (uri, text))

struct DidOpenTextDocumentParams {
    TextDocumentItem textDocument;
};
BOOST_DESCRIBE_STRUCT(DidOpenTextDocumentParams, (), (textDocument))

struct PublishDiagnosticsParams {
    std::string uri;
    std::vector<Diagnostic> diagnostics;
};
BOOST_DESCRIBE_STRUCT(PublishDiagnosticsParams, (), (uri, diagnostics))

/// Finds fault with the first character of a document, as severely as the user has set.
asio::awaitable<void> check(request_context& context, DidOpenTextDocumentParams opened)
{
    const std::vector<ConfigurationItem> items = {{"lsp_types"}};
    const auto settings =
        co_await context.call<std::vector<Settings>>("workspace/configuration", partyline::named("items", items));
    PublishDiagnosticsParams found{.uri = opened.textDocument.uri, .diagnostics = std::vector<Diagnostic>(1)};
    Diagnostic& first = found.diagnostics.front();
    first.range = {{0, 0}, {0, 1}};
    first.severity = settings.at(0).default_;
    first.code = "first";
    first.message = "begins with " + opened.textDocument.text.substr(0, 1);
    co_await context.notify("textDocument/publishDiagnostics", partyline::to_json(found));
}

struct ApplyWorkspaceEditParams {
    std::optional<std::string> label;
    WorkspaceEdit edit;
};
BOOST_DESCRIBE_STRUCT(ApplyWorkspaceEditParams, (), (label, edit))

struct ApplyWorkspaceEditResult {
    bool applied = false;
    std::optional<std::string> failureReason;
};
BOOST_DESCRIBE_STRUCT(ApplyWorkspaceEditResult, (), (applied, failureReason))

/// Has the client delete what is at a place.
asio::awaitable<ApplyWorkspaceEditResult> remove(request_context& context, Location where)
{
    ApplyWorkspaceEditParams params;
    params.edit.changes.emplace();
    params.edit.changes->emplace(where.uri, std::vector<TextEdit>(1, TextEdit{where.range, ""}));
    co_return co_await context.call<ApplyWorkspaceEditResult>("workspace/applyEdit", params);
}

/// Adds what is worth computing for the one item that the user looks at.
CompletionItem resolve(CompletionItem item)
{
    item.detail = item.label + "()";
    item.documentation = MarkupContent{"markdown", "Calls **" + item.label + "**"};
    item.insertTextFormat = InsertTextFormat::Snippet;
    item.textEdit = TextEdit{{{1, 2}, {1, 4}}, item.label + "($0)"};
    return item;
}

std::vector<DocumentSymbol> symbols(const boost::json::object&)
{
    DocumentSymbol member;
    member.name = "size";
    member.kind = SymbolKind::Field;
    member.range = member.selectionRange = {{1, 4}, {1, 8}};
    DocumentSymbol whole;
    whole.name = "box";
    whole.kind = SymbolKind::Struct;
    whole.range = {{0, 0}, {2, 2}};
    whole.selectionRange = {{0, 7}, {0, 10}};
    whole.children.emplace(1, member);
    return {whole};
}

using numbers = std::map<std::string, int>;

template <class E>
numbers numbers_of()
{
    numbers all;
    boost::mp11::mp_for_each<boost::describe::describe_enumerators<E>>(
        [&](auto each) { all.emplace(each.name, static_cast<int>(each.value)); });
    return all;
}

std::map<std::string, numbers> enumerations(const boost::json::object&)
{
    return {{"DiagnosticSeverity", numbers_of<DiagnosticSeverity>()},
            {"DiagnosticTag", numbers_of<DiagnosticTag>()},
            {"CompletionItemKind", numbers_of<CompletionItemKind>()},
            {"CompletionItemTag", numbers_of<CompletionItemTag>()},
            {"InsertTextFormat", numbers_of<InsertTextFormat>()},
            {"InsertTextMode", numbers_of<InsertTextMode>()},
            {"SymbolKind", numbers_of<SymbolKind>()},
            {"SymbolTag", numbers_of<SymbolTag>()}};
}

template <class T>
void add_echo(partyline::method_table& methods, const std::string& type)
{
    methods.add("echo/" + type, [](T value) { return value; });
}

partyline::method_table make_methods()
{
    partyline::method_table methods;
    methods.add("initialize", initialize);
    methods.add_notification("textDocument/didOpen", check);
    methods.add("textDocument/documentSymbol", symbols);
    methods.add("completionItem/resolve", resolve);
    methods.add("demo/remove", remove);
    methods.add("demo/enumerations", enumerations);
    add_echo<Position>(methods, "Position");
    add_echo<Range>(methods, "Range");
    add_echo<Location>(methods, "Location");
    add_echo<TextEdit>(methods, "TextEdit");
    add_echo<MarkupContent>(methods, "MarkupContent");
    add_echo<Command>(methods, "Command");
    add_echo<Diagnostic>(methods, "Diagnostic");
    add_echo<WorkspaceEdit>(methods, "WorkspaceEdit");
    add_echo<CompletionItem>(methods, "CompletionItem");
    add_echo<Hover>(methods, "Hover");
    add_echo<SymbolInformation>(methods, "SymbolInformation");
    add_echo<DocumentSymbol>(methods, "DocumentSymbol");
    add_echo<Settings>(methods, "Settings");
    return methods;
}

} // namespace

int main()
{
    partyline::stdio_options options;
    options.session.profile = &partyline::lsp::profile;
    return partyline::run_stdio(make_methods(), std::move(options));
}
