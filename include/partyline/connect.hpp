#pragma once

#include <partyline/config.hpp>
#include <partyline/protocol/errc.hpp>

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>

#include <cstdint>
#include <string>
#include <utility>

namespace partyline {

// Sockets for a session to talk over, such as to a `server`: `session client(std::move(socket), options)`.

/// A Unix socket, as a session takes it: `session client(std::move(socket), options)`.
using unix_socket = boost::asio::local::stream_protocol::socket;
/// A TCP connection, as a session takes it.
using tcp_socket = boost::asio::ip::tcp::socket;

/// The part of `async_connect_unix` that is compiled once: see there.
PARTYLINE_EXPORT void start_connect_unix(boost::asio::any_io_executor executor, std::string path,
                                         boost::asio::any_completion_handler<void(error_code, unix_socket)> done);
/// The part of `async_connect_tcp` that is compiled once: see there.
PARTYLINE_EXPORT void start_connect_tcp(boost::asio::any_io_executor executor, std::string host, std::uint16_t port,
                                        boost::asio::any_completion_handler<void(error_code, tcp_socket)> done);

/// Connects to a Unix socket. Waits while the server's queue of connections to be accepted is full.
///
///     partyline::unix_socket socket =
///         co_await partyline::async_connect_unix(executor, "/run/user/1000/notes.sock", boost::asio::deferred);
///     partyline::session client(std::move(socket));
///
/// Completes with   void(error_code, unix_socket); the socket is closed when the code is set
/// Fails with       no_such_file_or_directory, connection_refused: no server listens there; permission_denied;
///                  asio::error::name_too_long, asio::error::invalid_argument (an empty path); operation_aborted. The
///                  error does not name the path
/// Cancellation     terminal, partial, total: gives up
/// Lifetime         arguments are copied; the `io_context` must outlive the socket
/// Threads          call it from any thread; the handler runs on its associated executor, by default `executor`
template <boost::asio::completion_token_for<void(error_code, unix_socket)> Token = boost::asio::deferred_t>
auto async_connect_unix(boost::asio::any_io_executor executor, std::string path, Token&& token = {})
{
    return boost::asio::async_initiate<Token, void(error_code, unix_socket)>(
        [](auto handler, boost::asio::any_io_executor on, std::string to) {
            start_connect_unix(std::move(on), std::move(to), std::move(handler));
        },
        token, std::move(executor), std::move(path));
}

/// Connects to a TCP port, to the first address of the host that answers, and sends without delay from then on
/// (TCP_NODELAY). Only for a name, not for a number, Asio's resolver is asked: it has a thread of its own.
///
///     partyline::async_connect_tcp(executor, "localhost", 4000, [](error_code failed, partyline::tcp_socket socket) {
///         if (failed)
///             show("localhost:4000: " + failed.message());
///         else
///             talk(partyline::session(std::move(socket)));
///     });
///
/// Completes with   void(error_code, tcp_socket); the socket is closed when the code is set
/// Fails with       asio::error::host_not_found and the like; connection_refused, timed_out, ...: the error of the last
///                  address; operation_aborted. The error does not name the address
/// Cancellation     terminal, partial, total: gives up; a look-up goes on by itself, and its result is dropped
/// Lifetime         arguments are copied; the `io_context` must outlive the socket
/// Threads          call it from any thread; the handler runs on its associated executor, by default `executor`
template <boost::asio::completion_token_for<void(error_code, tcp_socket)> Token = boost::asio::deferred_t>
auto async_connect_tcp(boost::asio::any_io_executor executor, std::string host, std::uint16_t port, Token&& token = {})
{
    return boost::asio::async_initiate<Token, void(error_code, tcp_socket)>(
        [](auto handler, boost::asio::any_io_executor on, std::string to, std::uint16_t at) {
            start_connect_tcp(std::move(on), std::move(to), at, std::move(handler));
        },
        token, std::move(executor), std::move(host), port);
}

} // namespace partyline
