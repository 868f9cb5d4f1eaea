#include "server.hpp"

#include "characters.hpp"
#include "words.hpp"

#include <partyline/lsp/client_info.hpp>
#include <partyline/lsp/error_codes.hpp>
#include <partyline/protocol/error.hpp>

#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

namespace asio = boost::asio;
namespace json = boost::json;
namespace lsp = partyline::lsp;
using partyline::request_context;
using partyline::whole_params;

namespace plain_text {
namespace {

// Some tenths of a millisecond of work.
constexpr std::size_t lines_at_once = 500;

// Whatever has come meanwhile is served first. Where the peer has cancelled, the next call throws.
asio::awaitable<void> give_way(request_context& context)
{
    co_await asio::post(context.get_executor(), asio::use_awaitable);
}

template <class Work>
asio::awaitable<void> finish(request_context& context, Work& work)
{
    do
        co_await give_way(context);
    while (work.step(lines_at_once));
}

std::size_t read_line_length(const json::object& params)
{
    const json::value* const options = params.if_contains("initializationOptions");
    const json::value* const given =
        options && options->is_object() ? options->get_object().if_contains("maxLineLength") : nullptr;
    if (!given || given->is_null())
        return usual_line_length;
    boost::system::error_code failed;
    const auto length = given->to_number<std::uint32_t>(failed);
    if (failed || length == 0)
        throw partyline::rpc_error(partyline::error_codes::invalid_params,
                                   "initializationOptions.maxLineLength: expected an integer from 1");
    return length;
}

} // namespace

json::value server::initialize(const json::object& params)
{
    max_line_length_ = read_line_length(params);
    constexpr int incremental = 2; // TextDocumentSyncKind
    return {{"capabilities",
             {{"positionEncoding", "utf-16"},
              {"textDocumentSync", {{"openClose", true}, {"change", incremental}}},
              {"hoverProvider", true},
              {"documentSymbolProvider", true}}},
            {"serverInfo", {{"name", "plain-text-server"}, {"version", PARTYLINE_VERSION}}}};
}

asio::awaitable<void> server::open(request_context& context, opened_document opened)
{
    snapshot text = documents_.open(opened.uri, opened.version, std::move(opened.text));
    co_await check(context, std::move(opened.uri), std::move(text));
}

asio::awaitable<void> server::change(request_context& context, changed_document changed)
{
    snapshot text = documents_.change(changed.uri, changed.version, changed.changes);
    co_await check(context, std::move(changed.uri), std::move(text));
}

void server::close(request_context& context, const document_name& closed)
{
    documents_.close(closed.uri);
    context.notify("textDocument/publishDiagnostics", {{"uri", closed.uri}, {"diagnostics", json::array()}});
}

// Gives up as soon as there is a newer version, whose own check is on its way: what is published last is always newest.
asio::awaitable<void> server::check(request_context& context, std::string uri, snapshot text)
{
    checks work(*text, max_line_length_);
    do {
        co_await give_way(context);
        if (documents_.find(uri) != text)
            co_return;
    } while (work.step(lines_at_once));

    lsp::log_trace(context, "checked version " + std::to_string(text->version()) + " of " + uri,
                   std::to_string(work.findings().size()) + " findings");
    json::value found = diagnostics(uri, text->version(), work.findings());
    co_await context.notify("textDocument/publishDiagnostics", std::move(found));
}

asio::awaitable<json::value> server::hover(request_context& context, document_place place)
{
    const snapshot text = find(place.uri);
    const std::size_t number = place.at.line;
    if (number >= text->line_count())
        co_return nullptr;
    const std::string_view line = text->line(number);
    const std::optional<word> found = word_at(line, byte_of_unit(line, place.at.character));
    if (!found)
        co_return nullptr;

    word_count count(*text, std::string(found->text));
    co_await finish(context, count);
    const range where{text->position_of(number, found->begin), text->position_of(number, found->end)};
    co_return hover_value(*found, where, count.count(), count_units(line));
}

asio::awaitable<json::value> server::symbols(request_context& context, document_name name)
{
    const snapshot text = find(name.uri);
    heading_search search(*text);
    co_await finish(context, search);
    const auto client = lsp::client_info::of(context);
    if (client->has_capability("textDocument.documentSymbol.hierarchicalDocumentSymbolSupport"))
        co_return document_symbols(search.take());
    co_return symbol_information(search.take(), name.uri);
}

snapshot server::find(const std::string& uri) const
{
    snapshot found = documents_.find(uri);
    if (!found)
        throw partyline::rpc_error(lsp::error_codes::request_failed, uri + ": not open");
    return found;
}

partyline::method_table make_methods()
{
    const auto self = std::make_shared<server>();
    partyline::method_table methods;
    methods.add("initialize", [self](const json::object& params) { return self->initialize(params); });
    methods.add_notification("textDocument/didOpen", [self](request_context& from, whole_params<opened_document> it) {
        return self->open(from, std::move(it.value));
    });
    methods.add_notification("textDocument/didChange",
                             [self](request_context& from, whole_params<changed_document> it) {
                                 return self->change(from, std::move(it.value));
                             });
    methods.add_notification("textDocument/didClose", [self](request_context& from, whole_params<document_name> it) {
        self->close(from, it.value);
    });
    methods.add("textDocument/hover", [self](request_context& from, whole_params<document_place> it) {
        return self->hover(from, std::move(it.value));
    });
    methods.add("textDocument/documentSymbol", [self](request_context& from, whole_params<document_name> it) {
        return self->symbols(from, std::move(it.value));
    });
    return methods;
}

} // namespace plain_text
