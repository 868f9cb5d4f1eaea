#pragma once

#include <partyline/config.hpp>
#include <partyline/session/caller.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/json/value.hpp>

#include <memory>

namespace partyline::lsp {

/// The handshake of a client with a language server: calls `initialize`, and when that is answered notifies
/// `initialized` (LSP 3.17, Server lifecycle). A `supervisor` runs it with every server that it starts:
///
///     partyline::lsp::handshake hello(params);
///     options.session.framing = partyline::framing_kind::content_length;
///     options.on_start = hello;
///     options.on_close = partyline::lsp::shutdown_and_exit;
///
/// Copies share the result.
/// Thread safety: safe.
class PARTYLINE_EXPORT handshake {
public:
    /// `InitializeParams`.
    explicit handshake(boost::json::value params);
    /// A copy shares the result.
    handshake(const handshake&) = default; // a move copies, too: there is always something shared
    handshake& operator=(const handshake&) = default;

    /// Throws `rpc_error` when the server answers an error, and `system_error` when it does not answer. The caller
    /// outlives the coroutine; this object need not.
    boost::asio::awaitable<void> operator()(caller& server) const;

    /// `InitializeResult` of the server of the last handshake; null before the first server has answered.
    boost::json::value result() const;

private:
    struct shared;

    static boost::asio::awaitable<void> greet(caller& server, std::shared_ptr<shared> what);

    std::shared_ptr<shared> shared_;
};

/// Ends the conversation of a client: calls `shutdown`, and when that is answered notifies `exit`. Throws as
/// `handshake` does.
PARTYLINE_EXPORT boost::asio::awaitable<void> shutdown_and_exit(caller& server);

} // namespace partyline::lsp
