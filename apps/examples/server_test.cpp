// How a server's handlers are tested: by a client in memory, and as the functions that they are. Any test framework
// will do; what goes wrong is an exception that says what, and what does not come is one, too, after 5 s.
//
//   example-server_test && echo passed

#include <partyline/partyline.hpp>
#include <partyline/testing.hpp>

#include <boost/asio/deferred.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <string>

#define CHECK(condition) ((condition) ? void() : fail(#condition, __LINE__)) // in place of a framework's

using partyline::request_context;
using partyline::task;

[[noreturn]] void fail(const char* condition, int line)
{
    std::cerr << "line " << line << ": " << condition << " is not so\n";
    std::exit(1);
}

// What is tested. A server has its methods in a function, so that its main and its test use the same.

task<std::string> knock(request_context& context, std::string who)
{
    co_await context.notify("heard", partyline::args("knock, knock"));
    const bool may = co_await context.call<bool>("may_enter", partyline::named("who", who));
    co_return may ? "Come in, " + who : "Go away";
}

task<int> wait_for(request_context& context, int ms)
{
    co_await context.progress("waiting");
    boost::asio::steady_timer timer(context.get_executor(), std::chrono::milliseconds(ms));
    co_await timer.async_wait(boost::asio::deferred);
    co_return ms;
}

partyline::method_table make_methods()
{
    partyline::method_table methods;
    methods.add("knock", knock, {"who"});
    methods.add("wait_for", wait_for, {"ms"});
    return methods;
}

// The tests.

void params_are_checked()
{
    partyline::test::client client(make_methods());
    CHECK(client.error_of("wait_for", partyline::args("long")).code == partyline::error_codes::invalid_params);
    CHECK(client.call<int>("wait_for", partyline::named("ms", 0)) == 0);
}

void the_client_is_asked()
{
    partyline::test::client_options options;
    options.methods.add("may_enter", [](const std::string& who) { return who == "Ada"; }, {"who"});
    partyline::test::client client(make_methods(), std::move(options));
    CHECK(client.call<std::string>("knock", partyline::args("Ada")) == "Come in, Ada");
    CHECK(client.call<std::string>("knock", partyline::args("a salesman")) == "Go away");
    CHECK(client.notifications().size() == 2 && client.notifications().at(0).method == "heard");
}

void calls_overlap_and_are_cancelled()
{
    partyline::test::client client(make_methods());
    auto slow = client.start<int>("wait_for", partyline::args(3600000));
    CHECK(client.call<int>("wait_for", partyline::args(1)) == 1);
    CHECK(!slow.is_done() && slow.progress().at(0) == "waiting");
    slow.cancel();
    CHECK(slow.error().code == partyline::error_codes::request_cancelled);
    CHECK(!client.end()); // in order: with success, and with nothing left
}

void a_handler_is_a_function()
{
    partyline::test::fake_context context;
    context.on_call("may_enter", [](const boost::json::value&) { return true; });
    CHECK(context.run(knock(context, "Ada")) == "Come in, Ada");
    CHECK(context.calls().at(0).params.at("who") == "Ada");
}

int main()
{
    params_are_checked();
    the_client_is_asked();
    calls_overlap_and_are_cancelled();
    a_handler_is_a_function();
}
