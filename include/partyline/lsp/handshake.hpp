#pragma once

#include <partyline/config.hpp>
#include <partyline/session/caller.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/json/value.hpp>

#include <memory>

namespace partyline::lsp {

/// What a client says first to a language server: calls `initialize`, and when that is answered tells `initialized`
/// (LSP 3.17, Server lifecycle). For a `supervisor`, which says it to every server that it starts:
///
///     partyline::lsp::handshake hello(params);
///     options.session.framing = partyline::framing_kind::content_length;
///     options.on_start = hello;
///     options.on_close = partyline::lsp::shutdown_and_exit;
///
/// Copies share the result. Thread safety: safe.
class PARTYLINE_EXPORT handshake {
public:
    /// `InitializeParams`.
    explicit handshake(boost::json::value params);
    /// A copy shares the result.
    handshake(const handshake&) = default; // a move copies, too: there is always something shared
    handshake& operator=(const handshake&) = default;

    /// Throws `rpc_error` when the server answers an error, and `system_error` when it does not answer. The caller
    /// lives until the end; this need not.
    boost::asio::awaitable<void> operator()(caller& server) const;

    /// `InitializeResult` of the server that was greeted last; null before the first one has answered.
    boost::json::value result() const;

private:
    struct shared;

    static boost::asio::awaitable<void> greet(caller& server, std::shared_ptr<shared> what);

    std::shared_ptr<shared> shared_;
};

/// What a client says last: calls `shutdown`, and when that is answered tells `exit`. Throws as `handshake` does.
PARTYLINE_EXPORT boost::asio::awaitable<void> shutdown_and_exit(caller& server);

} // namespace partyline::lsp
