#pragma once

#include "session/owned_descriptor.hpp"

#include <partyline/protocol/errc.hpp>

#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/local/stream_protocol.hpp>

#include <chrono>
#include <string>
#include <utility>

namespace partyline {

// What Asio's sockets leave out.

/// Makes a socket, close-on-exec from the first moment: in a child process that another thread starts meanwhile it
/// would hold the connection open. None when it fails. So does the other one.
owned_descriptor make_socket(int family, int type, int protocol, error_code& failed) noexcept;

/// Accepts a connection without waiting: close-on-exec, non-blocking. `would_block`: there is none. `from` is the
/// address of who has connected (asked for later, the system does not tell that of a connection that has been reset).
owned_descriptor accept_now(int listening, boost::asio::generic::stream_protocol::endpoint& from,
                            error_code& failed) noexcept;

/// Hands a descriptor over to a socket or an acceptor of Asio's. Where that fails, or has no memory, it is closed.
template <class Socket, class Protocol>
void assign(Socket& socket, const Protocol& protocol, owned_descriptor descriptor, error_code& failed)
{
    socket.assign(protocol, descriptor.get(), failed);
    if (!failed)
        descriptor.release();
}

/// Opens a socket or an acceptor of Asio's with a descriptor of `make_socket`.
template <class Socket, class Protocol>
void open_socket(Socket& socket, const Protocol& protocol, error_code& failed)
{
    owned_descriptor made = make_socket(protocol.family(), protocol.type(), protocol.protocol(), failed);
    if (!failed)
        assign(socket, protocol, std::move(made), failed);
}

/// Connects without waiting. `would_block`: somebody listens, and has no room for one more yet. (Asio takes that for a
/// connection under way, and soon after for a connection.) The system does not tell when there is room: whoever waits
/// for it tries again after `connect_again_after`.
error_code connect_now(boost::asio::local::stream_protocol::socket& socket,
                       const boost::asio::local::stream_protocol::endpoint& to);

inline constexpr std::chrono::milliseconds connect_again_after{20};

/// The address of a path. Fails with `name_too_long`, or `invalid_argument` for an empty path.
boost::asio::local::stream_protocol::endpoint unix_endpoint(const std::string& path, error_code& failed);

} // namespace partyline
