#pragma once

#include "http/connections/client_connection.hpp"
#include "http/connections/connection_options.hpp"
#include "http/connections/wait_ready.hpp"
#include "http/wire/url.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <memory>
#include <string>

namespace partyline::http {

/// Opens connections to one server: straight or through a proxy, encrypted where the address says so.
///
/// Lifetime: outlives what it opens.
/// Thread safety: none; everything on one executor, which is a strand or serial.
class connector {
public:
    /// Throws `std::invalid_argument` where the options have nothing to encrypt by.
    connector(boost::asio::any_io_executor executor, url to, connection_options options);

    /// Opens a connection that is ready for a request, within `connection_options::connect_time`.
    ///
    /// Fails with       errc::timeout; any error of the look-up, of the transport or of the handshake;
    ///                  connection_refused: the proxy does not connect to the server
    /// Cancellation     terminal, partial, total: operation_aborted
    boost::asio::awaitable<std::unique_ptr<client_connection>> open(time_limit until) const;
    /// Sets what a request has to say for where it goes: the host, and for a proxy the whole address.
    void address(client_request& request) const;

    const url& server() const noexcept { return to_; }
    const connection_options& options() const noexcept { return options_; }
    const boost::asio::any_io_executor& executor() const noexcept { return executor_; }

private:
    bool is_tunnelled() const noexcept { return options_.proxy && to_.scheme != url_scheme::http; }
    boost::asio::awaitable<socket_channel> connect(time_limit until) const;
    boost::asio::awaitable<socket_channel> tunnel(socket_channel channel, time_limit until) const;
    boost::asio::awaitable<socket_channel> encrypt(socket_channel channel, time_limit until) const;

    boost::asio::any_io_executor executor_;
    url to_;
    connection_options options_;
};

} // namespace partyline::http
