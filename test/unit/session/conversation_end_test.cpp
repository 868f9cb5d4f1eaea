#include "support/dialogue.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>

#include <future>
#include <thread>

namespace asio = boost::asio;
namespace json = boost::json;
using namespace partyline::test;
using partyline::errc;
using partyline::method_options;
using partyline::request_context;

namespace {

struct fixture : dialogue {
    gate held{context};

    fixture()
    {
        methods.add("echo", [](json::value v) { return v; });
        methods.add("wait", [this](request_context&) -> asio::awaitable<int> {
            co_await held.wait();
            co_return 1;
        });
        // Ignores its cancellation until the gate opens.
        methods.add("stubborn", [this](request_context&) -> asio::awaitable<int> {
            co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
            co_await held.wait();
            co_return 1;
        });
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(conversation_end, fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(at_the_end_of_input_what_is_in_flight_is_finished)
{
    send(request("1", "wait"));
    send(request("2", "wait"));
    end_input();
    expect_silence();
    BOOST_TEST(!has_ended());
    held.open();
    expect_in_any_order({result("1", "1"), result("2", "1")});
    BOOST_TEST(!wait_end());
    BOOST_TEST(is_closed());
}

BOOST_AUTO_TEST_CASE(without_anything_in_flight_it_ends_at_once)
{
    end_input();
    BOOST_TEST(!wait_end());
}

BOOST_AUTO_TEST_CASE(handlers_learn_that_input_has_ended)
{
    gate start(context);
    methods.add("stopping", [&](request_context& request) -> asio::awaitable<std::vector<bool>> {
        std::vector<bool> seen{request.stopping()};
        co_await start.wait();
        seen.push_back(request.stopping());
        co_return seen;
    });
    send(request("1", "stopping"));
    end_input();
    settle();
    start.open();
    expect(result("1", "[false,true]"));
}

BOOST_AUTO_TEST_CASE(what_outlives_the_drain_timeout_is_cancelled_and_counted)
{
    options.drain_timeout = std::chrono::milliseconds(1);
    methods.add(
        "one", [this]() -> asio::awaitable<void> { co_await held.wait(); }, method_options{.max_concurrent = 1});
    send(request("1", "wait"));
    send(request("2", "one"));
    send(request("3", "one"));
    end_input();
    const auto reason = "input has ended and the drain timeout is over";
    expect_in_any_order({cancelled("1", reason), cancelled("2", reason), cancelled("3", reason)});
    BOOST_TEST(wait_end() == make_error_code(errc::drain_timeout));
    BOOST_REQUIRE(logged.size() == 1u);
    BOOST_TEST(logged[0].find("cancelled 3 unfinished requests") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(open_ended_methods_end_with_the_input)
{
    methods.add(
        "watch", [this]() -> asio::awaitable<void> { co_await held.wait(); }, method_options{.open_ended = true});
    send(request("1", "watch"));
    end_input();
    expect(cancelled("1", "input has ended"));
    BOOST_TEST(!wait_end());
}

BOOST_AUTO_TEST_CASE(open_ended_methods_that_start_after_the_end_of_input_end_at_once)
{
    methods.add(
        "watch", [this]() -> asio::awaitable<void> { co_await held.wait(); },
        method_options{.max_concurrent = 1, .open_ended = true});
    send(request("1", "watch"));
    send(request("2", "watch"));
    end_input();
    expect(cancelled("1", "input has ended"));
    expect(cancelled("2", "input has ended"));
    BOOST_TEST(!wait_end());
}

BOOST_AUTO_TEST_CASE(a_stop_cancels_everything_and_answers_it)
{
    methods.add(
        "one", [this]() -> asio::awaitable<void> { co_await held.wait(); }, method_options{.max_concurrent = 1});
    send(request("1", "wait"));
    send(request("2", "one"));
    send(request("3", "one"));
    send('[' + request("4", "wait") + ",1]");
    settle();
    server().stop();
    server().stop();
    const auto reason = "the session is being stopped";
    const std::string wrong =
        R"({"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid Request","data":{"reason":"expected an object"}}})";
    expect_in_any_order({cancelled("1", reason), cancelled("2", reason), cancelled("3", reason),
                         '[' + wrong + ',' + cancelled("4", reason) + ']'});
    BOOST_TEST(wait_end() == partyline::error_code(asio::error::operation_aborted));
    BOOST_TEST(is_closed());
}

BOOST_AUTO_TEST_CASE(a_handler_may_stop_its_own_session)
{
    methods.add("stop", [this](request_context&) -> asio::awaitable<int> {
        server().stop();
        co_await held.wait();
        co_return 1;
    });
    send(request("1", "stop"));
    expect(cancelled("1", "the session is being stopped"));
    BOOST_TEST(wait_end() == partyline::error_code(asio::error::operation_aborted));
}

BOOST_AUTO_TEST_CASE(a_handler_that_ignores_its_cancellation_is_given_up)
{
    options.cancel_grace = std::chrono::milliseconds(1);
    send(request("1", "stubborn"));
    settle();
    server().stop();
    BOOST_TEST(wait_end() == partyline::error_code(asio::error::operation_aborted));
    BOOST_REQUIRE(!logged.empty());
    BOOST_TEST(logged[0].ends_with("gave up on 1 handlers that did not end when cancelled: stubborn (id 1)"));
    held.open(); // it ends after all; nobody is told
    settle();
}

BOOST_AUTO_TEST_CASE(a_session_can_be_cancelled_like_any_operation)
{
    asio::io_context other;
    auto [ours, theirs] = partyline::memory_stream::make_pair(other.get_executor());
    partyline::session session(std::move(theirs), std::move(methods));
    asio::cancellation_signal signal;
    std::optional<partyline::error_code> ended;
    session.async_run(
        asio::bind_cancellation_slot(signal.slot(), [&](partyline::error_code failed) { ended = failed; }));
    other.poll();
    signal.emit(asio::cancellation_type::total);
    other.run();
    BOOST_REQUIRE(ended.has_value());
    BOOST_TEST(*ended == partyline::error_code(asio::error::operation_aborted));
}

BOOST_AUTO_TEST_CASE(running_a_session_twice_is_refused)
{
    std::optional<partyline::error_code> second;
    server().async_run([&](partyline::error_code failed) { second = failed; });
    run_until([&] { return second.has_value(); });
    BOOST_TEST(*second == make_error_code(errc::already_started));
    send(request("1", "echo", "[1]")); // the first run goes on
    expect(result("1", "[1]"));
    end_input();
    BOOST_TEST(!wait_end());
    second.reset();
    server().async_run([&](partyline::error_code failed) { second = failed; });
    run_until([&] { return second.has_value(); });
    BOOST_TEST(*second == make_error_code(errc::session_closed));
}

BOOST_AUTO_TEST_CASE(misuse_is_refused_at_once)
{
    const std::shared_ptr<const partyline::method_table> none;
    asio::io_context other;
    auto [ours, theirs] = partyline::memory_stream::make_pair(other.get_executor());
    BOOST_CHECK_THROW(partyline::session(std::move(ours), none), std::invalid_argument);
    partyline::session first(std::move(theirs), std::move(methods));
    BOOST_CHECK_THROW(first.use_methods(none), std::invalid_argument);
    const partyline::session second(std::move(first));
    BOOST_CHECK_THROW(first.stop(), std::logic_error);
    BOOST_CHECK_THROW(first.use_methods(std::make_shared<partyline::method_table>()), std::logic_error);
    BOOST_CHECK_THROW(first.async_run([](partyline::error_code) {}), std::logic_error);
    BOOST_CHECK_THROW(first.get_executor(), std::logic_error);
}

BOOST_AUTO_TEST_CASE(limits_that_no_session_can_work_with_are_refused_by_name)
{
    for (const partyline::limit_range& range : partyline::limit_ranges()) {
        for (const bool is_most : {false, true}) {
            const std::size_t edge = is_most ? range.most : range.least;
            partyline::session_options one;
            one.bounds.*range.member = edge;
            asio::io_context other;
            auto [ours, theirs] = partyline::memory_stream::make_pair(other.get_executor());
            const partyline::session taken(std::move(ours), partyline::method_table(), one);
            one.bounds.*range.member = is_most ? edge + 1 : edge - 1;
            if ((one.bounds.*range.member < edge) == is_most)
                continue; // there is nothing beyond
            const auto names_it = [&](const std::invalid_argument& refused) {
                const std::string text = refused.what();
                return text.starts_with(std::string("limits::") + range.name + " is ") &&
                       text.find(", expected ") != text.npos;
            };
            BOOST_CHECK_EXCEPTION(partyline::session(std::move(theirs), partyline::method_table(), one),
                                  std::invalid_argument, names_it);
        }
    }
}

BOOST_AUTO_TEST_CASE(every_limit_has_a_range)
{
    BOOST_TEST(partyline::limit_ranges().size() * sizeof(std::size_t) == sizeof(partyline::limits));
    for (const partyline::limit_range& range : partyline::limit_ranges()) {
        const std::size_t usual = partyline::limits().*range.member;
        BOOST_TEST(usual >= range.least);
        BOOST_TEST(usual <= range.most);
    }
}

BOOST_AUTO_TEST_CASE(a_session_stopped_before_it_has_run_never_runs)
{
    asio::io_context other;
    auto [ours, theirs] = partyline::memory_stream::make_pair(other.get_executor());
    partyline::session session(std::move(theirs), std::move(methods));
    session.stop();
    std::optional<partyline::error_code> ended;
    other.run();
    other.restart();
    session.async_run([&](partyline::error_code failed) { ended = failed; });
    other.run();
    BOOST_REQUIRE(ended.has_value());
    BOOST_TEST(*ended == make_error_code(errc::session_closed));
}

BOOST_AUTO_TEST_CASE(a_session_destroyed_with_handlers_in_flight_stops)
{
    asio::io_context other;
    gate never(other);
    std::optional<partyline::error_code> ended;
    {
        auto [ours, theirs] = partyline::memory_stream::make_pair(other.get_executor());
        partyline::method_table own;
        const auto state = std::make_shared<std::string>("alive");
        own.add("wait", [&never, state]() -> asio::awaitable<std::string> {
            try {
                co_await never.wait();
            } catch (const boost::system::system_error&) {
            }
            co_return *state; // the table that holds the lambda is still there
        });
        partyline::session session(std::move(theirs), std::move(own));
        session.async_run([&](partyline::error_code failed) { ended = failed; });
        const std::string line = request("1", "wait") + '\n';
        ours.async_write_some(asio::buffer(line), [](partyline::error_code, std::size_t) {});
        while (never.arrivals == 0)
            other.run_one();
    }
    other.run(); // returns: nothing holds it up
    BOOST_REQUIRE(ended.has_value());
    BOOST_TEST(*ended == partyline::error_code(asio::error::operation_aborted));
}

BOOST_AUTO_TEST_CASE(an_io_context_can_go_away_under_sessions_and_their_handlers)
{
    asio::io_context other; // goes last, with the handlers suspended in it
    gate never(other);
    bool has_ended = false;
    partyline::method_table own;
    own.add("wait", [&never]() -> asio::awaitable<int> {
        co_await never.wait();
        co_return 1;
    });
    auto [ours, theirs] = partyline::memory_stream::make_pair(other.get_executor());
    {
        partyline::session session(std::move(theirs), std::move(own));
        session.async_run([&](partyline::error_code) { has_ended = true; });
        const std::string lines =
            request("1", "wait") + '\n' + request("2", "wait") + '\n' + notification("wait") + '\n';
        ours.async_write_some(asio::buffer(lines), [](partyline::error_code, std::size_t) {});
        while (never.arrivals < 3)
            other.run_one();
    }
    BOOST_TEST(!has_ended);
}

BOOST_AUTO_TEST_SUITE_END()
