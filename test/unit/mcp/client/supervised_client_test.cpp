// Servers that die, and what becomes of the clients.

#include "supervised_fixture.hpp"

#include <partyline/transport/child_exit.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/test/data/test_case.hpp>

namespace asio = boost::asio;
namespace data = boost::unit_test::data;
using namespace partyline;
using namespace partyline::test;
using namespace std::chrono_literals;

namespace {

begun<mcp::tool_answer> begin_call(mcp::client& by)
{
    begun<mcp::tool_answer> called;
    by.call_tool("find")(called.token());
    return called;
}

std::string expect_find(scripted_peer& at)
{
    return at.expect_request("tools/call", R"({"name":"find","arguments":{}})");
}

// The call is answered.
void check_call(scripted_peer& at, mcp::client& by)
{
    begun<mcp::tool_answer> called = begin_call(by);
    at.reply(expect_find(at), R"({"resultType":"complete","content":[]})");
    BOOST_TEST(!at.wait(called).failed());
}

const auto eras = data::make({"modern", "legacy"});

} // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_supervised_client, supervised_client_fixture, *boost::unit_test::timeout(60))

BOOST_DATA_TEST_CASE(who_waits_gets_the_client_when_it_is_started, eras, era)
{
    make();
    ready_client early = begin_ready();
    settle();
    BOOST_TEST(starts == 0u);
    run_made();
    scripted_peer& first = server(0);
    ready_client later = begin_ready();
    settle();
    BOOST_TEST(!early.has_ended());
    std::string(era) == "modern" ? first.greet_modern() : first.greet_legacy();
    const std::shared_ptr<mcp::client> now = ready();
    BOOST_TEST(*first.wait(early).outcome() == now);
    BOOST_TEST(*first.wait(later).outcome() == now);
    check_call(first, *now);
    BOOST_TEST((state() == supervisor_state::running));
    BOOST_TEST(notes->status().starts == 1u);
    BOOST_TEST(!notes->status().last_end);
}

BOOST_DATA_TEST_CASE(after_a_death_there_is_another_client, eras, era)
{
    run();
    const bool is_modern = std::string(era) == "modern";
    const std::shared_ptr<mcp::client> first = is_modern ? start_modern() : start_legacy();
    begun<mcp::tool_answer> lost = begin_call(*first);
    expect_find(servers[0]);
    servers[0].end();
    servers[0].expect_failure(lost, errc::peer_closed);
    const std::shared_ptr<mcp::client> second = is_modern ? start_modern(1) : start_legacy(1);
    BOOST_TEST(second != first);
    check_call(servers[1], *second);
    servers[1].expect_silence();
    BOOST_TEST(notes->status().starts == 2u);
    BOOST_TEST((notes->status().last_end == errc::peer_closed));
    BOOST_TEST(changes == (std::vector<std::string>{"starting", "running", "waiting", "starting", "running"}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_client_that_its_user_moved_from_is_still_the_one_that_is_there)
{
    run();
    const std::shared_ptr<mcp::client> first = start_modern();
    const mcp::client taken(std::move(*first));
    BOOST_TEST(ready() == first);
}

BOOST_AUTO_TEST_CASE(a_dead_client_fails_each_call_at_once_and_sends_nothing)
{
    run();
    const std::shared_ptr<mcp::client> first = start_modern();
    begun<mcp::tool_answer> lost = begin_call(*first);
    expect_find(servers[0]);
    servers[0].end();
    const std::shared_ptr<mcp::client> second = start_modern(1);
    servers[1].expect_failure(lost, errc::peer_closed);
    begun<mcp::tool_answer> late = begin_call(*first);
    servers[1].expect_failure(late, errc::peer_closed);
    begun<void> subscribed;
    first->subscribe("a:b")(subscribed.token());
    servers[1].expect_failure(subscribed, errc::peer_closed);
    servers[1].expect_silence();
}

BOOST_AUTO_TEST_CASE(its_own_handlers_are_told_of_the_end_as_well)
{
    std::vector<error_code> told;
    prepare = [&](mcp::client& made) { made.on_ended([&](error_code how) { told.push_back(how); }); };
    run();
    start_modern();
    servers[0].end();
    start_modern(1);
    BOOST_TEST_REQUIRE(told.size() == 1u);
    BOOST_TEST(!told[0]); // nothing was under way
    BOOST_TEST((notes->status().last_end == errc::peer_closed));
}

// It is on its way out while a handler of it still runs.
BOOST_DATA_TEST_CASE(a_client_that_is_dying_is_given_to_nobody, data::make({"waits", "fails"}), kind)
{
    asio::steady_timer held(context, 1h);
    prepare = [&](mcp::client& made) {
        made.on_elicit([&](const mcp::elicit_request&) -> task<mcp::elicit_answer> {
            co_await held.async_wait(asio::as_tuple(asio::deferred));
            co_return mcp::elicit_answer::decline();
        });
    };
    const bool waits = std::string(kind) == "waits";
    options.ready_while_down = waits ? while_down::wait : while_down::fail;
    run();
    server(0).greet_legacy();
    run_until_state(supervisor_state::running);
    BOOST_TEST(ready());
    servers[0].send(R"({"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"Sure?",
                        "requestedSchema":{"type":"object"}}})");
    settle();
    servers[0].end_output();
    settle();
    BOOST_TEST((state() == supervisor_state::running));
    ready_client asked = begin_ready();
    settle();
    BOOST_TEST(asked.has_ended() != waits);
    held.cancel();
    server(1).greet_legacy();
    run_until([&] { return notes->status().starts == 2u && state() == supervisor_state::running; });
    servers[1].wait(asked);
    BOOST_TEST(asked.failed() == (waits ? error_code() : error_code(errc::not_running)));
}

