#include "server.hpp"

#include "characters.hpp"
#include "words.hpp"

#include <partyline/config.hpp>
#include <partyline/lsp/client_info.hpp>
#include <partyline/lsp/error_codes.hpp>
#include <partyline/protocol/error.hpp>
#include <partyline/rpc/args.hpp>

#include <boost/asio/deferred.hpp>
#include <boost/asio/post.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

namespace asio = boost::asio;
namespace json = boost::json;
namespace lsp = partyline::lsp;
using partyline::request_context;
using partyline::task;

namespace plain_text {
namespace {

// Some tenths of a millisecond of work.
constexpr std::size_t lines_at_once = 500;

// Whatever has come meanwhile is served first. Where the peer has cancelled, the next call throws.
task<void> give_way(request_context& context)
{
    co_await asio::post(context.get_executor(), asio::deferred);
}

template <class Work>
task<void> finish(request_context& context, Work& work)
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
            {"serverInfo", {{"name", "plain-text-server"}, {"version", PARTYLINE_VERSION_STRING}}}};
}

task<void> server::open(request_context& context, opened_document opened)
{
    document_item& item = opened.document;
    snapshot text = documents_.open(item.uri, item.version, std::move(item.text));
    co_await check(context, std::move(item.uri), std::move(text));
}

task<void> server::change(request_context& context, changed_document changed)
{
    document_version& document = changed.document;
    snapshot text = documents_.change(document.uri, document.version, changed.changes);
    co_await check(context, std::move(document.uri), std::move(text));
}

void server::close(request_context& context, const document_name& closed)
{
    documents_.close(closed.document.uri);
    const published_diagnostics nothing{.uri = closed.document.uri, .version = {}, .diagnostics = {}};
    context.notify("textDocument/publishDiagnostics", nothing);
}

// Gives up as soon as there is a newer version, whose own check is on its way: what is published last is always newest.
task<void> server::check(request_context& context, std::string uri, snapshot text)
{
    checks work(*text, max_line_length_);
    do {
        co_await give_way(context);
        if (documents_.find(uri) != text)
            co_return;
    } while (work.step(lines_at_once));

    lsp::log_trace(context, "checked version " + std::to_string(text->version()) + " of " + uri,
                   std::to_string(work.findings().size()) + " findings");
    const published_diagnostics found{uri, text->version(), diagnostics_of(work.findings())};
    co_await context.notify("textDocument/publishDiagnostics", found);
}

task<std::optional<hover_text>> server::hover(request_context& context, document_place place)
{
    const snapshot text = find(place.document.uri);
    const std::size_t number = place.position.line;
    if (number >= text->line_count())
        co_return std::nullopt;
    const std::string_view line = text->line(number);
    const std::optional<word> found = word_at(line, byte_of_unit(line, place.position.character));
    if (!found)
        co_return std::nullopt;

    word_count count(*text, std::string(found->text));
    co_await finish(context, count);
    const range where{text->position_of(number, found->begin), text->position_of(number, found->end)};
    co_return describe_word(*found, where, count.count(), count_units(line));
}

task<server::symbols_told> server::symbols(request_context& context, document_name name)
{
    const snapshot text = find(name.document.uri);
    heading_search search(*text);
    co_await finish(context, search);
    const auto client = lsp::client_info::of(context);
    if (client->has_capability("textDocument.documentSymbol.hierarchicalDocumentSymbolSupport"))
        co_return document_symbols(search.take());
    co_return symbols_at(name.document.uri, search.take());
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
    methods.add("initialize", &server::initialize, self);
    methods.add_notification("textDocument/didOpen", &server::open, self);
    methods.add_notification("textDocument/didChange", &server::change, self);
    methods.add_notification("textDocument/didClose", &server::close, self);
    methods.add("textDocument/hover", &server::hover, self);
    methods.add("textDocument/documentSymbol", &server::symbols, self);
    return methods;
}

} // namespace plain_text
