// A handler that calls its client: a session is symmetric, so each side has methods and calls the other's.
//
//   example-asking_back                     # and answer its calls by hand, such as
//                                           # {"jsonrpc":"2.0","id":1,"result":"Ada"}
//   {"jsonrpc":"2.0","id":"1","method":"greet"}

#include <partyline/partyline.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/deferred.hpp>

#include <chrono>
#include <string>

using partyline::args;
using partyline::request_context;
using partyline::task;

// Awaits the answer as if it were a function's. An error that the client answers is thrown as an rpc_error; one that is
// let through is what the handler's own request is answered with.
task<std::string> greet(request_context& context)
{
    const auto name = co_await context.call<std::string>("name");
    co_return "Hello, " + name;
}

// Takes what it gets: an error of the client's, or no answer in time. The client is told of the second: it may stop.
task<std::string> pick_colour(request_context& context, int patience_ms)
{
    const auto options = partyline::call_options().timeout(std::chrono::milliseconds(patience_ms));
    const auto how = boost::asio::as_tuple(boost::asio::deferred);
    const auto [failed, colour] = co_await context.call<std::string>("colour", options)(how);
    if (failed)
        co_return "grey, for " + failed.message();
    if (colour.error())
        co_return "black, for " + colour.error()->message;
    co_return *colour;
}

// Asks several things in one message, and waits for all answers.
task<std::string> introduce(request_context& context)
{
    partyline::call_batch both;
    both.notify("log", args("asking"));
    both.call("name");
    both.call("age");
    const auto answers = co_await context.batch(std::move(both));
    co_return std::string(answers.at(0).value().text()) + ", " + std::string(answers.at(1).value().text());
}

int main()
{
    partyline::method_table methods;
    methods.add("greet", greet);
    methods.add("pick_colour", pick_colour, {"patience_ms"});
    methods.add("introduce", introduce);
    return partyline::run_stdio(std::move(methods));
}
