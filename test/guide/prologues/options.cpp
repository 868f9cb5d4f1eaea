// The pieces of the guide that set options, each where it would stand. What they set is used by nobody; the program
// shows that it can be set.
#include <partyline/lsp/lsp.hpp>
#include <partyline/partyline.hpp>
#include <partyline/session/on.hpp>
#include <partyline/session/session_group.hpp>
#include <partyline/transport/memory_stream.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/describe/class.hpp>

#include <iostream>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

using namespace std::chrono_literals;
using boost::asio::as_tuple;
using boost::asio::deferred;
using boost::asio::experimental::make_parallel_group;
using boost::asio::experimental::wait_for_all;
using boost::asio::experimental::wait_for_one;
using partyline::args;
using partyline::call_result;
using partyline::error_code;
using partyline::on;

void import_file(std::string) {}
int search_text(std::string text)
{
    return int(text.size());
}
bool is_known(const std::string& symbol)
{
    return symbol == "ACME";
}
partyline::task<void> send_prices(partyline::subscription_sink sink, std::string symbol)
{
    co_await sink.send(symbol);
}
void watch() {}
void changed() {}

void set_methods(partyline::method_table& methods)
{
    // snippet: methods
    const auto room = std::make_shared<partyline::session_group>();
    // snippet: stream
    std::mutex mutex;
    std::vector<partyline::subscription_sink> readers;
    // snippet: subscription
    publish("news");
    // snippet: checked_subscription
}

void set_options(partyline::session_options& options)
{
    // snippet: bounds
    // snippet: times
    // snippet: tap
    // snippet: served
    // snippet: protocol
    // snippet: slow
}

partyline::task<void> call(partyline::session& peer)
{
    // snippet: callback
    // snippet: as_tuple
    // snippet: group
    peer.close();
}

partyline::task<void> give_up(partyline::session& peer)
{
    // snippet: give_up
}

struct message {
    int sum;
    std::string text;
};
BOOST_DESCRIBE_STRUCT(message, (), (sum, text))

void store(const std::string&) {}

namespace {

[[maybe_unused]] partyline::task<int> name_first(partyline::session& peer, boost::asio::any_io_executor pool,
                                                 std::string text, bool is_wide)
{
    // snippet: named
    co_return asked;
}

} // namespace

int main()
{
    partyline::method_table methods;
    set_methods(methods);
    methods.add("add", [](int a, int b) { return a + b; }, {"a", "b"});
    partyline::session_options options;
    set_options(options);
    options.profile = &partyline::plain_profile;

    boost::asio::io_context context;
    auto pair = partyline::memory_stream::make_pair(context.get_executor());
    partyline::session server(std::move(pair.first), std::move(methods), options);
    partyline::session client(std::move(pair.second), options);
    server.async_run([](partyline::error_code) {});
    client.async_run([](partyline::error_code) {});
    co_spawn(context.get_executor(), give_up(client), [](std::exception_ptr) {});
    co_spawn(context.get_executor(), call(client), [](std::exception_ptr) {});
    context.run();
}
