// asio-tls CERTIFICATE KEY: what sessions over TLS are measured against. It writes back what it reads, as Asio's
// examples do.

#include "over_tls.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>

namespace {

using namespace baseline;
using stream = ssl::stream<tcp::socket>;

asio::awaitable<void> serve(stream with)
{
    char data[8192];
    try {
        co_await with.async_handshake(stream::server, asio::use_awaitable);
        for (;;) {
            const std::size_t count = co_await with.async_read_some(asio::buffer(data), asio::use_awaitable);
            co_await asio::async_write(with, asio::buffer(data, count), asio::use_awaitable);
        }
    } catch (const boost::system::system_error&) {
        // The client is gone.
    }
}

} // namespace

int main(int argc, char** argv)
{
    return listen_over_tls<stream>("", argc, argv, serve);
}
