#pragma once

#include <partyline/protocol/error.hpp>

/// The codes that LSP 3.17 adds to those of JSON-RPC.
namespace partyline::lsp::error_codes {

using partyline::error_codes::request_cancelled;
/// A request came before `initialize` had been answered.
inline constexpr int server_not_initialized = -32002;
/// The document has changed under a request, in a way that makes its result useless.
inline constexpr int content_modified = -32801;
/// The server itself has cancelled a request, of a kind for which the protocol allows this.
inline constexpr int server_cancelled = -32802;
/// A valid request has failed; the message is for people.
inline constexpr int request_failed = -32803;

} // namespace partyline::lsp::error_codes
