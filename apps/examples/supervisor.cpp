// A server that is started again when it has died. What it must know first each one is told; a call that was under way
// when one died fails, and is made again only where the caller knows that it may be.
//
//   example-supervisor                      # starts itself as the server

#include <partyline/supervisor.hpp>

#include <partyline/partyline.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <chrono>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>

using partyline::args;

int serve()
{
    std::string user = "nobody";
    int visits = 0;
    partyline::method_table methods;
    methods.add("set_user", [&](std::string name) { user = std::move(name); }, {"name"});
    methods.add("visit", [&] { return user + ", visit " + std::to_string(++visits); });
    methods.add("crash", [] { std::_Exit(3); });
    return partyline::run_stdio(std::move(methods));
}

// With each new server, before any call reaches it.
boost::asio::awaitable<void> greet(partyline::caller& server)
{
    co_await server.call<void>("set_user", args("Ada"));
}

partyline::task<void> use(partyline::supervisor& server)
{
    std::cout << co_await server.call<std::string>("visit") << '\n';
    std::cout << co_await server.call<std::string>("visit") << '\n';

    const auto how = boost::asio::as_tuple(boost::asio::deferred);
    const auto [failed, reply] = co_await server.call("crash")(how);
    std::cout << failed.message() << '\n';

    std::cout << co_await server.call<std::string>("visit") << '\n'; // waits for the next server
}

partyline::supervisor_options options()
{
    partyline::supervisor_options all;
    all.on_start = greet;
    all.restart.first_delay = std::chrono::milliseconds(20); // and twice as long after each further end
    all.restart.max_starts = 5;                              // in a minute; then it gives up
    all.on_change = [](const partyline::supervisor_status& now) {
        if (now.state == partyline::supervisor_state::running)
            std::cout << "server " << now.starts << " is ready\n";
    };
    return all;
}

int supervise(const std::string& command)
{
    boost::asio::io_context context;
    partyline::supervisor server(context.get_executor(), {command, "serve"}, options());
    server.async_run([](partyline::error_code ended) { std::cout << "ended: " << ended.message() << '\n'; });
    co_spawn(context.get_executor(), use(server), [&](std::exception_ptr failed) {
        server.close(); // in order: the last server's input ends, and it is reaped
        if (failed)
            std::rethrow_exception(failed);
    });
    context.run();
    return 0;
}

int main(int argc, char** argv)
{
    return argc == 1 ? supervise(argv[0]) : serve();
}
