// What partyline is measured against over HTTP: Beast's own example of a server of coroutines, with one answer, which
// is the body of the POST again. It knows nothing of JSON-RPC.

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/version.hpp>

#include <chrono>
#include <cstdio>
#include <utility>

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using tcp = asio::ip::tcp;

namespace {

using executor = asio::use_awaitable_t<>::executor_with_default<asio::any_io_executor>;
using stream = beast::tcp_stream::rebind_executor<executor>::other;
using acceptor = tcp::acceptor::rebind_executor<executor>::other;

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

asio::awaitable<void> serve(stream with)
{
    beast::flat_buffer buffer;
    try {
        for (;;) {
            with.expires_after(std::chrono::seconds(30));
            http::request<http::string_body> request;
            co_await http::async_read(with, buffer, request);
            http::message_generator response = answer(std::move(request));
            const bool keeps_alive = response.keep_alive();
            co_await beast::async_write(with, std::move(response), asio::use_awaitable);
            if (!keeps_alive)
                break;
        }
    } catch (const boost::system::system_error& e) {
        if (e.code() != http::error::end_of_stream)
            throw;
    }
    beast::error_code ignored;
    with.socket().shutdown(tcp::socket::shutdown_send, ignored);
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
