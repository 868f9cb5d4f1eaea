// Progress of a request that takes its time: told by the server, and shown by a client with limits on the time.
//
//   partyline-call copy 'files=["a","b","c"]' -- example-progress
//   example-progress call                   # a client, which starts itself as the server

#include <partyline/partyline.hpp>
#include <partyline/transport/child_process.hpp>

#include <boost/asio/deferred.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/describe.hpp>
#include <boost/json/serialize.hpp>

#include <chrono>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

using namespace std::chrono_literals;
using partyline::request_context;
using partyline::task;

struct step {
    std::string file;
    std::size_t done = 0;
    std::size_t of = 0;
};
BOOST_DESCRIBE_STRUCT(step, (), (file, done, of))

// What it tells is sent before its reply, in order. To a client that does not keep up it sends the newest value alone.
task<std::size_t> copy(request_context& context, std::vector<std::string> files)
{
    boost::asio::steady_timer disk(context.get_executor());
    std::size_t done = 0;
    for (const std::string& file : files) {
        disk.expires_after(1ms);
        co_await disk.async_wait(boost::asio::deferred);
        const step now{file, ++done, files.size()};
        co_await context.progress(now);
    }
    co_return done;
}

// A plain function tells it as well: there is nothing to wait for.
int think(request_context& context)
{
    context.progress("thinking");
    return 42;
}

int serve()
{
    partyline::method_table methods;
    methods.add("copy", copy, {"files"});
    methods.add("think", think);
    return partyline::run_stdio(std::move(methods));
}

task<void> call(partyline::session& server)
{
    const std::vector<std::string> files = {"a", "b", "c"};
    partyline::call_options options;
    options.on_progress([](const boost::json::value& told) { std::cout << told << '\n'; });
    options.idle_timeout(10s).timeout(60s); // nothing heard for so long; in all
    const auto copied = co_await server.call<int>("copy", partyline::named("files", files), options);
    std::cout << copied << " files\n";
}

int call_server(const std::string& command)
{
    boost::asio::io_context context;
    partyline::session server(partyline::child_process(context.get_executor(), {command}));
    server.async_run([](partyline::error_code) {});
    co_spawn(context.get_executor(), call(server), [&](std::exception_ptr failed) {
        server.close();
        if (failed)
            std::rethrow_exception(failed); // out of run()
    });
    context.run();
    return 0;
}

int main(int argc, char** argv)
{
    return argc == 1 ? serve() : call_server(argv[0]);
}
