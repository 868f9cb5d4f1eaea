#pragma once

#include "transport/socket/unix_socket_file.hpp"

#include <partyline/config.hpp>
#include <partyline/protocol/errc.hpp>
#include <partyline/session/peer_identity.hpp>
#include <partyline/transport/tcp_address.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace partyline {

/// A socket that listens on one address, Unix or TCP.
///
/// Flow: `async_wait` until somebody connects, `accept` until that would block. (To accept asynchronously would take
/// connections that there may be no room for by then.)
/// Thread safety: none.
class PARTYLINE_EXPORT listener {
public:
    using protocol = boost::asio::generic::stream_protocol;
    using socket = protocol::socket;
    using address_check = std::function<void(const boost::asio::ip::address&)>;

    /// On a Unix socket whose file has these permissions; takes the place of one that a server has left behind.
    /// Throws `system_error` with a text that names the address, as the other one does, and `std::invalid_argument` for
    /// a mode beyond 0777.
    listener(boost::asio::any_io_executor executor, const std::string& path, ::mode_t mode = 0600);
    /// On the first address of a host that can be listened on. To look up a name may take a while. `check` is called
    /// with each before it is bound; what it throws, this does.
    listener(boost::asio::any_io_executor executor, const tcp_address& address, const address_check& check = {});
    /// On a stream socket that listens already, Unix or TCP, which is owned from now on. Throws `system_error` for any
    /// other descriptor, and for one that another listener of the same execution context has.
    listener(boost::asio::any_io_executor executor, int descriptor);

    /// "unix /run/x.sock", "tcp 127.0.0.1:8080".
    const std::string& name() const noexcept { return name_; }
    bool is_unix() const noexcept { return protocol_.family() == AF_UNIX; }
    /// Its address as the one type that it is, `tcp::endpoint` or the other, with the port that the system has chosen.
    template <class Endpoint>
    Endpoint endpoint() const
    {
        return same_address<Endpoint>(acceptor_.local_endpoint());
    }

    /// Waits until a connection can be accepted: void(error_code).
    template <class Handler>
    void async_wait(Handler handler)
    {
        acceptor_.async_wait(acceptor::wait_read, std::move(handler));
    }

    /// What its user knows it by.
    void set_number(std::size_t number) noexcept { number_ = number; }

    struct connection {
        socket stream;
        peer_identity peer;
        std::size_t listener_number = 0;
    };
    /// Accepts a connection, for use on `executor`. Fails with `would_block` when there is none.
    connection accept(const boost::asio::any_io_executor& executor, error_code& failed);

    /// Lets nobody connect any more, so that `accept` comes to an end: clients of TCP try again, until the socket is
    /// closed. False: it is not known to be this process's alone, or the system can't do that, and goes on as before.
    bool refuse_more();
    /// Removes the file and refuses everybody from now on.
    void close();

private:
    using acceptor = boost::asio::basic_socket_acceptor<protocol>;

    void open(const protocol::endpoint& at);
    template <class Endpoint>
    static Endpoint same_address(const protocol::endpoint& any)
    {
        Endpoint result;
        std::memcpy(result.data(), any.data(), any.size());
        result.resize(any.size());
        return result;
    }
    void prepare(connection& accepted, const protocol::endpoint& from) const;
    void bind_unix(const std::string& path, ::mode_t mode);
    void bind_tcp(const tcp_address& address, const address_check& check);

    std::string name_;
    acceptor acceptor_;
    protocol protocol_{AF_UNSPEC, 0}; // of the acceptor, and so of what it accepts
    std::size_t number_ = 0;
    bool is_shared_ = false;               // with whoever has opened it
    std::optional<unix_socket_file> file_; // goes before the socket does; none with TCP
};

} // namespace partyline
