#pragma once

#include "http/connections/pool_core.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <memory>
#include <string>

namespace partyline::http {

/// For what asks nothing: nobody waits for its answer, but others for its connection.
inline constexpr std::chrono::seconds telling_time(30);

/// A response under way. Destroying it gives the connection back where the response was read to its end, and closes it
/// elsewhere.
///
/// Thread safety: none; as its pool.
class pooled_response {
public:
    pooled_response(pool_core::place held, shared_connection over, shown_secrets secrets)
        : secrets_(std::move(secrets)), held_(std::move(held)), over_(std::move(over))
    {
    }
    pooled_response(pooled_response&&) noexcept = default;
    pooled_response& operator=(pooled_response&&) = delete;
    ~pooled_response()
    {
        if (over_)
            held_.core().give_back(std::move(over_));
    }

    const received_head& head() const noexcept { return over_->head(); }
    /// What the request has shown: the server may repeat it.
    const shown_secrets& secrets() const noexcept { return secrets_; }
    /// The next piece of the body; empty at its end. Fails as `client_connection::read_some`.
    boost::asio::awaitable<std::string> read_some(time_limit until) { return over_->read_some(until); }
    /// All of it. Fails with errc::message_too_large as well.
    boost::asio::awaitable<std::string> read_all(std::size_t most, time_limit until);
    /// What it comes over: whoever is to see it break has that.
    client_connection& connection() noexcept { return *over_; }

private:
    shown_secrets secrets_;
    pool_core::place held_;
    shared_connection over_; // given back before the place is
};

/// Sends requests to one server, over a bounded number of connections that are used again and again. What is more waits
/// in order.
///
/// Lifetime: destroying it closes its connections; who waits for one of them gets operation_aborted, and who has one
/// opened gets that when it is open, or has failed to be, within `connection_options::connect_time`.
/// Thread safety: none; everything on the executor, which is a strand or serial, and so are the coroutines.
class connection_pool {
public:
    /// Throws `std::invalid_argument`, see `connector`.
    connection_pool(boost::asio::any_io_executor executor, url to, connection_options options = {});
    ~connection_pool() { core_->close(); }
    connection_pool(const connection_pool&) = delete;
    connection_pool& operator=(const connection_pool&) = delete;

    /// Sends a request, and waits for the head of its response. It is sent again by itself only where a connection that
    /// was used before turns out to be closed before a byte was sent: then nobody has seen it.
    ///
    /// Fails with       as `connector::open` and `client_connection::send`; errc::bad_reply: the server names another
    ///                  address (status 3xx), which is for the caller to decide about
    /// Cancellation     terminal, partial, total: operation_aborted; the connection is closed
    /// Lifetime         the pool may go meanwhile
    boost::asio::awaitable<pooled_response> send(client_request request, time_limit until);

    /// As destroying it: nothing is sent from here on.
    void close() noexcept { core_->close(); }

    const url& server() const noexcept { return core_->by().server(); }

private:
    std::shared_ptr<pool_core> core_;
};

/// Throws for a response that sends the client elsewhere, with where that is.
void refuse_redirect(const received_head& head, const shown_secrets& secrets);

} // namespace partyline::http
