#pragma once

#include <partyline/config.hpp>

#include <boost/asio/awaitable.hpp>

#include <optional>
#include <string>

namespace partyline::http {

/// The reason why a server has refused a request for its token, or for want of one: the status, and its challenge of
/// Bearer in `WWW-Authenticate` (RFC 9110 §11.6.1, RFC 6750 §3, RFC 9728 §5.1). All texts are the server's own,
/// unchecked, of at most 8 KiB together.
struct challenge {
    /// 401: the token is missing or not valid. 403: it is not sufficient.
    int status = 401;
    /// "Bearer"; where the server has no such challenge, the scheme of its first one. Empty: there is none that can be
    /// read.
    std::string scheme = {};
    /// Such as "invalid_token" or "insufficient_scope". This member and those below are empty where the server does not
    /// set them.
    std::string error = {};
    /// The reason in words.
    std::string error_description = {};
    /// The scopes that the request takes, divided by blanks.
    std::string scope = {};
    /// The address of the server's metadata (RFC 9728).
    std::string resource_metadata = {};
    /// The token that the refused request had; empty: none. Where another one is known by now, that one may be returned
    /// at once: several requests may be refused for the same token.
    std::string refused_token = {};
};

/// The source of the Bearer tokens of one server's clients: `client_options::tokens`. Several clients may share one.
///
///     class vault_tokens final : public partyline::http::token_source {
///     public:
///         std::string server() const override { return "https://example.org/mcp"; }
///         std::optional<std::string> known() override { return cache.unexpired(); }
///         boost::asio::awaitable<std::string> token(std::optional<partyline::http::challenge> after) override
///         {
///             if (after && after->status == 403)
///                 throw boost::system::system_error(partyline::http::client_errc::unauthorized, "ask the operator");
///             co_return co_await fetch_token();
///         }
///     };
///
/// Thread safety: clients call all members on their own executors, at the same time where these have several threads.
class PARTYLINE_EXPORT token_source {
public:
    virtual ~token_source() = default;

    /// Returns the address of the server that the tokens are for. A client of another origin (scheme, host and port)
    /// refuses the source. Does not change.
    virtual std::string server() const = 0;

    /// Returns the token for the next request without waiting; an empty text: the request is sent without one, and
    /// `token` is called when the server refuses that. Nothing: to get a token takes time, so that `token` is called
    /// now.
    ///
    /// Called before each request, so it should be cheap. An exception is a failure of the request, as in `token`.
    virtual std::optional<std::string> known() = 0;

    /// Gets a token for a request: for the first time, or `after` the server has refused the request. Several requests
    /// may ask at the same time.
    ///
    /// Completes with  the token (RFC 6750 §2.1, `b64token`), which the request is sent with; empty: without one
    /// Fails with      any exception: the calls of the request fail with the code of a `boost::system::system_error`
    ///                 and its text as the details, such as client_errc::unauthorized; with that code for any other
    ///                 exception
    /// Cancellation    terminal, partial, total: the request is no longer wanted. Other requests may still be waiting
    /// Lifetime        the source outlives the operation
    virtual boost::asio::awaitable<std::string> token(std::optional<challenge> after) = 0;
};

} // namespace partyline::http
