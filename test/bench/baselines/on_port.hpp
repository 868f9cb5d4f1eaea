#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <cstdio>
#include <utility>

// A server of coroutines, as the examples of Asio and Beast have it. None of those that are made from it knows anything
// of JSON-RPC: they send back what they get.
namespace baseline {

namespace asio = boost::asio;
using tcp = asio::ip::tcp;
/// Beast's examples have it in streams without TLS, which costs some 4 %.
using executor = asio::use_awaitable_t<>::executor_with_default<asio::any_io_executor>;

template <class Serve>
asio::awaitable<void> accept_all(tcp::acceptor& on, Serve serve)
{
    for (;;) {
        tcp::socket socket = co_await on.async_accept(asio::use_awaitable);
        asio::co_spawn(on.get_executor(), serve(std::move(socket)), asio::detached);
    }
}

/// Listens on a port of loopback, tells it on standard error behind `scheme`, and runs `serve(socket)` for each client.
template <class Serve>
void listen(const char* scheme, Serve serve)
{
    asio::io_context context(1);
    tcp::acceptor on(context, tcp::endpoint(asio::ip::address_v4::loopback(), 0));
    std::fprintf(stderr, "listening on %s127.0.0.1:%d\n", scheme, int(on.local_endpoint().port()));
    asio::co_spawn(context, accept_all(on, std::move(serve)), asio::detached);
    context.run();
}

} // namespace baseline
