// close(), stop(), destruction and cancellation, at every state.

#include "support/supervised_fixture.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <csignal>
#include <map>

using namespace std::chrono_literals;
namespace asio = boost::asio;
namespace data = boost::unit_test::data;
using partyline::child_exit;
using partyline::errc;
using partyline::error_code;
using partyline::supervisor_state;

namespace {

const error_code aborted = asio::error::operation_aborted;

struct fixture : partyline::test::supervised_fixture {
    asio::cancellation_signal cancel;

    /// Brings a supervisor to a state in which it stays.
    void bring_to(const std::string& state, const std::string& fault = "none")
    {
        if (state == "starting")
            options.on_start = [](partyline::caller& one) -> asio::awaitable<void> {
                co_await one.call("initialize", nullptr)(asio::use_awaitable);
            };
        if (state == "waiting")
            options.restart.first_delay = options.restart.max_delay = 1h;
        make(state == "starting" ? "silent" : state == "waiting" ? "before reading" : fault);
        if (state == "idle")
            return;
        server->async_run(
            asio::bind_cancellation_slot(cancel.slot(), [this](error_code result) { run_ended = result; }));
        const std::map<std::string, supervisor_state> wanted{{"starting", supervisor_state::starting},
                                                             {"running", supervisor_state::running},
                                                             {"waiting", supervisor_state::waiting},
                                                             {"ending", supervisor_state::ending}};
        if (state == "ending") {
            run_until_state(supervisor_state::running);
            server->close();
        }
        run_until_state(wanted.at(state));
    }
    void run_if_idle(const std::string& state)
    {
        if (state == "idle")
            server->async_run([this](error_code result) { run_ended = result; });
    }
    void check_is_over()
    {
        BOOST_TEST((state() == supervisor_state::ended));
        BOOST_TEST(call("echo") == "failed: the session has ended");
        BOOST_TEST(!partyline::test::has_children());
        const std::size_t before = starts();
        context.restart();
        BOOST_TEST(context.run_for(100ms) < 10); // nothing is left that keeps it running
        BOOST_TEST(context.stopped());
        BOOST_TEST(starts() == before);
    }
};

const auto states = data::make({"idle", "starting", "running", "waiting", "ending"});

} // namespace

BOOST_FIXTURE_TEST_SUITE(supervisor_ends, fixture, *boost::unit_test::timeout(60))

BOOST_DATA_TEST_CASE(closing_succeeds_at_every_state, states, state)
{
    bring_to(state);
    const auto call = std::string(state) == "running" ? nullptr : begin("echo");
    poll();
    server->close();
    run_if_idle(state);
    BOOST_TEST(run_to_end() == error_code());
    if (call)
        BOOST_TEST(finish(call) == "failed: the session has ended");
    check_is_over();
}

BOOST_DATA_TEST_CASE(stopping_aborts_at_every_state, states, state)
{
    bring_to(state);
    const auto call = std::string(state) == "running" ? nullptr : begin("echo");
    server->stop();
    run_if_idle(state);
    BOOST_TEST(run_to_end() == aborted);
    if (call)
        BOOST_TEST(finish(call) == "failed: the session has ended");
    check_is_over();
}

BOOST_DATA_TEST_CASE(destruction_settles_everything_at_every_state, states, state)
{
    bring_to(state);
    const auto call = begin("echo");
    server.reset();
    BOOST_TEST(finish(call).starts_with("failed: "));
    if (std::string(state) != "idle")
        BOOST_TEST(run_to_end() == aborted);
    context.restart();
    context.run_for(5s);
    BOOST_TEST(context.stopped());
    BOOST_TEST(!partyline::test::has_children());
}

