#include "support/dialogue.hpp"
#include "support/outcome.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>

namespace asio = boost::asio;
namespace json = boost::json;
using namespace partyline::test;
using namespace std::chrono_literals;
using partyline::errc;
using partyline::error_code;
using partyline::request_context;

BOOST_FIXTURE_TEST_SUITE(conversation_calls_end, dialogue, *boost::unit_test::timeout(60))

// rule: security.messages.settled
BOOST_AUTO_TEST_CASE(the_end_of_input_fails_what_is_open)
{
    outcome o;
    server().call("a", nullptr)(o.handler());
    expect(request("1", "a"));
    end_input();
    BOOST_TEST(wait_end() == error_code(errc::peer_closed));
    BOOST_TEST(o.text() == failed(errc::peer_closed));
}

BOOST_AUTO_TEST_CASE(replies_before_the_end_of_input_are_taken)
{
    outcome o;
    server().call("a", nullptr)(o.handler());
    receive();
    send(result("1", "1"));
    end_input();
    BOOST_TEST(wait_end() == error_code());
    BOOST_TEST(o.text() == "result 1");
}

BOOST_AUTO_TEST_CASE(a_handler_can_not_call_who_does_not_answer_any_more)
{
    gate later{context};
    methods.add("work", [&](request_context& c) -> asio::awaitable<std::string> {
        co_await later.wait();
        const auto [code, reply] = co_await c.call("back", nullptr)(asio::as_tuple(asio::use_awaitable));
        co_return code.message();
    });
    send(request("1", "work"));
    end_input();
    run_until([&] { return later.arrivals == 1 && server().counters().messages_in == 1; });
    settle();
    later.open();
    expect(result("1", '"' + error_code(errc::peer_closed).message() + '"'));
    BOOST_TEST(wait_end() == error_code());
}

// rule: security.messages.settled
BOOST_AUTO_TEST_CASE(stopping_fails_what_is_open)
{
    outcome o, later;
    server().call("a", nullptr)(o.handler());
    receive();
    server().stop();
    BOOST_TEST(wait_end() == error_code(asio::error::operation_aborted));
    BOOST_TEST(o.text() == failed(errc::session_closed));
    server().call("b", nullptr)(later.handler());
    run_until([&] { return later.is_there(); });
    BOOST_TEST(later.text() == failed(errc::session_closed));
}

BOOST_AUTO_TEST_CASE(destruction_fails_what_is_open)
{
    outcome o;
    server().call("a", nullptr)(o.handler());
    receive();
    destroy_session();
    run_until([&] { return o.is_there() && has_ended(); });
    BOOST_TEST(o.text() == failed(errc::session_closed));
}

BOOST_AUTO_TEST_CASE(a_session_that_never_ran_fails_its_calls)
{
    outcome stopped, destroyed;
    {
        auto [ours, theirs] = partyline::memory_stream::make_pair(context.get_executor());
        partyline::session idle(std::move(ours));
        idle.call("a", nullptr)(stopped.handler());
        idle.stop();
        run_until([&] { return stopped.is_there(); });
        partyline::session other(std::move(theirs));
        other.call("a", nullptr)(destroyed.handler());
    }
    run_until([&] { return destroyed.is_there(); });
    BOOST_TEST(stopped.text() == failed(errc::session_closed));
    BOOST_TEST(destroyed.text() == failed(errc::session_closed));
}

BOOST_AUTO_TEST_CASE(a_call_made_before_the_session_runs_is_sent_then)
{
    auto [ours, theirs] = partyline::memory_stream::make_pair(context.get_executor());
    partyline::method_table own;
    own.add("add", [](int a, int b) { return a + b; });
    partyline::session caller(std::move(ours));
    partyline::session callee(std::move(theirs), std::move(own));
    outcome sum;
    caller.call("add", {1, 2})(sum.handler());
    settle();
    callee.async_run([](error_code) {});
    settle();
    BOOST_TEST(!sum.is_there());
    caller.async_run([](error_code) {});
    run_until([&] { return sum.is_there(); });
    BOOST_TEST(sum.text() == "result 3");
}

// rule: security.messages.settled
BOOST_AUTO_TEST_CASE(a_peer_that_is_gone_fails_what_is_open)
{
    outcome first, second;
    server().call("a", nullptr)(first.handler());
    receive();
    close_connection();
    server().call("b", nullptr)(second.handler());
    wait_end();
    BOOST_TEST((first.code == error_code(errc::peer_closed) || first.code == error_code(errc::peer_gone)));
    BOOST_TEST(second.times == 1);
    BOOST_TEST(bool(second.code));
}

