#pragma once

#include <partyline/transport/detail/secure_layer.hpp>

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace partyline::http {

/// The store in which an `oauth_client` keeps its credentials between runs: texts by names, both opaque, which are
/// secrets. There is a name for each server (its tokens) and one for each issuer (how this program is registered
/// there), so a store may serve any number of clients.
///
/// All functions are called on a strand of the client's, must not block for long, and may be called by several clients
/// at the same time. An exception from them is a failure of the request that needs a token.
struct oauth_store {
    /// Returns the text that was saved last under a name; empty: there is none. Called before each refresh as well,
    /// since another process may have refreshed the same tokens meanwhile.
    std::function<std::string(const std::string& name)> load = {};
    /// Saves a text in place of the one before; an empty one: the entry is removed.
    std::function<void(const std::string& name, const std::string& text)> save = {};
    /// Waits until no other client refreshes the tokens of this name, in this process or another one: an issuer may
    /// accept a refresh token once, and take a second try for a theft. Completes with an object that keeps others
    /// waiting until it is destroyed; null: the lock was not available in time, and the refresh goes on without it.
    /// `load` is called again after that. The coroutine runs on the strand, and can be cancelled (terminal, partial,
    /// total). Empty: no other client refreshes them.
    std::function<boost::asio::awaitable<std::shared_ptr<void>>(std::string name)> lock = {};
};

/// How an `oauth_client` gets its tokens. The defaults are safe.
///
///     http::oauth_options how;
///     how.open_page = [](const std::string& url) { show("log in at " + url); };
///     how.tls = tls::client_context().connector();
///     http::client_options options;
///     options.tokens = std::make_shared<http::oauth_client>(executor, "https://example.org/mcp", std::move(how));
struct oauth_options {
    /// The id that the authorization server knows this program by, where it was registered there in advance. Empty: it
    /// registers itself, by `metadata_url` where the authorization server takes that, else dynamically (RFC 7591).
    std::string client_id = {};
    /// The secret that belongs to `client_id`. Empty: there is none.
    std::string client_secret = {};
    /// The private key that belongs to `client_id` or `metadata_url`, as PEM: RSA, P-256, P-384 or Ed25519. The program
    /// proves its identity by this key (`private_key_jwt`, RFC 7523), and uses no secret. Empty: there is none.
    std::string client_key = {};
    /// The id of that key, by which the authorization server finds the key. Empty: the id is not sent.
    std::string client_key_id = {};
    /// The authorization server that `client_id` belongs to. Another authorization server gets neither the id nor the
    /// secret: the login fails. Empty: the first one that the server names, to which `store` holds it from then on.
    std::string issuer = {};
    /// The address (https) of this program's metadata, which is then its id: a Client ID Metadata Document, whose
    /// `redirect_uris` has "http://127.0.0.1/callback". Empty: there is none.
    std::string metadata_url = {};
    /// The name by which this program registers itself, which people see when they log in.
    std::string client_name = "partyline";
    /// Scopes that are asked for in any case, besides those that the server names.
    std::vector<std::string> scopes = {};
    /// Shows a person the address of the page to log in at; must not block. The address is of https, or of http on
    /// loopback, and has only the characters of a URI; since a server has chosen them, do not pass the address to a
    /// shell. Empty: nobody logs in, and the program gets its tokens for itself (`client_credentials`), by its secret
    /// or key.
    std::function<void(const std::string& url)> open_page = {};
    /// The store of credentials. Empty: they are kept in this object alone.
    oauth_store store = {};
    /// The port of 127.0.0.1 to which the authorization server sends the person back. 0: the system chooses one.
    std::uint16_t redirect_port = 0;
    /// How long a person may take to log in.
    std::chrono::milliseconds login_timeout = std::chrono::minutes(5);
    /// Encrypts the connections to addresses of https: `tls::client_context::connector()`.
    partyline::detail::secure_connector tls = {};
    /// Returns the proxy through which an address of https is reached, as `client_options::proxy` has it:
    /// `http::proxy_of_environment`. Empty, or an empty text: none.
    std::function<std::string(const std::string& url)> proxy = {};
    /// Whether the authorization server may have an address that is not public, such as 10.0.0.1. By default it may
    /// not, unless the server is reached by loopback: otherwise a server could make this program send requests to
    /// addresses which only this program reaches (SSRF). The server's own origin may have any address.
    bool allow_private = false;
    /// The time by which tokens expire; called on any thread, by several at the same time. Empty: the system's.
    std::function<std::chrono::system_clock::time_point()> now = {};
};

} // namespace partyline::http
