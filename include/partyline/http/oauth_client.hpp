#pragma once

#include <partyline/config.hpp>
#include <partyline/http/oauth_options.hpp>
#include <partyline/http/token_source.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <memory>
#include <optional>
#include <string>

namespace partyline::http {

class oauth_core;

/// Logs in at the authorization server of one server by OAuth 2.1, as MCP 2026-07-28 has it, and keeps the tokens
/// fresh.
///
/// The first request is sent without a token. When it is refused, the client finds the authorization server (RFC 9728,
/// RFC 8414, OpenID Connect Discovery; for servers of MCP 2025-03-26 without metadata, the server itself), registers,
/// and has a person log in (PKCE with S256, `state`, RFC 9207), who is sent back to a port of 127.0.0.1 that listens
/// for that long. Tokens are used until 60 s before they expire, and then refreshed with the scopes that were granted,
/// once for all requests that wait, and for all processes with one store. A 403 for want of scopes leads to a new
/// login, with the scopes that were granted before and those that the server names; so does a refused refresh. When the
/// server has refused three logins for one set of scopes in five minutes, there are no more logins: then requests fail
/// with the server's reason.
///
/// All is fetched over https, or http on loopback, without following redirects; documents may have 64 KiB, and each may
/// take 10 s. Credentials are kept by issuer: where the server names another one, the program registers there anew.
///
/// Stored metadata and registrations may be out of date. Where the server's metadata has moved, or names another
/// issuer, requests are sent with the present token, and the search begins again when the server refuses one: once for
/// each refusal, or after a minute. Where an issuer does not know the program any more, the program is registered anew,
/// once for each login; so it is where the last login by that registration has had no answer. While an issuer can't be
/// reached, each request that needs a token fails.
///
/// Destroying the client ends its work: requests that wait for a token fail with operation_aborted. The `io_context`
/// must outlive it.
///
/// Thread safety: as `token_source` says. The client's own work runs on a strand of its executor.
class PARTYLINE_EXPORT oauth_client final : public token_source {
public:
    /// `server` is the address that the clients call. Throws `std::invalid_argument` for one that is neither of https
    /// or wss nor on loopback, and for options that contradict each other or are not usable: a secret without an id, an
    /// invalid key, no `open_page` and neither a secret nor a key, an invalid address.
    oauth_client(boost::asio::any_io_executor executor, const std::string& server, oauth_options options);
    ~oauth_client() override;
    oauth_client(const oauth_client&) = delete;
    oauth_client& operator=(const oauth_client&) = delete;

    // token_source; `token` fails with client_errc::unauthorized where the server or the authorization server refuses,
    // and with the error of a server that could not be reached
    std::string server() const override;
    std::optional<std::string> known() override;
    boost::asio::awaitable<std::string> token(std::optional<challenge> after) override;

private:
    std::shared_ptr<oauth_core> core_;
};

} // namespace partyline::http
