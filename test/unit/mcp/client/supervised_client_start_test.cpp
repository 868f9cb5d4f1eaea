// Starts that fail: what makes clients throws, and what greets servers.

#include "supervised_fixture.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <cerrno>
#include <new>
#include <stdexcept>

namespace asio = boost::asio;
using namespace partyline;
using namespace partyline::test;
using namespace std::chrono_literals;

namespace {

struct fixture : supervised_client_fixture {
    // The client gives up with its first start, whose server is greeted; how it failed.
    error_code greet(std::function<asio::awaitable<void>(mcp::client&)> how)
    {
        options.on_start = std::move(how);
        options.restart.max_starts = 1;
        run();
        server(0).greet_modern();
        return run_to_end();
    }
};

asio::awaitable<void> nothing()
{
    co_return;
}

asio::awaitable<void> wait_deafly(mcp::client&)
{
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    asio::steady_timer timer(co_await asio::this_coro::executor, 1h);
    co_await timer.async_wait(asio::use_awaitable);
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_supervised_client_starts, fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(what_makes_clients_may_throw)
{
    const error_code refused = asio::error::connection_refused;
    prepare = [&](mcp::client&) {
        if (starts == 1)
            throw boost::system::system_error(refused, "not yet");
        if (starts == 2)
            throw std::runtime_error("no");
        if (starts == 3)
            throw std::bad_alloc();
        if (starts == 4)
            throw 7;
    };
    std::vector<std::string> words;
    options.on_change = [&](const supervisor_status& now) {
        if (now.state == supervisor_state::waiting)
            words.push_back(now.last_end.message() + ": " + now.last_words);
    };
    run();
    start_modern(4);
    const std::string failed = "starting the server, or greeting it, failed: ";
    BOOST_TEST(words == (std::vector<std::string>{refused.message() + ": not yet", failed + "std::runtime_error: no",
                                                  failed + "std::bad_alloc: std::bad_alloc", failed + "int"}),
               boost::test_tools::per_element());
    BOOST_TEST(notes->status().starts == 5u);
}

BOOST_AUTO_TEST_CASE(a_program_that_does_not_exist_is_given_up_at_once)
{
    notes.emplace(
        context.get_executor(), [this] { return mcp::client(context.get_executor(), {"/there/is/none"}); }, options);
    ready_client waiting = begin_ready();
    run_made();
    BOOST_TEST(run_to_end() == error_code(ENOENT, boost::system::system_category()));
    run_until([&] { return waiting.has_ended(); });
    BOOST_TEST((waiting.failed() == errc::gave_up));
    BOOST_TEST(waiting.details().find("/there/is/none") != std::string::npos);
    BOOST_TEST(notes->status().starts == 1u);
}

BOOST_AUTO_TEST_CASE(a_client_that_can_not_be_started_is_a_failed_start)
{
    options.restart.max_starts = 1;
    std::optional<mcp::client> taken;
    notes.emplace(
        context.get_executor(),
        [&] {
            mcp::client made = make_client();
            taken.emplace(std::move(made));
            return made; // NOLINT: that is the test
        },
        options);
    run_made();
    BOOST_TEST((run_to_end() == errc::start_failed));
    BOOST_TEST(notes->status().last_words.find("moved from") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(one_that_was_started_already_is_a_failed_start)
{
    options.restart.max_starts = 1;
    begun<void> started;
    prepare = [&](mcp::client& made) { made.start()(started.token()); };
    run();
    BOOST_TEST((run_to_end() == errc::start_failed));
    server(0).wait(started);
    BOOST_TEST(started.failed());
}

BOOST_AUTO_TEST_CASE(a_server_is_greeted_before_anybody_gets_the_client)
{
    options.on_start = [](mcp::client& server) -> asio::awaitable<void> { co_await server.ping(); };
    run();
    for (std::size_t start : {0, 1}) {
        ready_client asked = begin_ready();
        server(start).greet_legacy();
        const std::string id = servers[start].expect_request("ping", "{}");
        settle();
        BOOST_TEST(!asked.has_ended());
        servers[start].reply(id, "{}");
        BOOST_TEST(!servers[start].wait(asked).failed());
        servers[start].end();
    }
}

BOOST_AUTO_TEST_CASE(what_the_greeting_throws_fails_the_start)
{
    const error_code own = boost::system::errc::make_error_code(boost::system::errc::protocol_error);
    BOOST_TEST(greet([own](mcp::client&) -> asio::awaitable<void> {
                   throw boost::system::system_error(own, "wrong version");
                   co_return;
               }) == own);
    BOOST_TEST(notes->status().last_words == "wrong version");
    BOOST_TEST(servers[0].has_left());
    BOOST_TEST(changes == (std::vector<std::string>{"starting", "ending", "ended"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_the_server_answers_the_greeting_fails_it_too)
{
    options.on_start = [](mcp::client& server) -> asio::awaitable<void> { co_await server.call_tool("log_in"); };
    options.restart.max_starts = 1;
    run();
    server(0).greet_modern();
    const std::string id = servers[0].expect_request("tools/call", R"({"name":"log_in","arguments":{}})");
    servers[0].refuse(id, R"({"code":-32602,"message":"Who are you?"})");
    BOOST_TEST((run_to_end() == errc::start_failed));
    BOOST_TEST(notes->status().last_words.find("Who are you?") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_greeting_that_takes_too_long_is_cancelled)
{
    options.start_timeout = 20ms;
    bool was_cancelled = false;
    const error_code failed = greet([&was_cancelled](mcp::client&) -> asio::awaitable<void> {
        asio::steady_timer timer(co_await asio::this_coro::executor, 1h);
        error_code why;
        co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, why));
        was_cancelled = why == asio::error::operation_aborted;
    });
    BOOST_TEST((failed == errc::timeout));
    BOOST_TEST(notes->status().last_words == "on_start did not end within start_timeout");
    BOOST_TEST(was_cancelled);
}

BOOST_AUTO_TEST_CASE(a_deaf_greeting_is_abandoned)
{
    options.start_timeout = 10ms;
    client_options.session.cancel_grace = 10ms;
    BOOST_TEST((greet(wait_deafly) == errc::timeout));
}

BOOST_AUTO_TEST_CASE(a_server_that_ends_cancels_its_greeting)
{
    options.start_timeout = 0s;
    options.restart.max_starts = 1;
    options.on_start = [](mcp::client&) -> asio::awaitable<void> {
        asio::steady_timer timer(co_await asio::this_coro::executor, 1h);
        co_await timer.async_wait(asio::use_awaitable);
    };
    run();
    server(0).greet_modern();
    settle();
    BOOST_TEST((state() == supervisor_state::starting));
    servers[0].end();
    BOOST_TEST((run_to_end() == errc::peer_closed));
}

BOOST_AUTO_TEST_CASE(no_server_is_greeted_once_it_was_destroyed)
{
    std::size_t greetings = 0;
    bool was_late = false;
    options.on_start = [&](mcp::client&) {
        ++greetings;
        was_late = was_late || !notes;
        return nothing();
    };
    for (int steps = 0; steps != 200; ++steps) { // after the server has answered the handshake
        run_ended.reset();
        servers.clear();
        starts = 0;
        run();
        server(0).greet_modern();
        context.restart();
        for (int i = 0; i != steps; ++i)
            context.poll_one();
        notes.reset();
        BOOST_TEST(run_to_end() == asio::error::operation_aborted);
    }
    BOOST_TEST(greetings != 0u);
    BOOST_TEST(!was_late);
}

BOOST_AUTO_TEST_CASE(misuse_throws_at_once)
{
    BOOST_CHECK_THROW(mcp::supervised_client(context.get_executor(), nullptr), std::invalid_argument);
    mcp::supervised_client one(context.get_executor(), [this] { return make_client(); });
    const mcp::supervised_client other(std::move(one));
    BOOST_CHECK_THROW(one.stop(), std::logic_error); // NOLINT: that is the test
    BOOST_CHECK_THROW(one.status(), std::logic_error);
    BOOST_CHECK_THROW(static_cast<void>(one.ready()), std::logic_error);
    BOOST_TEST((other.status().state == supervisor_state::idle));
}

BOOST_AUTO_TEST_CASE(a_second_run_is_refused_and_changes_nothing)
{
    run();
    std::optional<error_code> second;
    notes->async_run([&](error_code result) { second = result; });
    start_modern();
    BOOST_TEST_REQUIRE(second.has_value());
    BOOST_TEST((*second == errc::already_started));
    BOOST_TEST(starts == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
