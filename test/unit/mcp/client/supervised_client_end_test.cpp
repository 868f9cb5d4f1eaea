// close(), stop(), destruction and cancellation, at every state.

#include "supervised_fixture.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/test/data/test_case.hpp>

namespace asio = boost::asio;
namespace data = boost::unit_test::data;
using namespace partyline;
using namespace partyline::test;
using namespace std::chrono_literals;

namespace {

const error_code aborted = asio::error::operation_aborted;

struct fixture : supervised_client_fixture {
    asio::cancellation_signal cancel;
    std::optional<ready_client> waiting; // from the beginning on
    std::shared_ptr<mcp::client> now;    // that was given to somebody
    begun<mcp::tool_answer> called;      // under way there
    begun<void> called_void;

    /// Brings it to a state in which it stays.
    void bring_to(const std::string& wanted)
    {
        if (wanted == "waiting")
            options.restart.first_delay = options.restart.max_delay = 1h;
        if (wanted == "greeting")
            options.on_start = [](mcp::client& server) -> asio::awaitable<void> { co_await server.ping(); };
        make();
        waiting = begin_ready();
        if (wanted == "idle")
            return;
        notes->async_run(
            asio::bind_cancellation_slot(cancel.slot(), [this](error_code result) { run_ended = result; }));
        server(0);
        if (wanted == "starting")
            return static_cast<void>(servers[0].receive());
        servers[0].greet_modern();
        if (wanted == "greeting")
            return static_cast<void>(servers[0].receive());
        now = ready();
        now->call_tool("find")(called.token());
        servers[0].receive();
        if (wanted == "waiting") {
            servers[0].end();
            run_until_state(supervisor_state::waiting);
        } else if (wanted == "ending") {
            notes->close();
            run_until_state(supervisor_state::ending);
        }
    }
    void run_if_idle(const std::string& state)
    {
        if (state == "idle")
            run_made();
    }
    void check_is_over(std::size_t of_starts)
    {
        BOOST_TEST((state() == supervisor_state::ended));
        BOOST_TEST((failure_of_ready() == errc::session_closed));
        settle();
        context.restart();
        BOOST_TEST(context.run_for(50ms) == 0u); // nothing is left that keeps it running
        BOOST_TEST(context.stopped());
        BOOST_TEST(starts == of_starts);
    }
};

const auto states = data::make({"idle", "starting", "greeting", "running", "waiting", "ending"});
const auto states_of_runs = data::make({"starting", "greeting", "running", "waiting", "ending"});

std::size_t starts_at(const std::string& state)
{
    return state == "idle" ? 0 : 1;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_supervised_client_ends, fixture, *boost::unit_test::timeout(60))

BOOST_DATA_TEST_CASE(closing_succeeds_at_every_state, states, at)
{
    const std::string state = at;
    bring_to(state);
    notes->close();
    run_if_idle(state);
    settle();
    if (state == "running" || state == "ending") {
        BOOST_TEST(!run_ended);
        servers[0].reply("2", R"({"resultType":"complete","content":[]})"); // what is under way goes on to its end
        BOOST_TEST(!servers[0].wait(called).failed());
    }
    if (starts != 0)
        servers[0].end();
    BOOST_TEST(!run_to_end());
    check_is_over(starts_at(state));
    BOOST_TEST(waiting->has_ended());
}

BOOST_DATA_TEST_CASE(stopping_aborts_at_every_state, states, at)
{
    const std::string state = at;
    bring_to(state);
    notes->stop();
    run_if_idle(state);
    BOOST_TEST(run_to_end() == aborted);
    run_until([&] { return waiting->has_ended(); });
    if (now) {
        run_until([&] { return called.has_ended(); });
        BOOST_TEST((called.failed() == (state == "waiting" ? errc::peer_closed : errc::session_closed)));
    } else {
        BOOST_TEST((waiting->failed() == errc::session_closed));
    }
    check_is_over(starts_at(state));
}

BOOST_DATA_TEST_CASE(destruction_settles_everything_at_every_state, states, at)
{
    bool was_told = false;
    prepare = [&](mcp::client& made) { made.on_ended([&](error_code) { was_told = true; }); };
    bring_to(at);
    was_told = false;
    changes.clear();
    notes.reset();
    if (std::string(at) != "idle")
        BOOST_TEST(run_to_end() == aborted);
    run_until([&] { return waiting->has_ended() && (!now || called.has_ended()); });
    settle();
    BOOST_TEST(!was_told);
    BOOST_TEST(changes.empty());
    BOOST_TEST(starts <= 1u);
    if (starts != 0)
        BOOST_TEST(servers[0].has_left());
}

BOOST_DATA_TEST_CASE(cancelling_its_run_is_stopping, states_of_runs, at)
{
    bring_to(at);
    cancel.emit(asio::cancellation_type::terminal);
    BOOST_TEST(run_to_end() == aborted);
    check_is_over(1);
}

BOOST_DATA_TEST_CASE(an_executor_that_goes_first_takes_everything_along, data::make({"idle", "run", "starting"}), at)
{
    const std::string state = at;
    const auto held = std::make_shared<int>();
    auto other = std::make_unique<asio::io_context>();
    {
        auto [ours, theirs] = memory_stream::make_pair(other->get_executor());
        auto make_one = [held, &stream = theirs, this] {
            mcp::client made(std::move(stream), client_options);
            made.on_ended([held](error_code) {});
            return made;
        };
        mcp::supervised_client one(other->get_executor(), std::move(make_one), options);
        one.ready()([held](error_code, auto) {});
        if (state != "idle")
            one.async_run([held](error_code) {});
        if (state == "starting")
            other->poll();
    }
    other.reset();
    BOOST_TEST(held.use_count() == 1);
}

BOOST_AUTO_TEST_CASE(the_context_may_go_while_a_client_is_there)
{
    std::optional<mcp::supervised_client> one;
    asio::io_context own{1};
    auto [ours, theirs] = memory_stream::make_pair(own.get_executor());
    one.emplace(own.get_executor(), [&] { return mcp::client(std::move(theirs), client_options); }, options);
    bool has_completed = false;
    one->async_run([&](error_code) { has_completed = true; });
    own.poll();
    one.reset();
    BOOST_TEST(!has_completed);
}

BOOST_AUTO_TEST_CASE(a_handler_may_destroy_it)
{
    prepare = [&](mcp::client& made) { made.on_ended([&](error_code) { notes.reset(); }); };
    run();
    now = start_modern();
    servers[0].end();
    BOOST_TEST(run_to_end() == aborted);
    settle();
    BOOST_TEST(starts == 1u);
    now->ping()(called_void.token());
    servers[0].expect_failure(called_void, errc::session_closed);
}

BOOST_AUTO_TEST_CASE(who_is_told_of_changes_may_destroy_it)
{
    for (const supervisor_state when :
         {supervisor_state::starting, supervisor_state::running, supervisor_state::waiting}) {
        run_ended.reset();
        servers.clear();
        starts = 0;
        options.on_change = [&, when](const supervisor_status& told) {
            if (told.state == when)
                notes.reset();
        };
        run();
        if (notes && when != supervisor_state::starting)
            server(0).greet_modern();
        settle();
        if (when == supervisor_state::waiting)
            servers[0].end();
        BOOST_TEST(run_to_end() == aborted);
        settle();
        BOOST_TEST(starts == 1u);
    }
}

BOOST_AUTO_TEST_CASE(what_makes_the_clients_may_destroy_it)
{
    prepare = [&](mcp::client&) { notes.reset(); };
    run();
    BOOST_TEST(run_to_end() == aborted);
    settle();
    BOOST_TEST(starts == 1u);
    BOOST_TEST(servers[0].has_left());
}

BOOST_AUTO_TEST_CASE(who_is_told_of_changes_may_throw_and_end_it)
{
    options.on_change = [&](const supervisor_status& told) {
        if (told.state == supervisor_state::running)
            notes->stop();
        throw 1;
    };
    run();
    server(0).greet_modern();
    BOOST_TEST(run_to_end() == aborted);
    BOOST_TEST(has_logged("on_change threw"));
}

BOOST_AUTO_TEST_CASE(what_was_stopped_stays_so_when_it_is_closed)
{
    bring_to("running");
    notes->stop();
    notes->close();
    BOOST_TEST(run_to_end() == aborted);
}

BOOST_AUTO_TEST_CASE(what_was_closed_may_be_destroyed_at_once)
{
    run();
    start_modern();
    notes->close();
    notes.reset();
    run_to_end();
    settle();
    BOOST_TEST(logged.empty());
}

BOOST_AUTO_TEST_CASE(who_waits_is_refused_though_its_user_has_closed_the_client_before)
{
    client_options.session.close_timeout = 1h;
    bring_to("running");
    now->close()(called_void.token());
    settle();
    BOOST_TEST(!called_void.has_ended()); // a call is under way
    const ready_client late = begin_ready();
    notes->close();
    settle();
    BOOST_TEST_REQUIRE(late.has_ended());
    BOOST_TEST((late.failed() == errc::session_closed));
}

BOOST_AUTO_TEST_CASE(one_that_is_moved_goes_on)
{
    bring_to("running");
    mcp::supervised_client moved(std::move(*notes));
    notes.emplace(std::move(moved));
    BOOST_TEST(ready() == now);
    *notes = mcp::supervised_client(context.get_executor(), [this] { return make_client(); }, options);
    BOOST_TEST(run_to_end() == aborted);
}

BOOST_AUTO_TEST_CASE(its_clients_outlive_it_and_fail)
{
    bring_to("running");
    notes.reset();
    servers[0].expect_failure(called, errc::session_closed);
    now->ping()(called_void.token());
    servers[0].expect_failure(called_void, errc::session_closed);
    now.reset();
    settle();
}

BOOST_AUTO_TEST_SUITE_END()
