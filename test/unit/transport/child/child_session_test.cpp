#include "support/child_fixture.hpp"

#include <partyline/rpc/method_table.hpp>
#include <partyline/session.hpp>
#include <partyline/session/request_context.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json/value.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <csignal>

namespace asio = boost::asio;
namespace data = boost::unit_test::data;
using partyline::child_channel;
using partyline::child_exit;
using partyline::child_options;
using partyline::child_report;
using partyline::child_stderr;
using partyline::error_code;
using partyline::response;
using partyline::session;

namespace {

struct fixture : partyline::test::child_fixture {
    std::shared_ptr<const child_report> report;
    std::optional<error_code> run_ended;

    session connect(std::vector<std::string> arguments, child_channel channel = child_channel::pipes)
    {
        child_options options;
        options.channel = channel;
        options.errors = child_stderr::capture;
        auto child = start(std::move(arguments), options);
        report = child.report();
        session client(std::move(child));
        client.async_run([this](error_code result) { run_ended = result; });
        return client;
    }

    std::pair<error_code, response> call(session& client, std::string method, boost::json::value params)
    {
        std::optional<std::pair<error_code, response>> result;
        client.call(std::move(method), std::move(params))(
            [&](error_code failed, response reply) { result.emplace(failed, std::move(reply)); });
        run_until([&] { return result.has_value(); });
        return std::move(*result);
    }
    error_code run_to_end()
    {
        run_until([&] { return run_ended.has_value(); });
        return *run_ended;
    }
};

const auto channels = data::make({0, 1});

child_channel channel_of(int number)
{
    return number == 0 ? child_channel::pipes : child_channel::socket_pair;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(child_session_suite, fixture, *boost::unit_test::timeout(60))

BOOST_DATA_TEST_CASE(calls_are_answered_and_closing_ends_the_server_in_order, channels, channel)
{
    session client = connect({"serve"}, channel_of(channel));
    for (int i = 0; i < 3; ++i) {
        const auto [failed, reply] = call(client, "echo", {i, "x"});
        BOOST_TEST(!failed);
        BOOST_TEST(reply.has_value());
    }
    client.close();
    BOOST_TEST(run_to_end() == error_code());
    BOOST_REQUIRE(report->exit().has_value());
    BOOST_TEST((*report->exit() == child_exit::with_status(0)));
    BOOST_TEST(!partyline::test::has_children());
}

BOOST_DATA_TEST_CASE(calls_to_a_server_that_dies_fail_with_its_status_and_its_last_words, channels, channel)
{
    session client = connect({"serve", "3"}, channel_of(channel));
    const auto [failed, reply] = call(client, "die", nullptr);
    BOOST_TEST(failed == child_exit::with_status(3).code());
    BOOST_TEST(failed.message() == "the server exited with status 3");
    BOOST_TEST(reply.details() == "last words");
    BOOST_TEST(run_to_end() == child_exit::with_status(3).code());
}

BOOST_AUTO_TEST_CASE(a_server_that_ends_well_leaves_calls_unanswered_all_the_same)
{
    session client = connect({"serve", "0"});
    const auto [failed, reply] = call(client, "die", nullptr);
    BOOST_TEST(failed.message() == "the server exited with status 0");
    BOOST_TEST(reply.details() == "last words");
    BOOST_TEST(bool(run_to_end()));
}

BOOST_AUTO_TEST_CASE(a_server_that_fails_is_told_by_the_end_of_the_session)
{
    session client = connect({"complain", "3", "no"});
    BOOST_TEST(run_to_end() == child_exit::with_status(3).code());
    BOOST_TEST(report->last_stderr_lines() == "no");
}

BOOST_AUTO_TEST_CASE(a_server_that_talks_rubbish_and_leaves_fails_the_calls)
{
    session client = connect({"rubbish"});
    const auto [failed, reply] = call(client, "echo", boost::json::array{1});
    BOOST_TEST(bool(failed));
    run_to_end();
    BOOST_TEST(!partyline::test::has_children());
}

BOOST_AUTO_TEST_CASE(a_grandchild_that_holds_the_pipes_keeps_no_session)
{
    session client = connect({"have_child", "free"});
    const auto [failed, reply] = call(client, "echo", boost::json::array{1});
    BOOST_TEST(failed == child_exit::with_status(7).code());
    BOOST_TEST(run_to_end() == child_exit::with_status(7).code());
}

BOOST_AUTO_TEST_CASE(stopping_twice_does_not_wait_for_a_stubborn_server)
{
    session client = connect({"stubborn"});
    client.stop();
    poll();
    client.stop();
    BOOST_TEST(run_to_end() == error_code(asio::error::operation_aborted));
    BOOST_TEST((*report->exit() == child_exit::by_signal(SIGKILL)));
}

// Nobody is left to hear what it would answer.
BOOST_AUTO_TEST_CASE(a_server_that_dies_takes_along_what_we_do_for_it)
{
    const std::string ask = R"({"jsonrpc":"2.0","id":1,"method":"think"})";
    partyline::child_process child(context.get_executor(), {"sh", "-c", "echo '" + ask + "'; exec cat"});
    const auto known = child.report();
    partyline::method_table methods;
    methods.add("think", [&](partyline::request_context& request) -> asio::awaitable<int> {
        ::kill(known->pid(), SIGKILL);
        asio::steady_timer forever(request.get_executor(), asio::steady_timer::time_point::max());
        co_await forever.async_wait(asio::use_awaitable);
        co_return 1;
    });
    session client(std::move(child), std::move(methods));
    client.async_run([this](error_code result) { run_ended = result; });
    BOOST_TEST(run_to_end() == child_exit::by_signal(SIGKILL).code());
    BOOST_TEST(client.counters().cancelled == 1);
}

BOOST_AUTO_TEST_CASE(a_server_that_is_killed_is_a_failure_also_when_nothing_was_asked)
{
    const session client = connect({"serve"});
    poll();
    ::kill(report->pid(), SIGKILL);
    BOOST_TEST(run_to_end() == child_exit::by_signal(SIGKILL).code());
}

BOOST_AUTO_TEST_CASE(a_session_that_is_destroyed_ends_its_server)
{
    {
        const session client = connect({"serve"});
        poll();
    }
    run_until([&] { return report->exit().has_value(); });
    BOOST_TEST((*report->exit() == child_exit::with_status(0)));
    BOOST_TEST(!partyline::test::has_children());
}

BOOST_AUTO_TEST_SUITE_END()
