#pragma once

#include "http/connections/fetch_document.hpp"
#include "http/oauth/authorization.hpp"
#include "http/oauth/client_identity.hpp"
#include "http/oauth/discovery.hpp"
#include "http/oauth/form.hpp"
#include "http/oauth/redirect_listener.hpp"
#include "http/oauth/token_request.hpp"
#include "http/oauth/token_store.hpp"

#include <partyline/http/oauth_options.hpp>
#include <partyline/http/token_source.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace partyline::http {

/// Who issues the tokens for a server.
struct found_issuer {
    server_metadata server = {};
    issuer_metadata issuer = {};
};

/// Gets tokens over the network, one step at a time: finds the issuer, refreshes, logs in. Each request may take 10 s.
///
/// Thread safety: none; everything on the executor, which is a strand or serial, and so are the coroutines. One of them
/// at a time.
/// Cancellation: terminal, partial, total: operation_aborted, in all coroutines.
/// Fails with: client_errc::unauthorized where the server or the issuer refuses, or says what can't be used; what
/// `ask_document` fails with; what the store and `open_page` throw.
class login_flow {
public:
    /// Throws `std::invalid_argument`, see `oauth_client`.
    login_flow(boost::asio::any_io_executor serial, url server, oauth_options options);

    /// Finds who issues tokens for the server. `after`: its refusal; `before`: the address that it has named for its
    /// metadata in an earlier one, which may have moved since then. Nothing: it has moved, and without a refusal that
    /// names another one nobody can say where to.
    boost::asio::awaitable<std::optional<found_issuer>> find(const std::optional<challenge>& after,
                                                             std::string before) const;
    /// Gets tokens by the refresh token. The refusal of the issuer is no failure.
    boost::asio::awaitable<std::variant<held_tokens, oauth_error>> refresh(found_issuer by, held_tokens with) const;
    /// Gets tokens by a login: of a person, or of the program for itself. Sets `is_asking`, which lives longer, when
    /// the tokens are asked for. `waiters` lives longer as well: without any, a person is not asked once more.
    boost::asio::awaitable<held_tokens> log_in(found_issuer by, scope_set scopes, bool& is_asking,
                                               const std::size_t& waiters) const;

    bool is_for_person() const noexcept { return bool(options_.open_page); }
    const oauth_options& options() const noexcept { return options_; }
    const url& server() const noexcept { return server_; }
    held_tokens::time_point now() const;

private:
    address_scope named_scope() const;
    bool may_be_private(const url& to) const;
    boost::asio::awaitable<document_answer> ask(std::string address, client_request asked) const;
    boost::asio::awaitable<std::optional<std::string>> fetch(std::string address) const;
    boost::asio::awaitable<std::optional<server_metadata>> ask_server(std::string address) const;
    boost::asio::awaitable<std::optional<server_metadata>> try_server(std::string address) const;
    boost::asio::awaitable<server_metadata> find_named_server(std::string named) const;
    boost::asio::awaitable<std::optional<server_metadata>> find_server(bool is_refused, std::string before) const;
    boost::asio::awaitable<issuer_metadata> find_issuer(std::string issuer, issuer_source source) const;
    std::string choose_issuer(const server_metadata& of) const;
    struct login_in_progress;
    using token_answer = std::variant<issued_tokens, oauth_error>;
    boost::asio::awaitable<token_answer> ask_for_tokens(issuer_metadata at, client_identity who,
                                                        form_writer form) const;
    boost::asio::awaitable<token_answer> log_in_person(found_issuer by, login_in_progress& of) const;
    boost::asio::awaitable<token_answer> log_in_registered(found_issuer by, login_in_progress& of) const;
    boost::asio::awaitable<token_answer> log_in_program(found_issuer by, login_in_progress& of) const;
    boost::asio::awaitable<login_answer> wait_for_answer(redirect_listener& at, const login_wish& wish,
                                                         const issuer_metadata& of, const login_secrets& secrets) const;
    boost::asio::awaitable<client_identity> register_client(found_issuer by, scope_set scopes,
                                                            std::string redirect_uri) const;
    std::optional<client_identity> known_identity(const issuer_metadata& at) const;
    std::optional<client_identity> kept_identity(const issuer_metadata& at) const;
    std::optional<client_identity> undoubted_identity(const issuer_metadata& at) const;
    void note_error(const client_identity& who, const std::string& error) const;
    void save_identity(client_identity who, bool is_in_doubt) const;

    boost::asio::any_io_executor executor_;
    url server_;
    oauth_options options_;
    std::optional<signing_client_key> key_;
};

} // namespace partyline::http
