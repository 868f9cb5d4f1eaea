// Who has asked a server for what.

#include "compared_clients.hpp"
#include "gateway/named_requests.hpp"
#include "gateway/resource_watchers.hpp"

#include <partyline/session/task.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace asio = boost::asio;
using gateway::attached_client;
using gateway::named_requests;
using gateway::resource_watchers;
using partyline::async_mutex;
using partyline::test::compared_client;

BOOST_AUTO_TEST_SUITE(gateway_request_tables)

BOOST_AUTO_TEST_CASE(one_that_is_not_sent_leaves_its_id_to_nobody)
{
    asio::io_context context(1);
    async_mutex alone(context.get_executor());
    named_requests table;
    std::string order;
    const auto expect = [&](const attached_client& by, std::uint64_t number) -> partyline::task<> {
        async_mutex::lock own = co_await alone.async_lock();
        table.expect({&by, number, std::to_string(number)}, std::move(own));
        order += std::to_string(number) + ' ';
    };
    asio::cancellation_signal cancel;
    co_spawn(context.get_executor(), expect(compared_client(0), 1), asio::detached);
    co_spawn(context.get_executor(), expect(compared_client(1), 2), asio::detached);
    co_spawn(context.get_executor(), expect(compared_client(1), 3),
             asio::bind_cancellation_slot(cancel.slot(),
                                          [&](std::exception_ptr thrown) { BOOST_TEST(static_cast<bool>(thrown)); }));
    co_spawn(context.get_executor(), expect(compared_client(2), 4), asio::detached);
    context.poll();
    BOOST_TEST(order == "1 ");
    cancel.emit(asio::cancellation_type::terminal);
    context.poll();
    table.forget(compared_client(0), 1); // it could not be sent
    context.poll();
    BOOST_TEST(order == "1 2 ");
    table.note_sent("7");
    context.poll();
    BOOST_TEST(order == "1 2 4 ");
    table.note_sent("8");
    table.note_sent("9"); // of nobody
    BOOST_TEST_REQUIRE(table.find("7"));
    BOOST_TEST(table.find("7")->client_id == "2");
    BOOST_TEST_REQUIRE(table.find("8"));
    BOOST_TEST(table.find("8")->number == 4u);
    BOOST_TEST(!table.find("9"));
    table.forget(compared_client(1), 2);
    BOOST_TEST(!table.find("7"));
}

// As when a request is cancelled in the same turn in which the one before it has gone out.
BOOST_AUTO_TEST_CASE(whose_turn_has_come_and_who_goes_passes_it_on)
{
    asio::io_context context(1);
    async_mutex alone(context.get_executor());
    int held = 0;
    const auto hold = [&]() -> partyline::task<> {
        const async_mutex::lock own = co_await alone.async_lock();
        co_await asio::post(context, asio::deferred); // one that has been cancelled throws here
        ++held;
    };
    std::optional<async_mutex::lock> first;
    const auto take_first = [&]() -> partyline::task<> { first.emplace(co_await alone.async_lock()); };
    asio::cancellation_signal cancel;
    co_spawn(context.get_executor(), take_first(), asio::detached);
    co_spawn(context.get_executor(), hold(), asio::bind_cancellation_slot(cancel.slot(), [](std::exception_ptr) {}));
    co_spawn(context.get_executor(), hold(), asio::detached);
    context.poll();
    BOOST_TEST(first.has_value());
    first.reset();
    cancel.emit(asio::cancellation_type::terminal);
    context.poll();
    BOOST_TEST(held == 1);
}

BOOST_AUTO_TEST_CASE(a_resource_is_watched_until_its_last_watcher_goes)
{
    resource_watchers table;
    table.add(compared_client(0), "a", {});
    table.add(compared_client(1), "a", {});
    table.add(compared_client(1), "b", {});
    table.add(compared_client(1), "b", {});
    BOOST_TEST(table.is_watched("a", compared_client(0)));
    BOOST_TEST(!table.is_watched("b", compared_client(0)));
    BOOST_TEST(!table.remove(compared_client(0), "a"));
    BOOST_TEST(!table.remove(compared_client(0), "b")); // which another one watches
    BOOST_TEST(table.remove(compared_client(0), "nothing"));
    BOOST_TEST(table.remove_all(compared_client(1)) == (std::vector<std::string>{"a", "b"}),
               boost::test_tools::per_element());
    BOOST_TEST(table.all().empty());
}

BOOST_AUTO_TEST_CASE(what_one_client_watches_is_bounded)
{
    resource_watchers table;
    for (std::size_t i = 0; i < resource_watchers::most_of_one; ++i) {
        BOOST_TEST(table.has_room(compared_client(0)));
        table.add(compared_client(0), std::to_string(i), {});
    }
    BOOST_TEST(!table.has_room(compared_client(0)));
    BOOST_TEST(table.has_room(compared_client(1)));
}

BOOST_AUTO_TEST_SUITE_END()
