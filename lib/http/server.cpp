#include <partyline/http/server.hpp>

#include "http/serve/page_endpoint.hpp"
#include "http/serve/rpc_endpoint.hpp"
#include "http/serve/service_shards.hpp"
#include "http/serve/websocket_endpoint.hpp"
#include "http/sessions/mcp_endpoint.hpp"
#include "server/accept_loop.hpp"
#include "transport/socket/inherited_sockets.hpp"
#include "transport/socket/listener.hpp"

#include <partyline/session/detail/serial_executor.hpp>

#include <cstdlib>
#include <stdexcept>
#include <utility>
#include <vector>

#include <unistd.h>

namespace asio = boost::asio;

namespace partyline::http {
namespace {

// A server that was moved from has none; one that stands for a thread has no accept loop.
template <class T>
T& not_moved(const std::shared_ptr<T>& part)
{
    if (!part)
        throw std::logic_error("this server was moved from, or stands for one thread of another, and only adds");
    return *part;
}

// What counts the conversations of one thread, on cache lines of its own: the methods are in use by all.
struct alignas(128) methods_of_thread {
    std::shared_ptr<const dispatcher> all;
};

served_methods copy_for_thread(const served_methods& methods)
{
    const std::shared_ptr<const dispatcher>& shared = methods.shared();
    if (!shared)
        return methods;
    const auto its = std::make_shared<const methods_of_thread>(methods_of_thread{shared});
    return std::shared_ptr<const dispatcher>(its, shared.get());
}

// Of each thread. The number is the same on all.
std::size_t add_listener(service_shards& to, const accepted_protocols& accepted)
{
    std::size_t number = 0;
    to.each([&](const auto& core) { number = core->add_listener(accepted); });
    return number;
}

// Without the zone of a link-local address, which only this machine knows.
void allow_host(service_shards& of, asio::ip::address bound)
{
    if (bound.is_unspecified())
        return;
    if (bound.is_v6())
        bound = asio::ip::address_v6(bound.to_v6().to_bytes());
    of.each([&](const auto& core) { core->allow_host(bound.to_string()); });
}

// With certificates for clients alone there might be no tokens; but what is said and answered is in the clear, too.
void check_exposure(const server_options& options, const accepted_protocols& accepted, const asio::ip::address& at)
{
    if (options.may_listen == exposure::anywhere || at.is_loopback())
        return;
    const std::string address = at.to_string() + " is no loopback address, and ";
    if (!options.access)
        throw std::invalid_argument(address +
                                    "whoever connects may call: --access (server_options::access), or "
                                    "--allow-any-address (may_listen) where something in front authenticates");
    if (accepted.tls != encryption::required)
        throw std::invalid_argument(address + "tokens would travel in the clear: --tls-only, or --allow-any-address "
                                              "where something in front encrypts");
}

} // namespace

server::server(asio::any_io_executor executor, server_options options)
{
    const asio::any_io_executor serial = partyline::detail::serial_executor(std::move(executor), options.session);
    const accept_loop::bounds most{options.max_connections, options.max_connections_per_address};
    auto log = options.session.log;
    auto threads = std::make_unique<server_threads>(serial, options.threads);
    shards_ = std::make_shared<service_shards>(*threads, serial, options);
    std::shared_ptr<connection_service> service = shards_;
    if (shards_->size() == 1)
        service = shards_->front();
    loop_ = std::make_shared<accept_loop>(std::move(threads), serial, most, std::move(service), std::move(log));
}

server::server(std::shared_ptr<service_shards> part) noexcept : shards_(std::move(part)) {}

server& server::operator=(server&& other) noexcept
{
    server old(std::move(*this)); // stops it
    shards_ = std::move(other.shards_);
    loop_ = std::move(other.loop_);
    return *this;
}

server::~server()
{
    if (loop_)
        loop_->end(accept_loop::ending::at_once);
}

void server::add_rpc(std::string path, const served_methods& methods)
{
    not_moved(shards_).each(
        [&](const auto& core) { core->add(path, std::make_shared<rpc_endpoint>(core, copy_for_thread(methods))); });
}

void server::add_websocket(std::string path, const served_methods& methods, websocket_kind kind)
{
    not_moved(shards_).each([&](const auto& core) {
        core->add(path, std::make_shared<websocket_endpoint>(core, copy_for_thread(methods), kind));
    });
}

void server::add_mcp(std::string path, const served_methods& methods,
                     std::function<mirrored_arguments(std::string_view tool)> mirrored)
{
    not_moved(shards_).each([&](const auto& core) {
        const served_methods its = copy_for_thread(methods);
        core->add(path, std::make_shared<mcp_endpoint>(core, forwarding_makers{its, its, mirrored},
                                                       mcp_endpoint::answers::own));
    });
}

void server::add_mcp(std::string path, forwarding_makers make)
{
    not_moved(shards_).each([&](const auto& core) {
        core->add(path, std::make_shared<mcp_endpoint>(core, make, mcp_endpoint::answers::forwarded));
    });
}

void server::add_sessions(const served_methods& methods)
{
    not_moved(shards_).each([&](const auto& core) { core->serve_sessions_by(copy_for_thread(methods)); });
}

void server::add_page(std::string path, std::string type, std::function<std::string()> make)
{
    if (!make)
        throw std::invalid_argument("a page needs something to make it, and got an empty function");
    not_moved(shards_).each([&](const auto& core) { core->add(path, std::make_shared<page_endpoint>(type, make)); });
}

void server::add_by_thread(const std::function<void(server& of_thread, const asio::any_io_executor& executor)>& add)
{
    if (!add)
        throw std::invalid_argument("the threads of a server need something to serve, and got an empty function");
    not_moved(shards_).each([&](const auto& core) {
        server of_thread(std::make_shared<service_shards>(core));
        add(of_thread, core->executor());
    });
}

std::size_t server::threads() const
{
    return not_moved(shards_).size();
}

asio::ip::tcp::endpoint server::listen_tcp(const std::string& host, std::uint16_t port, accepted_protocols accepted)
{
    accept_loop& loop = not_moved(loop_);
    const std::size_t number = add_listener(*shards_, accepted);
    const auto check = [&](const asio::ip::address& at) { check_exposure(shards_->front()->options(), accepted, at); };
    auto one = std::make_unique<listener>(loop.get_executor(), tcp_address{host, port}, check);
    const auto bound = one->endpoint<asio::ip::tcp::endpoint>();
    allow_host(*shards_, bound.address());
    one->set_number(number);
    loop.add(std::move(one));
    return bound;
}

asio::local::stream_protocol::endpoint server::listen_unix(const std::string& path, accepted_protocols accepted,
                                                           ::mode_t mode)
{
    accept_loop& loop = not_moved(loop_);
    const std::size_t number = add_listener(*shards_, accepted);
    auto one = std::make_unique<listener>(loop.get_executor(), path, mode);
    const auto bound = one->endpoint<asio::local::stream_protocol::endpoint>();
    one->set_number(number);
    loop.add(std::move(one));
    return bound;
}

std::size_t server::listen_inherited(accepted_protocols accepted)
{
    accept_loop& loop = not_moved(loop_);
    const std::size_t number = add_listener(*shards_, accepted);
    const std::vector<int> all = inherited_sockets(::getpid(), std::getenv("LISTEN_PID"), std::getenv("LISTEN_FDS"));
    for (const int descriptor : all) {
        auto one = std::make_unique<listener>(loop.get_executor(), descriptor);
        if (!one->is_unix()) {
            const asio::ip::address bound = one->endpoint<asio::ip::tcp::endpoint>().address();
            check_exposure(shards_->front()->options(), accepted, bound);
            allow_host(*shards_, bound);
        }
        one->set_number(number);
        loop.add(std::move(one));
    }
    return all.size();
}

void server::start(std::shared_ptr<accept_loop> loop, asio::any_completion_handler<void(error_code)> done)
{
    not_moved(loop).start(std::move(done));
}

void server::close()
{
    not_moved(loop_).end_after(shards_->front()->options().times.lame_duck);
}

void server::stop()
{
    not_moved(loop_).end(accept_loop::ending::at_once);
}

std::size_t server::connections() const
{
    return not_moved(loop_).connections();
}

std::size_t server::sessions() const
{
    return not_moved(shards_).sessions();
}

} // namespace partyline::http
