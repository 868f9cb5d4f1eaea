#include "transport/socket/listener.hpp"

#include "transport/platform/sockets.hpp"
#include "transport/socket/socket_calls.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/system/system_error.hpp>

#include <stdexcept>

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace asio = boost::asio;
using boost::asio::ip::tcp;
using boost::system::system_error;

namespace partyline {
namespace {

void throw_if(const error_code& failed)
{
    if (failed)
        throw system_error(failed);
}

[[noreturn]] void fail(const error_code& why, const std::string& name)
{
    // A code of its own: Asio's tells users in which of its files it was made.
    throw system_error(error_code(why.value(), why.category()), "cannot listen on " + name);
}

tcp::resolver::results_type look_up(const asio::any_io_executor& executor, const tcp_address& address)
{
    tcp::resolver resolver(executor);
    return resolver.resolve(address.host, std::to_string(address.port), tcp::resolver::passive);
}

// Empty for what is no socket.
std::optional<int> number_option(int socket, int name)
{
    int found = 0;
    socklen_t size = sizeof found;
    if (::getsockopt(socket, SOL_SOCKET, name, &found, &size) != 0)
        return std::nullopt;
    return found;
}

} // namespace

listener::listener(asio::any_io_executor executor, const std::string& path, ::mode_t mode)
    : name_("unix " + path), acceptor_(std::move(executor))
{
    if (mode > 0777)
        throw std::invalid_argument("the permissions of " + name_ + " are more than those of a file");
    try {
        bind_unix(path, mode);
        acceptor_.listen();
    } catch (const system_error& e) {
        fail(e.code(), name_);
    }
}

listener::listener(asio::any_io_executor executor, const tcp_address& address, const address_check& check)
    : name_("tcp " + to_string(address)), acceptor_(std::move(executor))
{
    try {
        bind_tcp(address, check);
        const auto bound = endpoint<tcp::endpoint>();
        name_ = "tcp " + to_string(tcp_address{bound.address().to_string(), bound.port()});
    } catch (const system_error& e) {
        fail(e.code(), name_);
    }
}

listener::listener(asio::any_io_executor executor, int descriptor)
    : name_("inherited socket " + std::to_string(descriptor)), acceptor_(std::move(executor)), is_shared_(true)
{
    sockaddr_storage own{};
    socklen_t size = sizeof own;
    const bool is_socket = ::getsockname(descriptor, reinterpret_cast<sockaddr*>(&own), &size) == 0;
    const bool is_known = own.ss_family == AF_UNIX || own.ss_family == AF_INET || own.ss_family == AF_INET6;
    const bool is_stream = number_option(descriptor, SO_TYPE) == SOCK_STREAM; // SOCK_SEQPACKET listens, too
    const bool is_listening = number_option(descriptor, SO_ACCEPTCONN).value_or(0) != 0;
    if (!is_socket || !is_known || !is_stream || !is_listening)
        fail(asio::error::operation_not_supported, name_);
    protocol_ = protocol(own.ss_family, own.ss_family == AF_UNIX ? 0 : IPPROTO_TCP);
    error_code failed;
    acceptor_.assign(protocol_, descriptor, failed);
    if (!failed)
        acceptor_.non_blocking(true, failed);
    if (failed)
        fail(failed, name_);
    ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
}

void listener::open(const protocol::endpoint& at)
{
    error_code failed;
    protocol_ = at.protocol();
    open_socket(acceptor_, protocol_, failed);
    throw_if(failed);
    acceptor_.non_blocking(true);
}

void listener::bind_unix(const std::string& path, ::mode_t mode)
{
    error_code failed;
    const auto at = unix_endpoint(path, failed);
    throw_if(failed);
    open(at);
    acceptor_.bind(at, failed);
    if (failed == asio::error::address_in_use) {
        throw_if(remove_stale_socket(path, acceptor_.get_executor()));
        acceptor_.bind(at, failed);
    }
    throw_if(failed);
    file_.emplace(path, mode);
}

void listener::bind_tcp(const tcp_address& address, const address_check& check)
{
    error_code failed;
    for (const auto& found : look_up(acceptor_.get_executor(), address)) {
        if (check)
            check(found.endpoint().address());
        open(found.endpoint());
        acceptor_.set_option(asio::socket_base::reuse_address(true)); // its old connections may still be dying
        acceptor_.bind(found.endpoint(), failed);
        if (!failed)
            acceptor_.listen(asio::socket_base::max_listen_connections, failed);
        if (!failed)
            return;
        acceptor_.close();
    }
    throw_if(failed);
}

listener::connection listener::accept(const asio::any_io_executor& executor, error_code& failed)
{
    connection accepted{socket(executor), {}, number_};
    protocol::endpoint from;
    owned_descriptor descriptor = accept_now(acceptor_.native_handle(), from, failed);
    if (!failed)
        assign(accepted.stream, protocol_, std::move(descriptor), failed);
    if (!failed)
        prepare(accepted, from);
    return accepted;
}

void listener::prepare(connection& accepted, const protocol::endpoint& from) const
{
    if (is_unix()) {
        accepted.peer.local = local_credentials(accepted.stream.native_handle());
        return;
    }
    const auto client = same_address<tcp::endpoint>(from);
    accepted.peer.address = {client.address(), client.port()};
    error_code ignored; // it works without
    accepted.stream.set_option(tcp::no_delay(true), ignored);
    accepted.stream.set_option(asio::socket_base::keep_alive(true), ignored); // a peer may vanish without a word
}

bool listener::refuse_more()
{
    if (is_shared_)
        return false;
    if (is_unix()) {
        file_.reset();
        return ::shutdown(acceptor_.native_handle(), SHUT_RD) == 0;
    }
    return drop_openings(acceptor_.native_handle());
}

void listener::close()
{
    file_.reset();
    error_code ignored;
    acceptor_.close(ignored);
}

} // namespace partyline
