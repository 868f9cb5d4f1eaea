// A server that goes wrong at each step of its life, and what becomes of it and of the calls.

#include "support/supervised_fixture.hpp"

#include <partyline/lsp/handshake.hpp>
#include <partyline/rpc/method_table.hpp>

#include <boost/json/object.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cerrno>
#include <csignal>

using namespace std::chrono_literals;
namespace data = boost::unit_test::data;
using partyline::child_exit;
using partyline::errc;
using partyline::error_code;
using partyline::restart_after;
using partyline::supervisor_state;

namespace {

struct fixture : partyline::test::supervised_fixture {
    partyline::lsp::handshake hello{boost::json::object()};

    fixture() { options.on_start = hello; }
};

// At each of these no reply can come.
const auto faults =
    data::make({"before reading", "at first message", "after greeting", "when greeted", "at each request",
                "within a reply", "closes output", "between calls", "leaves", "refuses", "silent"});

} // namespace

BOOST_FIXTURE_TEST_SUITE(supervisor_faults, fixture, *boost::unit_test::timeout(60))

BOOST_DATA_TEST_CASE(two_that_go_wrong_are_followed_by_one_that_is_right, faults, fault)
{
    if (std::string(fault) == "silent")
        options.start_timeout = 1s; // the right one has to start in it
    run(fault, 2);
    // Calls that were under way fail, and are not sent again; those that waited are answered in the end.
    for (int tries = 0; call("starts") != "result 3"; ++tries) {
        BOOST_REQUIRE(tries < 10);
        call("echo");
    }
    BOOST_TEST(call("echo", {1}) == "result [1]");
    BOOST_TEST(starts() == 3);
    BOOST_TEST(server->status().starts == 3);
    BOOST_TEST(hello.result().at("capabilities").at("start").to_number<int>() == 3);
    BOOST_TEST((state() == supervisor_state::running));
    server->close();
    BOOST_TEST(run_to_end() == error_code());
    BOOST_TEST(!partyline::test::has_children());
}

BOOST_DATA_TEST_CASE(one_that_always_goes_wrong_is_given_up_and_every_call_is_settled, faults, fault)
{
    if (std::string(fault) == "silent")
        options.start_timeout = 20ms;
    options.restart.max_starts = 3;
    run(fault);
    while (!run_ended) {
        const std::string told = call("echo", {1});
        BOOST_TEST(
            (told == "result [1]" || told.starts_with("failed: the server") || told.starts_with("failed: the peer")),
            told);
    }
    BOOST_TEST(bool(*run_ended));
    BOOST_TEST(*run_ended == server->status().last_end);
    BOOST_TEST(starts() == 3);
    BOOST_TEST(server->status().starts == 3);
    BOOST_TEST((state() == supervisor_state::ended));
    const auto late = begin("echo");
    BOOST_TEST(finish(late) == "failed: the server has ended and is not started again");
    BOOST_TEST(!late->said.details().empty());
    BOOST_TEST(!partyline::test::has_children());
}

BOOST_AUTO_TEST_CASE(what_waits_when_it_is_given_up_is_told_how_the_last_one_ended)
{
    options.restart.max_starts = 2;
    run("before reading");
    const auto waiting = begin("echo");
    BOOST_TEST(finish(waiting) == "failed: the server has ended and is not started again");
    BOOST_TEST(waiting->said.details() == "the server exited with status 3\nlast words");
    BOOST_TEST(run_to_end() == child_exit::with_status(3).code());
    BOOST_TEST(server->status().last_words == "last words");
}

BOOST_AUTO_TEST_CASE(one_that_dies_at_once_for_ever_takes_no_time_between_its_starts)
{
    options.restart = {};
    options.restart.first_delay = 50ms;
    options.restart.max_delay = 50ms;
    options.restart.jitter = 0;
    options.restart.max_starts = 5;
    const auto begin = std::chrono::steady_clock::now();
    run("before reading");
    std::size_t steps = 0;
    while (!run_ended) {
        context.restart();
        steps += context.run_one_for(5s);
        BOOST_REQUIRE(steps < 1000);
    }
    BOOST_TEST((std::chrono::steady_clock::now() - begin >= 200ms));
    BOOST_TEST(starts() == 5);
    BOOST_TEST(steps < 300); // a loop that is busy takes thousands in this time
}

BOOST_AUTO_TEST_CASE(without_a_limit_it_is_started_on_and_on_until_it_is_stopped)
{
    options.restart.max_starts = 0;
    run("before reading");
    run_until([&] { return starts() > 30; });
    server->stop();
    BOOST_TEST(run_to_end() == error_code(boost::asio::error::operation_aborted));
}

BOOST_AUTO_TEST_CASE(calls_under_way_fail_with_the_exit_and_are_not_repeated)
{
    run("at each request", 1);
    run_until_state(supervisor_state::running);
    const auto lost = begin("echo", {1});
    const auto also_lost = begin("echo", {2});
    BOOST_TEST(finish(lost) == "failed: the server exited with status 3");
    BOOST_TEST(lost->said.details() == "last words");
    BOOST_TEST(finish(also_lost) == "failed: the server exited with status 3");
    BOOST_TEST(call("heard") == R"(result ["initialize","initialized","heard"])");
}

