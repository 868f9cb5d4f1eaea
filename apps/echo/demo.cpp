#include "demo.hpp"

#include <partyline/session.hpp>
#include <partyline/session/task.hpp>
#include <partyline/transport/memory_stream.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/asio/io_context.hpp>

#include <exception>
#include <iostream>
#include <optional>
#include <string_view>
#include <utility>

namespace asio = boost::asio;
namespace json = boost::json;
using partyline::call_params;
using partyline::error_code;
using partyline::message_event;
using partyline::response;
using partyline::task;

namespace echo {
namespace {

void title(std::string_view text)
{
    std::cout << "# " << text << std::endl;
}

// What the program sees of the messages that are shown.
void note(std::string_view text)
{
    std::cout << "   " << text << std::endl;
}

task<void> concurrent_calls(partyline::session& client)
{
    title("concurrent calls return as they are ready");
    const call_params slow = {{"ms", 120}, {"value", "slow"}};
    const call_params quicker = {{"ms", 60}, {"value", "quicker"}};
    const call_params fast = {"fast"};
    auto all = asio::experimental::make_parallel_group(client.call("delay", slow)(asio::deferred),
                                                       client.call("delay", quicker)(asio::deferred),
                                                       client.call("echo", fast)(asio::deferred));
    co_await all.async_wait(asio::experimental::wait_for_all(), asio::deferred);
}

task<void> typed_call(partyline::session& client)
{
    title("a result as the type that is wanted, or the error that the server answered");
    const call_params numbers = {20, 22};
    const int sum = co_await client.call<int>("add", numbers);
    note("the sum is " + std::to_string(sum));
    const call_params words = {"one", 2};
    const auto refused = co_await client.call<int>("add", words)(asio::deferred);
    note("error " + std::to_string(refused.error()->code) + ": " + refused.error()->message);
}

task<void> progress(partyline::session& client)
{
    title("progress, then the result");
    const call_params params = {3, 20};
    partyline::call_options options;
    options.on_progress([](const json::value& value) { note(std::to_string(value.as_int64()) + " so far"); });
    co_await client.call("count", params, options);
}

task<void> cancellation(partyline::session& client)
{
    title("a cancelled call");
    const call_params long_wait = {{"ms", 60000}};
    asio::cancellation_signal cancel;
    auto done = [](error_code failed, const response&) { note("the call ended: " + failed.message()); };
    client.call("delay", long_wait)(asio::bind_cancellation_slot(cancel.slot(), std::move(done)));
    co_await client.call("echo"); // by its reply the other one has gone out
    cancel.emit(asio::cancellation_type::terminal);
    // The call has ended; what the server replies to it is late, and nobody is told.
    const call_params short_wait = {20};
    co_await client.call("delay", short_wait);
}

task<void> batch(partyline::session& client)
{
    title("a batch");
    partyline::call_batch calls;
    calls.call("sum", {1, 2, 4}).call("delay", {20}).call("no_such_method");
    const auto replies = co_await client.batch(std::move(calls));
    for (const response& reply : replies)
        note(reply ? reply->text() : reply.error()->message);
}

task<void> run_demo(partyline::session& client)
{
    co_await concurrent_calls(client);
    co_await typed_call(client);
    co_await progress(client);
    co_await cancellation(client);
    co_await batch(client);
    client.close();
}

std::optional<partyline::error_object> show(const message_event& event)
{
    if (!event.is_element) // its batch has been shown as a whole
        std::cout << (event.direction == partyline::message_direction::out ? "-> " : "<- ") << event.text << std::endl;
    return std::nullopt;
}

} // namespace

int run_demo(partyline::method_table methods, partyline::stdio_options options)
{
    asio::io_context context(1);
    auto [ours, theirs] = partyline::memory_stream::make_pair(context.get_executor());
    partyline::session server(std::move(theirs), std::move(methods), std::move(options.session));
    partyline::session_options client_options;
    client_options.on_message = show;
    partyline::session client(std::move(ours), std::move(client_options));

    std::exception_ptr failed;
    error_code ended;
    co_spawn(context.get_executor(), run_demo(client), [&](std::exception_ptr e) { failed = e; });
    server.async_run([&](error_code e) { ended = e; });
    client.async_run([](error_code) {});
    context.run();
    if (options.on_session_end)
        options.on_session_end(server.counters());
    if (failed)
        std::rethrow_exception(failed);
    return ended ? 1 : 0;
}

} // namespace echo
