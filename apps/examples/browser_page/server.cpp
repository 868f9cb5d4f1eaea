// A server for the page beside it: it counts, tells how far it is, and asks the page for a name.
//   browser-page-server PORT ORIGIN     such as: browser-page-server 8080 http://localhost:8000

#include <partyline/http.hpp>
#include <partyline/protocol/exception_text.hpp>

#include <boost/asio/deferred.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>

namespace {

using partyline::request_context;
using partyline::task;

task<int> count(request_context& context, int to)
{
    boost::asio::steady_timer timer(context.get_executor());
    for (int i = 1; i <= to; ++i) {
        timer.expires_after(std::chrono::milliseconds(200));
        co_await timer.async_wait(boost::asio::deferred); // ends at once when the page cancels
        co_await context.progress(i);
    }
    co_return to;
}

task<std::string> greet(request_context& context)
{
    const auto name = co_await context.call<std::string>("your_name");
    co_return "Hello, " + name + '!';
}

int run(int port, const std::string& origin)
{
    partyline::method_table methods;
    methods.add("add", [](int a, int b) { return a + b; }, {"a", "b"});
    methods.add("count", count, {"to"});
    methods.add("greet", greet);

    boost::asio::io_context context(1);
    partyline::http::server_options options;
    options.allowed_origins = {origin}; // pages of others are refused
    partyline::http::server server(context.get_executor(), options);
    server.add_websocket("/ws", std::move(methods));
    std::cerr << "listening on " << server.listen_tcp("127.0.0.1", static_cast<std::uint16_t>(port)) << std::endl;
    server.async_run([](partyline::error_code) {});
    context.run();
    return 0;
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 3) {
        std::cerr << "usage: browser-page-server PORT ORIGIN\n";
        return 2;
    }
    try {
        return run(std::atoi(argv[1]), argv[2]);
    } catch (const std::exception& e) {
        std::cerr << "browser-page-server: " << partyline::exception_text(e) << '\n';
        return 1;
    }
}
