// What partyline is measured against over WebSocket: Beast's own example of a server of coroutines, which sends each
// message back. It knows nothing of JSON-RPC.

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/version.hpp>
#include <boost/beast/websocket.hpp>

#include <cstdio>
#include <utility>

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
namespace websocket = boost::beast::websocket;
using tcp = asio::ip::tcp;

namespace {

using executor = asio::use_awaitable_t<>::executor_with_default<asio::any_io_executor>;
using stream = websocket::stream<beast::tcp_stream::rebind_executor<executor>::other>;
using acceptor = tcp::acceptor::rebind_executor<executor>::other;

asio::awaitable<void> serve(stream with)
{
    with.set_option(websocket::stream_base::timeout::suggested(beast::role_type::server));
    with.set_option(websocket::stream_base::decorator(
        [](websocket::response_type& answer) { answer.set(http::field::server, BOOST_BEAST_VERSION_STRING); }));
    try {
        co_await with.async_accept();
        for (;;) {
            beast::flat_buffer buffer;
            co_await with.async_read(buffer);
            with.text(with.got_text());
            co_await with.async_write(buffer.data());
        }
    } catch (const boost::system::system_error&) {
        // The client is gone.
    }
}

asio::awaitable<void> listen(acceptor& on)
{
    for (;;) {
        auto socket = co_await on.async_accept();
        asio::co_spawn(on.get_executor(), serve(stream(std::move(socket))), asio::detached);
    }
}

} // namespace

int main()
{
    asio::io_context context(1);
    acceptor on(context, tcp::endpoint(asio::ip::address_v4::loopback(), 0));
    std::fprintf(stderr, "listening on http://127.0.0.1:%d\n", int(on.local_endpoint().port()));
    asio::co_spawn(context, listen(on), asio::detached);
    context.run();
}
