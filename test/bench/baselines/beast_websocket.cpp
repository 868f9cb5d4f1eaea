// What partyline is measured against over WebSocket: Beast's own example of a server of coroutines, which sends each
// message back.

#include "on_port.hpp"

#include <boost/beast/core.hpp>
#include <boost/beast/version.hpp>
#include <boost/beast/websocket.hpp>

namespace {

using namespace baseline;
namespace beast = boost::beast;
namespace websocket = boost::beast::websocket;
using stream = websocket::stream<beast::tcp_stream::rebind_executor<executor>::other>;

asio::awaitable<void> serve(stream with)
{
    with.set_option(websocket::stream_base::timeout::suggested(beast::role_type::server));
    with.set_option(websocket::stream_base::decorator(
        [](websocket::response_type& answer) { answer.set(beast::http::field::server, BOOST_BEAST_VERSION_STRING); }));
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

} // namespace

int main()
{
    listen("http://", [](tcp::socket socket) { return serve(stream(std::move(socket))); });
}
