// The pieces of the guide about the network. The program connects by TLS, with the port of a server that has
// server.pem.
#include <partyline/http/event_store.hpp>
#include <partyline/http/server.hpp>
#include <partyline/http/server_options.hpp>
#include <partyline/partyline.hpp>
#include <partyline/tls.hpp>
#include <partyline/transport/stdio_stream.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

using boost::asio::awaitable;
using partyline::http::event_stream_key;
using partyline::http::stored_event;
using partyline::http::stored_events;

struct event_table {
    awaitable<void> insert(const event_stream_key&, std::uint64_t, const std::string&) { co_return; }
    awaitable<void> insert_end(const event_stream_key&, std::uint64_t) { co_return; }
    awaitable<std::vector<stored_event>> select(const event_stream_key&, std::uint64_t, std::size_t)
    {
        co_return std::vector<stored_event>();
    }
    awaitable<std::uint64_t> select_end(const event_stream_key&) { co_return 0; }
    awaitable<void> erase(const std::string&) { co_return; }
};

// snippet: store

partyline::http::server_options read_fields(partyline::method_table& methods)
{
    // snippet: fields
    return options;
}

void serve_both(const std::shared_ptr<const partyline::method_table>& methods, std::uint16_t port)
{
    boost::asio::io_context context(1);
    const boost::asio::any_io_executor executor = context.get_executor();
    // snippet: both
}

partyline::task<void> talk(boost::asio::any_io_executor executor, std::uint16_t port)
{
    // snippet: tls
    peer.async_run([](partyline::error_code) {});
    std::cout << co_await peer.call<int>("add", partyline::args(2, 40)) << '\n';
    peer.close();
}

int main(int, char** argv)
{
    partyline::method_table methods;
    read_fields(methods);
    boost::asio::io_context context(1);
    co_spawn(context.get_executor(), talk(context.get_executor(), std::uint16_t(std::atoi(argv[1]))),
             [](std::exception_ptr failed) {
                 if (failed)
                     std::rethrow_exception(failed);
             });
    context.run();
}
