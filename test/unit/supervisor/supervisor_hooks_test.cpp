#include "support/supervised_fixture.hpp"

#include <partyline/lsp/handshake.hpp>
#include <partyline/rpc/method_table.hpp>
#include <partyline/session/request_context.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json/object.hpp>
#include <boost/system/system_error.hpp>
#include <boost/test/unit_test.hpp>

#include <csignal>

using namespace std::chrono_literals;
namespace asio = boost::asio;
using partyline::caller;
using partyline::child_exit;
using partyline::errc;
using partyline::error_code;
using partyline::supervisor_state;
using partyline::supervisor_status;

namespace {

std::string name(supervisor_state state)
{
    switch (state) {
    case supervisor_state::idle: return "idle";
    case supervisor_state::starting: return "starting";
    case supervisor_state::running: return "running";
    case supervisor_state::ending: return "ending";
    case supervisor_state::waiting: return "waiting";
    case supervisor_state::ended: return "ended";
    }
    return "?";
}

struct fixture : partyline::test::supervised_fixture {
    std::string states() const
    {
        std::string all;
        for (const supervisor_status& change : changes)
            all += name(change.state) + ' ';
        return all;
    }
    /// What a supervisor gives up with when this is how its server is greeted.
    error_code greet(std::function<asio::awaitable<void>(caller&)> how)
    {
        options.on_start = std::move(how);
        options.restart.max_starts = 2;
        run();
        return run_to_end();
    }
};

// Does not care that it is cancelled.
asio::awaitable<void> wait_regardless(asio::steady_timer& held, std::shared_ptr<int> ended)
{
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    boost::system::error_code ignored;
    co_await held.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    ++*ended;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(supervisor_hooks, fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(every_change_is_told)
{
    options.restart.first_delay = 2ms;
    options.restart.jitter = 0;
    run("before reading", 1);
    run_until([&] { return server->status().starts == 2 && state() == supervisor_state::running; });
    server->close();
    run_to_end();
    BOOST_TEST((states() == "starting running waiting starting running ending ended "));
    BOOST_TEST(changes.at(0).starts == 1);
    BOOST_TEST(changes.at(0).pid != 0);
    BOOST_TEST(!changes.at(0).last_end);
    BOOST_TEST(changes.at(2).pid == 0);
    BOOST_TEST(changes.at(2).last_end == child_exit::with_status(3).code());
    BOOST_TEST(changes.at(2).last_words == "last words");
    BOOST_TEST((changes.at(2).delay == 2ms));
    BOOST_TEST(changes.at(3).starts == 2);
    BOOST_TEST(log.empty());
}

BOOST_AUTO_TEST_CASE(who_is_told_may_throw_and_may_end_it)
{
    options.on_change = [&](const supervisor_status& now) {
        if (now.state == supervisor_state::running)
            server->close();
        throw 1;
    };
    run();
    BOOST_TEST(run_to_end() == error_code());
    BOOST_TEST(!log.empty());
}

BOOST_AUTO_TEST_CASE(without_anybody_who_is_told_the_log_is)
{
    options.on_change = nullptr;
    options.restart.max_starts = 2;
    run("before reading");
    run_to_end();
    BOOST_REQUIRE(log.size() == 2);
    BOOST_TEST(log.at(0) == "the server exited with status 3; it is started again");
    BOOST_TEST(log.at(1) == "the server exited with status 3; it is not started again");
}

BOOST_AUTO_TEST_CASE(what_the_greeting_throws_fails_the_start)
{
    const error_code own = boost::system::errc::make_error_code(boost::system::errc::protocol_error);
    const error_code failed = greet([own](caller&) -> asio::awaitable<void> {
        throw boost::system::system_error(own, "wrong version");
        co_return;
    });
    BOOST_TEST(failed == own);
    BOOST_TEST(server->status().last_words == "wrong version"); // the code's own words are the code's to say
    BOOST_TEST(starts() <= 2);
    BOOST_TEST(server->status().starts == 2);
    BOOST_TEST((states() == "starting ending waiting starting ending ended "));
}

BOOST_AUTO_TEST_CASE(what_a_server_has_asked_for_does_not_keep_it_when_its_start_has_failed)
{
    asio::steady_timer asked(context, asio::steady_timer::time_point::max());
    partyline::method_table methods;
    methods.add("wait", [&](partyline::request_context& request) -> asio::awaitable<int> {
        asked.cancel();
        asio::steady_timer forever(request.get_executor(), asio::steady_timer::time_point::max());
        co_await forever.async_wait(asio::use_awaitable);
        co_return 1;
    });
    options.on_start = [&](caller&) -> asio::awaitable<void> {
        error_code ignored;
        co_await asked.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        throw 7;
    };
    options.restart.max_starts = 1;
    const std::string ask = R"({"jsonrpc":"2.0","id":1,"method":"wait"})";
    server.emplace(context.get_executor(), std::vector<std::string>{"sh", "-c", "echo '" + ask + "'; exec cat"},
                   std::move(methods), options);
    server->async_run([this](error_code result) { run_ended = result; });
    BOOST_TEST(run_to_end() == error_code(errc::start_failed));
}

BOOST_AUTO_TEST_CASE(what_has_no_code_fails_it_too)
{
    BOOST_TEST(greet([](caller&) -> asio::awaitable<void> {
                   throw 7;
                   co_return;
               }) == error_code(errc::start_failed));
    BOOST_TEST(server->status().last_words == "int");
}

BOOST_AUTO_TEST_CASE(a_hook_that_is_no_coroutine_may_throw)
{
    BOOST_TEST(greet([](caller&) -> asio::awaitable<void> { throw std::runtime_error("no"); }) ==
               error_code(errc::start_failed));
    BOOST_TEST(server->status().last_words == "std::runtime_error: no");
}

BOOST_AUTO_TEST_CASE(a_greeting_that_takes_too_long_is_cancelled)
{
    options.start_timeout = 20ms;
    bool was_cancelled = false;
    const error_code failed = greet([&was_cancelled](caller& one) -> asio::awaitable<void> {
        asio::steady_timer timer(co_await asio::this_coro::executor, 1h);
        error_code why;
        co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, why));
        was_cancelled = why == asio::error::operation_aborted;
        co_await one.call("echo", nullptr)(asio::use_awaitable);
    });
    BOOST_TEST(failed == error_code(errc::timeout));
    BOOST_TEST(server->status().last_words == "on_start did not end within start_timeout");
    BOOST_TEST(was_cancelled);
}

BOOST_AUTO_TEST_CASE(a_greeting_that_does_not_end_when_it_is_cancelled_is_abandoned)
{
    options.start_timeout = 10ms;
    options.session.cancel_grace = 10ms;
    const auto late = std::make_shared<int>(0);
    asio::steady_timer held(context, asio::steady_timer::time_point::max());
    BOOST_TEST(greet([&held, late](caller&) { return wait_regardless(held, late); }) == error_code(errc::timeout));
    BOOST_TEST(*late == 0);
    BOOST_TEST(server->status().last_words ==
               "on_start did not end within start_timeout, nor when it was cancelled then");
    server.reset();
    held.cancel();
    run_until([&] { return *late == 2; }); // which does no harm
}

BOOST_AUTO_TEST_CASE(a_server_that_ends_cancels_its_greeting)
{
    options.on_start = [](caller&) -> asio::awaitable<void> {
        asio::steady_timer timer(co_await asio::this_coro::executor, 1h);
        co_await timer.async_wait(asio::use_awaitable);
    };
    options.restart.max_starts = 2;
    run("before reading");
    BOOST_TEST(run_to_end() == child_exit::with_status(3).code());
    BOOST_TEST(server->status().last_words == "last words");
    BOOST_TEST(!was(supervisor_state::running));
}

BOOST_AUTO_TEST_CASE(durations_at_their_ends_mean_never_and_at_once)
{
    options.start_timeout = std::chrono::steady_clock::duration::max();
    options.on_start = partyline::lsp::handshake(boost::json::object());
    run();
    BOOST_TEST(call("starts") == "result 1");
    server->stop();
    run_to_end();
    run_ended.reset();
    options.start_timeout = -1s;
    options.restart.max_starts = 1;
    run("silent");
    BOOST_TEST(run_to_end() == error_code(errc::timeout));
}

BOOST_AUTO_TEST_CASE(the_caller_of_a_greeting_can_be_kept_and_calls_nobody_when_its_server_has_gone)
{
    caller* kept = nullptr;
    std::optional<error_code> told;
    const auto end = std::make_shared<asio::steady_timer>(context, 1h);
    options.on_start = [&, end](caller& one) -> asio::awaitable<void> {
        kept = &one;
        co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
        error_code ignored;
        co_await end->async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        one.call("echo", nullptr)([&](error_code failed, partyline::response) { told = failed; });
    };
    options.restart.max_starts = 1;
    options.session.cancel_grace = 1ms;
    run("before reading");
    run_to_end();
    server.reset();
    poll();
    end->cancel();
    run_until([&] { return told.has_value(); });
    BOOST_TEST(*told == error_code(errc::session_closed));
}

BOOST_AUTO_TEST_SUITE_END()
