#pragma once

#include "http/connections/client_request.hpp"

#include <partyline/http/token_source.hpp>

#include <boost/asio/awaitable.hpp>

#include <optional>
#include <string>

namespace partyline::http {

/// Whether a response refuses its request for the token that it has or lacks, so that another one may help: 401, and
/// 403 where it challenges for Bearer.
bool is_token_refusal(const received_head& head);

/// The Bearer token of one request, and the next ones for as long as the server refuses them.
///
/// Flow: `get()`, then `add_to()` what is sent; after a refusal `replace()`, and again.
/// Thread safety: none. `from` lives longer.
class request_token {
public:
    /// Most tokens that are asked for after refusals of one request.
    static constexpr int most_tries = 3;

    explicit request_token(token_source& from) : from_(&from) {}

    /// Gets the first one; without a suspension where it is known.
    ///
    /// Fails with       as `token_source::token`; client_errc::unauthorized: what it gives is no token
    /// Cancellation     terminal, partial, total: operation_aborted
    boost::asio::awaitable<void> get();
    void add_to(client_request& request) const;
    /// Gets the next one. `words` are those of the server, for the details of a failure.
    ///
    /// Fails with       as `get()`; client_errc::unauthorized: there have been enough
    boost::asio::awaitable<void> replace(challenge refusal, std::string words);

private:
    boost::asio::awaitable<std::string> ask(std::optional<challenge> after, std::string words);

    token_source* from_;
    std::string token_; // empty: none
    int tries_ = 0;
};

} // namespace partyline::http