BOOST_AUTO_TEST_CASE(closing_waits_for_replies_and_for_handlers)
{
    gate later{context};
    methods.add("work", [&](request_context& c) -> asio::awaitable<bool> {
        co_await later.wait();
        co_return c.stopping();
    });
    outcome o, refused;
    server().call("a", nullptr)(o.handler());
    expect(request("1", "a"));
    send(request("7", "work"));
    run_until([&] { return later.arrivals == 1; });
    server().close();
    server().call("b", nullptr)(refused.handler());
    run_until([&] { return refused.is_there(); });
    BOOST_TEST(refused.text() == failed(errc::session_closed));
    expect_silence();
    later.open();
    expect(result("7", "true"));
    settle();
    BOOST_TEST(!is_closed());
    send(result("1", "1"));
    run_until([&] { return o.is_there(); });
    BOOST_TEST(o.text() == "result 1");
    run_until([&] { return is_closed(); }); // for sending: the peer reads the end
    BOOST_TEST(!has_ended());               // and may still end its own side
    end_input();
    BOOST_TEST(wait_end() == error_code());
}

BOOST_AUTO_TEST_CASE(closing_does_not_wait_for_ever_for_replies)
{
    options.drain_timeout = 20ms;
    outcome o;
    server().call("a", nullptr)(o.handler());
    receive();
    server().close();
    BOOST_TEST(wait_end() == error_code(errc::drain_timeout));
    BOOST_TEST(o.text() == failed(errc::session_closed));
}

BOOST_AUTO_TEST_CASE(closing_does_not_wait_for_ever_for_the_peer)
{
    options.close_timeout = 20ms;
    start();
    server().close();
    BOOST_TEST(wait_end() == error_code());
}

BOOST_AUTO_TEST_CASE(stopping_ends_the_waiting_for_the_peer)
{
    options.close_timeout = std::chrono::hours(1);
    start();
    server().close();
    run_until([&] { return is_closed(); });
    server().stop();
    BOOST_TEST(wait_end() == error_code());
}

BOOST_AUTO_TEST_CASE(what_the_peer_says_while_we_wait_for_its_end_is_ignored)
{
    start();
    server().close();
    run_until([&] { return is_closed(); });
    send(request("1", "echo"));
    end_input();
    BOOST_TEST(wait_end() == error_code());
}

BOOST_AUTO_TEST_CASE(closing_goes_on_serving_until_all_is_done)
{
    methods.add("echo", [](json::value v) { return v; });
    outcome o;
    server().call("a", nullptr)(o.handler());
    receive();
    server().close();
    send(request("9", "echo", "[1]"));
    expect(result("9", "[1]"));
    send(R"({"jsonrpc":"2.0","id":1,"error":{"code":7,"message":"no"}})");
    end_input();
    BOOST_TEST(wait_end() == error_code());
    BOOST_TEST(o.text() == "error 7 no");
}

BOOST_AUTO_TEST_CASE(an_io_context_can_go_away_with_calls_open)
{
    const auto watched = std::make_shared<int>(1);
    {
        asio::io_context own;
        auto [ours, theirs] = partyline::memory_stream::make_pair(own.get_executor());
        partyline::session caller(std::move(ours));
        caller.async_run([](error_code) {});
        caller.call("a", nullptr)([watched](auto...) {});
        own.poll();
        BOOST_TEST(watched.use_count() == 2);
    }
    BOOST_TEST(watched.use_count() == 1);
}

// Their owner destroys the sessions first and the io_context then, and runs nothing in between.
// rule: security.memory.session
BOOST_AUTO_TEST_CASE(sessions_and_an_io_context_can_go_away_with_calls_of_handlers_open)
{
    std::weak_ptr<int> frames;
    {
        asio::io_context own;
        const auto kept = std::make_shared<int>(0);
        frames = kept;
        int begun = 0;
        partyline::method_table methods;
        methods.add("coroutine", [&begun, kept](request_context& r) -> asio::awaitable<json::value> {
            ++begun;
            auto got = co_await r.call<json::value>("ask", nullptr)(asio::use_awaitable);
            co_return std::move(got).value();
        });
        methods.add("task", [&begun, kept](request_context& r) -> partyline::task<json::value> {
            ++begun;
            auto got = co_await r.call<json::value>("ask", nullptr)(asio::deferred);
            co_return std::move(got).value();
        });
        auto [ours, theirs] = partyline::memory_stream::make_pair(own.get_executor());
        partyline::session peer(std::move(ours));
        partyline::session session(std::move(theirs), std::move(methods));
        peer.async_run([](error_code) {});
        session.async_run([](error_code) {});
        for (const char* method : {"coroutine", "task"})
            peer.call(method, nullptr)([](auto...) {});
        while (begun < 2)
            own.run_one();
    }
    BOOST_TEST(frames.expired());
}

BOOST_AUTO_TEST_SUITE_END()
