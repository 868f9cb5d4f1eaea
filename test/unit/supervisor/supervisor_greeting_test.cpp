// What is said to a language server first and last; and what on_close may do.

#include "support/supervised_fixture.hpp"

#include <partyline/lsp/handshake.hpp>
#include <partyline/lsp/profile.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json/object.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

using namespace std::chrono_literals;
namespace asio = boost::asio;
using partyline::caller;
using partyline::child_exit;
using partyline::errc;
using partyline::error_code;
using partyline::supervisor_state;

BOOST_FIXTURE_TEST_SUITE(supervisor_greeting, partyline::test::supervised_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(language_servers_are_greeted_in_a_line_each_time)
{
    const boost::json::object params{{"processId", nullptr}, {"capabilities", boost::json::object()}};
    const partyline::lsp::handshake hello(params);
    BOOST_TEST(hello.result().is_null());
    options.on_start = hello;
    options.on_close = partyline::lsp::shutdown_and_exit;
    run();
    BOOST_TEST(call("heard") == R"(result ["initialize","initialized","heard"])");
    BOOST_TEST(hello.result().at("capabilities").at("start").to_number<int>() == 1);
    const auto dying = begin("die");
    BOOST_TEST(finish(dying) == "failed: the server exited with status 3");
    BOOST_TEST(call("heard") == R"(result ["initialize","initialized","heard"])");
    BOOST_TEST(hello.result().at("capabilities").at("start").to_number<int>() == 2);
    server->close();
    BOOST_TEST(run_to_end() == error_code());
    BOOST_TEST(server->status().last_end == child_exit::with_status(0).code()); // exit behind shutdown
    BOOST_TEST(log.empty());
}

BOOST_AUTO_TEST_CASE(a_server_that_refuses_the_greeting_is_told_by_its_error)
{
    options.on_start = partyline::lsp::handshake(boost::json::object());
    options.restart.max_starts = 1;
    run("refuses");
    BOOST_TEST(run_to_end() == error_code(errc::start_failed));
    BOOST_TEST(server->status().last_words.find("not today") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_good_bye_that_fails_is_logged_and_the_server_closed)
{
    options.on_close = [](caller&) -> asio::awaitable<void> {
        throw std::runtime_error("no words");
        co_return;
    };
    run();
    run_until_state(supervisor_state::running);
    server->close();
    BOOST_TEST(run_to_end() == error_code());
    BOOST_REQUIRE(log.size() == 1);
    BOOST_TEST(log.at(0).find("no words") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_good_bye_has_its_time_and_stopping_ends_it)
{
    const auto never = [](caller&) -> asio::awaitable<void> {
        asio::steady_timer timer(co_await asio::this_coro::executor, 1h);
        co_await timer.async_wait(asio::use_awaitable);
    };
    options.on_close = never;
    options.goodbye_timeout = 10ms;
    run();
    run_until_state(supervisor_state::running);
    server->close();
    BOOST_TEST(run_to_end() == error_code());
    BOOST_TEST_REQUIRE(log.size() == 1u);
    BOOST_TEST(log.at(0).ends_with("on_close did not end within goodbye_timeout"));
    run_ended.reset();
    options.goodbye_timeout = 1h;
    run();
    run_until_state(supervisor_state::running);
    server->close();
    run_until_state(supervisor_state::ending);
    server->stop();
    BOOST_TEST(run_to_end() == error_code(asio::error::operation_aborted));
}

BOOST_AUTO_TEST_CASE(no_good_bye_is_said_to_one_that_was_not_greeted)
{
    bool was_said = false;
    options.on_start = [](caller& one) -> asio::awaitable<void> {
        co_await one.call("initialize", nullptr)(asio::use_awaitable);
    };
    options.on_close = [&](caller&) -> asio::awaitable<void> {
        was_said = true;
        co_return;
    };
    run("silent");
    run_until_state(supervisor_state::starting);
    server->close();
    BOOST_TEST(run_to_end() == error_code());
    BOOST_TEST(!was_said);
}

BOOST_DATA_TEST_CASE(a_greeting_is_cancelled_at_once_when_it_is_ended, boost::unit_test::data::make({0, 1}), stops)
{
    bool was_cancelled = false;
    options.child.exit_wait = 1h;
    options.on_start = [&](caller&) -> asio::awaitable<void> {
        asio::steady_timer timer(co_await asio::this_coro::executor, 1h);
        error_code why;
        co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, why));
        was_cancelled = why == asio::error::operation_aborted;
    };
    run("deaf");
    run_until_state(supervisor_state::starting);
    stops ? server->stop() : server->close();
    run_until([&] { return was_cancelled; });
    BOOST_TEST(!run_ended.has_value());
    server->stop();
    server->stop();
    run_to_end();
}

BOOST_AUTO_TEST_CASE(each_session_has_a_lifecycle_of_its_own)
{
    options.session.profile = &partyline::lsp::profile;
    options.session.framing = partyline::framing_kind::lines;
    make();
    BOOST_TEST(!server->session_lifecycle());
    server->async_run([this](error_code result) { run_ended = result; });
    run_until_state(supervisor_state::running);
    const auto first = server->session_lifecycle();
    BOOST_TEST(!!first);
    finish(begin("die"));
    run_until([&] { return server->status().starts == 2 && state() == supervisor_state::running; });
    BOOST_TEST(!!server->session_lifecycle());
    BOOST_TEST(server->session_lifecycle() != first);
    server->stop();
    run_to_end();
    BOOST_TEST(!server->session_lifecycle());
}

BOOST_AUTO_TEST_SUITE_END()
