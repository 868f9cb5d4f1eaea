// beast-https CERTIFICATE KEY: what partyline is measured against by HTTP over TLS: Beast's own example of such a
// server, by coroutines, with one answer, which is the body of the POST again. It knows nothing of JSON-RPC.

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>
#include <boost/beast/version.hpp>

#include <chrono>
#include <cstdio>
#include <utility>

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
namespace ssl = boost::asio::ssl;
using tcp = asio::ip::tcp;

namespace {

using stream = beast::ssl_stream<beast::tcp_stream>;

http::message_generator answer(http::request<http::string_body>&& request)
{
    http::response<http::string_body> response(http::status::ok, request.version());
    response.set(http::field::server, BOOST_BEAST_VERSION_STRING);
    response.set(http::field::content_type, "application/json");
    response.keep_alive(request.keep_alive());
    response.body() = std::move(request.body());
    response.prepare_payload();
    return response;
}

void expire(stream& with)
{
    beast::get_lowest_layer(with).expires_after(std::chrono::seconds(30));
}

asio::awaitable<void> serve(stream with)
{
    beast::flat_buffer buffer;
    try {
        expire(with);
        co_await with.async_handshake(ssl::stream_base::server, asio::use_awaitable);
        for (bool keeps_alive = true; keeps_alive;) {
            expire(with);
            http::request<http::string_body> request;
            co_await http::async_read(with, buffer, request, asio::use_awaitable);
            http::message_generator response = answer(std::move(request));
            keeps_alive = response.keep_alive();
            co_await beast::async_write(with, std::move(response), asio::use_awaitable);
        }
        expire(with);
        co_await with.async_shutdown(asio::use_awaitable);
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
    std::fprintf(stderr, "listening on https://127.0.0.1:%d\n", int(on.local_endpoint().port()));
    asio::co_spawn(context, listen(on, shown), asio::detached);
    context.run();
}