BOOST_AUTO_TEST_CASE(without_a_client_nobody_waits_who_is_not_to)
{
    options.ready_while_down = while_down::fail;
    options.restart.first_delay = options.restart.max_delay = 1h;
    make();
    BOOST_TEST((failure_of_ready() == errc::not_running));
    run_made();
    server(0);
    BOOST_TEST((failure_of_ready() == errc::not_running));
    servers[0].greet_modern();
    run_until_state(supervisor_state::running);
    BOOST_TEST(ready());
    servers[0].end();
    run_until_state(supervisor_state::waiting);
    ready_client asked = begin_ready();
    servers[0].expect_failure(asked, errc::not_running, "the peer ended the conversation before it replied");
}

BOOST_AUTO_TEST_CASE(who_waits_may_cancel_that)
{
    run();
    server(0);
    ready_client asked = begin_ready();
    ready_client other = begin_ready();
    settle();
    asked.cancel();
    servers[0].expect_failure(asked, asio::error::operation_aborted);
    servers[0].greet_modern();
    BOOST_TEST(!servers[0].wait(other).failed());
    BOOST_TEST(asked.completions() == 1);
}

BOOST_AUTO_TEST_CASE(a_server_that_always_dies_is_given_up)
{
    options.on_change = nullptr;
    options.restart.max_starts = 2;
    run();
    ready_client waiting = begin_ready();
    for (std::size_t start : {0, 1}) {
        server(start).receive();
        servers[start].end();
    }
    BOOST_TEST((run_to_end() == errc::peer_closed));
    const std::string why = "the peer ended the conversation before it replied";
    servers[1].expect_failure(waiting, errc::gave_up, why);
    ready_client late = begin_ready();
    servers[1].expect_failure(late, errc::gave_up, why);
    BOOST_TEST((state() == supervisor_state::ended));
    BOOST_TEST(notes->status().starts == 2u);
    BOOST_TEST(logged == (std::vector<std::string>{why + "; it is started again", why + "; it is not started again"}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_end_in_order_is_the_end_where_only_failures_count)
{
    options.restart.after = restart_after::failure;
    run();
    const std::shared_ptr<mcp::client> first = start_modern();
    begun<mcp::tool_answer> lost = begin_call(*first);
    expect_find(servers[0]);
    servers[0].end();
    start_modern(1);
    servers[1].end();
    BOOST_TEST(!run_to_end());
    BOOST_TEST(starts == 2u);
    BOOST_TEST((failure_of_ready() == errc::gave_up));
}

BOOST_AUTO_TEST_CASE(a_handshake_that_fails_is_a_failed_start)
{
    options.restart.max_starts = 1;
    client_options.era = mcp::wanted_era::modern;
    run();
    const std::string id = server(0).expect_request("server/discover", "{}");
    servers[0].refuse(id, R"({"code":-32601,"message":"Method not found"})");
    BOOST_TEST((run_to_end() == errc::start_failed));
    BOOST_TEST(notes->status().last_words.find("Method not found") != std::string::npos);
    BOOST_TEST(servers[0].has_left());
}

BOOST_AUTO_TEST_CASE(a_server_that_is_a_process_is_started_again)
{
    options.restart.first_delay = 0s;
    notes.emplace(
        context.get_executor(), [this] { return mcp::client(context.get_executor(), {PARTYLINE_MCP_CHILD}); }, options);
    run_made();
    for (int i = 0; i != 3; ++i) {
        const std::shared_ptr<mcp::client> now = ready();
        begun<mcp::tool_answer> sum;
        now->call_tool("add", named("a", i, "b", 40))(sum.token());
        run_until([&] { return sum.has_ended(); });
        BOOST_TEST(sum.outcome()->as<int>() == i + 40);
        begun<mcp::tool_answer> died;
        now->call_tool("die")(died.token());
        run_until([&] { return died.has_ended(); });
        BOOST_TEST(died.failed() == child_exit::with_status(3).code());
        begun<mcp::tool_answer> late;
        now->call_tool("die")(late.token());
        run_until([&] { return late.has_ended(); });
        BOOST_TEST(late.failed() == child_exit::with_status(3).code());
    }
    BOOST_TEST(ready());
    notes->close();
    BOOST_TEST(!run_to_end());
    BOOST_TEST(notes->status().starts == 4u);
}

BOOST_AUTO_TEST_SUITE_END()