BOOST_DATA_TEST_CASE(an_executor_that_goes_first_takes_everything_along, states, state)
{
    auto other = std::make_unique<asio::io_context>();
    if (std::string(state) == "starting")
        options.on_start = [](partyline::caller& one) -> asio::awaitable<void> {
            co_await one.call("initialize", nullptr)(asio::use_awaitable);
        };
    std::shared_ptr<int> held = std::make_shared<int>();
    const std::weak_ptr<int> watched = held;
    options.session.user_data = held;
    options.on_change = [held](auto&) {};
    {
        partyline::supervisor one(other->get_executor(), command("silent", always), options);
        options.session.user_data = options.on_change = nullptr;
        held.reset();
        if (std::string(state) != "idle")
            one.async_run([](error_code) {});
        one.call("initialize", nullptr)([](error_code, partyline::response) {});
        const auto deadline = std::chrono::steady_clock::now() + 5s;
        while (std::string(state) != "idle" && one.status().state == supervisor_state::idle)
            other->run_one_until(deadline);
        other->poll();
    }
    other.reset();
    BOOST_TEST(watched.expired());
}

BOOST_DATA_TEST_CASE(cancelling_its_run_is_stopping, data::make({"starting", "running", "waiting", "ending"}), state)
{
    bring_to(state);
    cancel.emit(asio::cancellation_type::terminal);
    BOOST_TEST(run_to_end() == aborted);
    check_is_over();
}

BOOST_AUTO_TEST_CASE(a_call_under_way_is_answered_when_it_is_closed)
{
    bring_to("running");
    const auto call = begin("echo", {7});
    poll();
    server->close();
    BOOST_TEST(finish(call) == "result [7]");
    BOOST_TEST(run_to_end() == error_code());
}

BOOST_AUTO_TEST_CASE(what_waits_does_not_wait_for_a_server_that_takes_its_time_to_go)
{
    options.child.exit_wait = 1h;
    bring_to("starting");
    const auto call = begin("echo");
    server->close();
    BOOST_TEST(finish(call) == "failed: the session has ended");
    BOOST_TEST(!run_ended.has_value());
    BOOST_TEST(finish(begin("echo")) == "failed: the session has ended");
    server->stop(); // the wait for its output's end
    server->stop(); // the wait for its own
    BOOST_TEST(run_to_end() == aborted);
}

BOOST_AUTO_TEST_CASE(a_deaf_server_is_ended_by_a_signal)
{
    bring_to("running", "deaf");
    server->close();
    BOOST_TEST(run_to_end() == error_code());
    BOOST_TEST(server->status().last_end == child_exit::by_signal(SIGTERM).code());
}

BOOST_AUTO_TEST_CASE(stopping_twice_does_not_wait_for_a_stubborn_server)
{
    options.child.exit_wait = 1h;
    bring_to("running", "stubborn");
    server->stop();
    run_until_state(supervisor_state::ending);
    poll();
    server->stop();
    BOOST_TEST(run_to_end() == aborted);
    BOOST_TEST(server->status().last_end == aborted);
}

BOOST_AUTO_TEST_CASE(what_was_stopped_stays_so_when_it_is_closed)
{
    bring_to("running");
    server->stop();
    server->close();
    BOOST_TEST(run_to_end() == aborted);
}

BOOST_AUTO_TEST_CASE(closing_while_a_start_is_given_up_is_no_failure)
{
    options.child.exit_wait = 100ms;
    options.on_start = [](partyline::caller&) -> asio::awaitable<void> {
        throw std::runtime_error("no");
        co_return;
    };
    run("deaf");
    run_until_state(supervisor_state::ending);
    server->close();
    BOOST_TEST(run_to_end() == error_code());
    BOOST_TEST(starts() <= 1);
}

BOOST_AUTO_TEST_CASE(a_supervisor_that_is_moved_goes_on)
{
    bring_to("running");
    partyline::supervisor moved(std::move(*server));
    server.emplace(std::move(moved));
    BOOST_TEST(call("starts") == "result 1");
    *server = partyline::supervisor(context.get_executor(), {"none"}, options);
    BOOST_TEST(run_to_end() == aborted);
}

BOOST_AUTO_TEST_SUITE_END()
