// asio-tls CERTIFICATE KEY: what sessions over TLS are measured against. It writes back what it reads, as Asio's
// examples do, and knows nothing of JSON-RPC.

#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <cstdio>
#include <utility>

namespace asio = boost::asio;
namespace ssl = boost::asio::ssl;
using tcp = asio::ip::tcp;

namespace {

using stream = ssl::stream<tcp::socket>;

asio::awaitable<void> serve(stream with)
{
    char data[8192];
    try {
        co_await with.async_handshake(ssl::stream_base::server, asio::use_awaitable);
        for (;;) {
            const std::size_t count = co_await with.async_read_some(asio::buffer(data), asio::use_awaitable);
            co_await asio::async_write(with, asio::buffer(data, count), asio::use_awaitable);
        }
    } catch (const boost::system::system_error&) {
        // The client is gone.
    }
}

asio::awaitable<void> listen(tcp::acceptor& on, ssl::context& shown)
{
    for (;;) {
        tcp::socket socket = co_await on.async_accept(asio::use_awaitable);
        socket.set_option(tcp::no_delay(true)); // or an answer behind session tickets waits for their ACK: 40 ms
        asio::co_spawn(on.get_executor(), serve(stream(std::move(socket), shown)), asio::detached);
    }
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 3)
        return 2;
    ssl::context shown(ssl::context::tls_server);
    shown.use_certificate_chain_file(argv[1]);
    shown.use_private_key_file(argv[2], ssl::context::pem);
    asio::io_context context(1);
    tcp::acceptor on(context, tcp::endpoint(asio::ip::address_v4::loopback(), 0));
    std::fprintf(stderr, "listening on 127.0.0.1:%d\n", int(on.local_endpoint().port()));
    asio::co_spawn(context, listen(on, shown), asio::detached);
    context.run();
}
