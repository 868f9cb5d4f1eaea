#pragma once

#include "checks.hpp"
#include "documents.hpp"
#include "messages.hpp"

#include <partyline/rpc/method_table.hpp>
#include <partyline/session/request_context.hpp>
#include <partyline/session/task.hpp>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace plain_text {

/// What the server does for its one editor.
///
/// Each handler takes the newest version of its document when it starts, and handlers start in the order of arrival: a
/// request is answered for the text that the editor had when it asked, however much is typed meanwhile. (LSP 3.17
/// advises against -32801 "Content modified" for that: the editor knows what it has changed, and cancels what it no
/// longer wants.)
class server {
public:
    boost::json::value initialize(const boost::json::object& params);

    // Notifications: each changes the documents at once, and what it is about to tell of them is told when it is found.
    partyline::task<void> open(partyline::request_context& context, opened_document opened);
    partyline::task<void> change(partyline::request_context& context, changed_document changed);
    void close(partyline::request_context& context, const document_name& closed);

    using symbols_told = std::variant<std::vector<document_symbol>, std::vector<symbol_information>>;
    partyline::task<std::optional<hover_text>> hover(partyline::request_context& context, document_place place);
    partyline::task<symbols_told> symbols(partyline::request_context& context, document_name name);

private:
    partyline::task<void> check(partyline::request_context& context, std::string uri, snapshot text);
    snapshot find(const std::string& uri) const;

    documents documents_;
    std::size_t max_line_length_ = usual_line_length;
};

/// The methods of a server. What else belongs to the life of a language server (`shutdown`, `exit`, an editor that has
/// died) is the affair of `partyline::lsp::profile`.
partyline::method_table make_methods();

} // namespace plain_text
