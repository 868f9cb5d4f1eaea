#include <partyline/server.hpp>

#include "server/accept_loop.hpp"
#include "server/session_service.hpp"

#include <boost/asio/strand.hpp>

#include <stdexcept>

namespace asio = boost::asio;

namespace partyline {
namespace {

// A server that was moved from has none.
accept_loop& not_moved(const std::shared_ptr<accept_loop>& loop)
{
    if (!loop)
        throw std::logic_error("this server was moved from");
    return *loop;
}

void check_exposure(exposure may_listen, const asio::ip::address& at)
{
    if (may_listen == exposure::anywhere || at.is_loopback())
        return;
    throw std::invalid_argument(at.to_string() +
                                " is no loopback address, and what is sent there would travel in the clear: "
                                "--allow-any-address (server_options::may_listen) where something in front encrypts "
                                "and authenticates");
}

template <class Endpoint>
Endpoint listen(accept_loop& loop, std::unique_ptr<listener> one)
{
    const auto bound = one->endpoint<Endpoint>();
    loop.add(std::move(one));
    return bound;
}

} // namespace

server::server(asio::any_io_executor executor, served_methods methods, server_options options)
    : may_listen_(options.may_listen)
{
    const asio::any_io_executor strand = asio::make_strand(executor);
    const accept_loop::bounds most{options.max_connections, options.max_connections_per_address};
    auto log = options.session.log;
    auto threads = std::make_unique<server_threads>(std::move(executor), options.threads);
    auto sessions = std::make_shared<session_service>(strand, std::move(methods), std::move(options));
    loop_ = std::make_shared<accept_loop>(std::move(threads), strand, most, std::move(sessions), std::move(log));
}

server& server::operator=(server&& other) noexcept
{
    server old(std::move(*this)); // stops it
    loop_ = std::move(other.loop_);
    may_listen_ = other.may_listen_;
    return *this;
}

server::~server()
{
    if (loop_)
        loop_->end(accept_loop::ending::at_once);
}

asio::local::stream_protocol::endpoint server::listen_unix(const std::string& path, ::mode_t mode)
{
    accept_loop& loop = not_moved(loop_);
    auto one = std::make_unique<listener>(loop.get_executor(), path, mode);
    return listen<asio::local::stream_protocol::endpoint>(loop, std::move(one));
}

asio::ip::tcp::endpoint server::listen_tcp(const std::string& host, std::uint16_t port)
{
    accept_loop& loop = not_moved(loop_);
    const auto check = [this](const asio::ip::address& at) { check_exposure(may_listen_, at); };
    auto one = std::make_unique<listener>(loop.get_executor(), tcp_address{host, port}, check);
    return listen<asio::ip::tcp::endpoint>(loop, std::move(one));
}

void server::start(std::shared_ptr<accept_loop> loop, asio::any_completion_handler<void(error_code)> done)
{
    not_moved(loop).start(std::move(done));
}

void server::close()
{
    not_moved(loop_).end(accept_loop::ending::in_order);
}

void server::stop()
{
    not_moved(loop_).end(accept_loop::ending::at_once);
}

std::size_t server::connections() const
{
    return not_moved(loop_).connections();
}

} // namespace partyline