BOOST_AUTO_TEST_CASE(one_that_hears_no_more_is_found_out_by_the_next_call)
{
    run("closes input", 1);
    const auto lost = begin("echo");
    run_until_state(supervisor_state::running);
    std::vector<std::shared_ptr<partyline::test::outcome>> others;
    run_until([&] { // that it does so is nobody's event
        others.push_back(begin("echo"));
        return lost->is_there();
    });
    BOOST_TEST(finish(lost).starts_with("failed: "));
    for (const auto& other : others)
        finish(other);
    BOOST_TEST(call("starts") == "result 2");
}

BOOST_AUTO_TEST_CASE(one_that_is_killed_is_started_again)
{
    run();
    run_until_state(supervisor_state::running);
    ::kill(server->status().pid, SIGKILL);
    run_until([&] { return server->status().starts == 2; });
    BOOST_TEST(call("starts") == "result 2");
    BOOST_TEST(server->status().last_end == child_exit::by_signal(SIGKILL).code());
}

BOOST_AUTO_TEST_CASE(exit_status_0_ends_the_supervisor_too_where_only_failures_count)
{
    options.on_start = nullptr;
    options.restart.after = restart_after::failure;
    run("leaves");
    BOOST_TEST(run_to_end() == error_code());
    BOOST_TEST(starts() == 1);
    BOOST_TEST(server->status().last_end == child_exit::with_status(0).code());
    BOOST_TEST(call("echo") == "failed: the server has ended and is not started again");
}

BOOST_AUTO_TEST_CASE(a_failure_is_followed_by_another_start_where_only_failures_count)
{
    options.restart.after = restart_after::failure;
    run("before reading", 1);
    BOOST_TEST(call("starts") == "result 2");
}

BOOST_AUTO_TEST_CASE(a_command_that_does_not_exist_is_given_up_at_once)
{
    server.emplace(context.get_executor(), std::vector<std::string>{scratch / "none"}, options);
    const auto waiting = begin("echo");
    server->async_run([this](error_code result) { run_ended = result; });
    BOOST_TEST(run_to_end() == error_code(ENOENT, boost::system::system_category()));
    BOOST_TEST(finish(waiting) == "failed: the server has ended and is not started again");
    BOOST_TEST(waiting->said.details().find("cannot start") != std::string::npos);
    BOOST_TEST(server->status().starts == 1);
}

BOOST_AUTO_TEST_CASE(a_command_that_is_being_replaced_is_tried_again)
{
    const auto place = scratch / "server";
    std::filesystem::create_symlink(PARTYLINE_FAULTY_SERVER, place);
    auto words = command("before reading", 1);
    words.front() = place;
    options.on_change = [&](const partyline::supervisor_status& now) {
        if (now.starts == 1 && now.state == supervisor_state::waiting)
            std::filesystem::remove(place);
        if (now.starts == 3 && now.state == supervisor_state::waiting)
            std::filesystem::create_symlink(PARTYLINE_FAULTY_SERVER, place);
    };
    server.emplace(context.get_executor(), words, options);
    server->async_run([this](error_code result) { run_ended = result; });
    BOOST_TEST(call("starts") == "result 2");
    BOOST_TEST(server->status().starts == 4);
}

BOOST_AUTO_TEST_CASE(misuse_throws_at_once)
{
    const auto executor = context.get_executor();
    const auto wrong = [&](std::vector<std::string> words, auto methods) {
        BOOST_CHECK_THROW(partyline::supervisor(executor, words, methods, options), std::invalid_argument);
    };
    const auto table = std::make_shared<const partyline::method_table>();
    wrong({}, table);
    wrong({""}, table);
    wrong({"a", std::string("\0", 1)}, table);
    wrong({"a"}, std::shared_ptr<const partyline::dispatcher>());
    options.child.variables["="] = "x";
    wrong({"a"}, table);
    options.child.variables.clear();
    options.session.profile = nullptr;
    wrong({"a"}, table);
    options.session.profile = &partyline::plain_profile;
    options.session.bounds.outbox_hard_bytes = 1;
    wrong({"a"}, table);
    options.session.bounds = {};
    partyline::supervisor one(executor, {"a"}, options);
    const partyline::supervisor other(std::move(one));
    BOOST_CHECK_THROW(one.stop(), std::logic_error); // NOLINT: that is the test
    BOOST_CHECK_THROW(one.status(), std::logic_error);
}

BOOST_AUTO_TEST_CASE(a_second_run_is_refused_and_changes_nothing)
{
    run();
    std::optional<error_code> second;
    server->async_run([&](error_code result) { second = result; });
    run_until([&] { return second.has_value(); });
    BOOST_TEST(*second == error_code(errc::already_started));
    BOOST_TEST(call("starts") == "result 1");
}

BOOST_AUTO_TEST_SUITE_END()
