#pragma once

#include <partyline/config.hpp>
#include <partyline/tls/client_context.hpp>
#include <partyline/tls/server_context.hpp>
#include <partyline/tls/stream.hpp>

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>

#include <cstdint>
#include <string>
#include <utility>

namespace partyline::tls {

/// The completion handler of `async_accept` and `async_connect`.
using stream_handler = boost::asio::any_completion_handler<void(error_code, stream)>;

/// The part of `async_accept` that is compiled once: see there.
PARTYLINE_EXPORT void start_accept(stream::lowest_layer_type socket, server_context context, stream_handler done);
/// The part of `async_connect` that is compiled once: see there.
PARTYLINE_EXPORT void start_connect(boost::asio::any_io_executor executor, std::string host, std::uint16_t port,
                                    client_context context, stream_handler done);

/// Shakes hands as a server with a client that has connected, over a socket, TCP's or a Unix one, that nothing was read
/// from. The socket sends without delay from then on (TCP_NODELAY).
///
/// Completes with   void(error_code, stream); the stream is closed when the code is set
/// Fails with       timed_out: `server_options::handshake_timeout` was over; errc::stream_truncated: the client has
///                  gone; a code of `tls::openssl_category()`: the received data is no TLS, or the two have no version,
///                  cipher or protocol in common, or the client has no certificate, or ends the handshake by an alert;
///                  one of `tls::verification_category()`: the client's certificate was refused; connection_reset and
///                  the like; operation_aborted; no_memory
/// Cancellation     terminal, partial, total: gives up and closes the socket
/// Lifetime         arguments are kept; the `io_context` must outlive the stream
/// Threads          call it where the socket may be used; the handler runs on its associated executor, by default the
///                  socket's
template <boost::asio::completion_token_for<void(error_code, stream)> Token = boost::asio::deferred_t>
auto async_accept(stream::lowest_layer_type socket, server_context context, Token&& token = {})
{
    return boost::asio::async_initiate<Token, void(error_code, stream)>(
        [](auto handler, stream::lowest_layer_type with, server_context by) {
            start_accept(std::move(with), std::move(by), std::move(handler));
        },
        token, std::move(socket), std::move(context));
}

/// Connects to a TCP port, as `async_connect_tcp` does, and shakes hands with the server there, whose certificate has
/// to be for this host, a name or an address.
///
/// Completes with   void(error_code, stream); the stream is closed when the code is set
/// Fails with       the errors of `async_connect_tcp`; timed_out: `client_options::handshake_timeout` was over, or the
///                  system gave up to connect; one of `tls::verification_category()`: the server's certificate was
///                  refused; a code of `tls::openssl_category()`: the received data is no TLS, or the server has
///                  refused the client (with TLS 1.3 for its certificate only later: then the first read fails so);
///                  errc::stream_truncated: the server has gone; connection_reset and the like; operation_aborted;
///                  invalid_argument: no host has that name; no_memory
/// Cancellation     terminal, partial, total: gives up; a look-up goes on by itself, and its result is dropped
/// Lifetime         arguments are kept; the `io_context` must outlive the stream
/// Threads          call it from any thread; the handler runs on its associated executor, by default `executor`
template <boost::asio::completion_token_for<void(error_code, stream)> Token = boost::asio::deferred_t>
auto async_connect(boost::asio::any_io_executor executor, std::string host, std::uint16_t port, client_context context,
                   Token&& token = {})
{
    return boost::asio::async_initiate<Token, void(error_code, stream)>(
        [](auto handler, boost::asio::any_io_executor on, std::string to, std::uint16_t at, client_context by) {
            start_connect(std::move(on), std::move(to), at, std::move(by), std::move(handler));
        },
        token, std::move(executor), std::move(host), port, std::move(context));
}

} // namespace partyline::tls
