// The largest duration means never, and a negative one at once, wherever one can be given.

#include "support/dialogue.hpp"
#include "support/outcome.hpp"

#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

namespace asio = boost::asio;
namespace json = boost::json;
using namespace partyline::test;
using namespace std::chrono_literals;
using partyline::call_options;
using partyline::errc;
using partyline::error_code;
using partyline::method_options;
using partyline::request_context;
using duration = std::chrono::steady_clock::duration;

namespace {

// Any that does not end before the clock does.
constexpr duration endless[] = {duration::max(), duration::max() - 1ns, std::chrono::hours(24 * 365 * 292)};
constexpr duration negative[] = {-1ns, -1h, duration::min()};

struct fixture : dialogue {
    gate held{context};

    void add_wait(duration deadline = {})
    {
        methods.add(
            "wait",
            [this](request_context&) -> asio::awaitable<int> {
                co_await held.wait();
                co_return 1;
            },
            method_options{.deadline = deadline});
    }
    void add_stubborn()
    {
        methods.add("stubborn", [this](request_context&) -> asio::awaitable<int> {
            co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
            co_await held.wait();
            co_return 1;
        });
    }
};

} // namespace

BOOST_AUTO_TEST_SUITE(conversation_durations, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(a_call_may_take_for_ever)
{
    for (const duration never : endless) {
        fixture f;
        call_options how;
        how.timeout(never);
        how.idle_timeout(never);
        outcome o;
        f.server().call("a", nullptr, how)(o.handler());
        f.expect(request("1", "a"));
        f.expect_silence();
        BOOST_TEST(!o.is_there());
        f.send(notification("$/progress", R"({"token":1,"value":1})"));
        f.expect_silence();
        f.send(result("1", "1"));
        f.run_until([&] { return o.is_there(); });
        BOOST_TEST(o.text() == "result 1");
    }
}

BOOST_AUTO_TEST_CASE(or_no_time_at_all)
{
    for (const duration none : negative) {
        for (const bool is_idle : {false, true}) {
            fixture f;
            call_options how;
            is_idle ? how.idle_timeout(none) : how.timeout(none);
            outcome o;
            f.server().call("a", nullptr, how)(o.handler());
            f.run_until([&] { return o.is_there(); });
            BOOST_TEST((o.code == errc::timeout));
            f.expect(request("1", "a"));
            f.expect(cancel("1"));
        }
    }
}

BOOST_AUTO_TEST_CASE(so_may_a_request)
{
    for (const duration never : endless) {
        fixture f;
        f.add_wait(never);
        f.send(request("1", "wait"));
        f.expect_silence();
        f.held.open();
        f.expect(result("1", "1"));
    }
    for (const duration none : negative) {
        fixture f;
        f.add_wait(none);
        f.send(request("1", "wait"));
        f.expect(cancelled("1", "deadline exceeded"));
    }
}

BOOST_AUTO_TEST_CASE(what_is_under_way_at_the_end_of_input)
{
    for (const duration never : endless) {
        fixture f;
        f.options.drain_timeout = never;
        f.add_wait();
        f.send(request("1", "wait"));
        f.end_input();
        f.expect_silence();
        f.held.open();
        f.expect(result("1", "1"));
        BOOST_TEST(f.wait_end() == error_code());
    }
    for (const duration none : negative) {
        fixture f;
        f.options.drain_timeout = none;
        f.add_wait();
        f.send(request("1", "wait"));
        f.end_input();
        f.expect(cancelled("1", "input has ended and the drain timeout is over"));
        BOOST_TEST((f.wait_end() == errc::drain_timeout));
    }
}

BOOST_AUTO_TEST_CASE(a_handler_that_ignores_its_cancellation)
{
    for (const duration never : endless) {
        fixture f;
        f.options.cancel_grace = never;
        f.add_stubborn();
        f.send(request("1", "stubborn"));
        f.settle();
        f.server().stop();
        f.settle();
        BOOST_TEST(!f.has_ended());
        BOOST_TEST(f.logged.empty());
        f.held.open();
        f.wait_end();
    }
    for (const duration none : negative) {
        fixture f;
        f.options.cancel_grace = none;
        f.add_stubborn();
        f.send(request("1", "stubborn"));
        f.settle();
        f.server().stop();
        f.wait_end();
        BOOST_TEST(f.logged.size() == 1u);
        f.held.open();
    }
}

BOOST_AUTO_TEST_CASE(the_peers_own_end)
{
    for (const duration never : endless) {
        fixture f;
        f.options.close_timeout = never;
        f.start();
        f.server().close();
        f.run_until([&] { return f.is_closed(); });
        f.settle();
        BOOST_TEST(!f.has_ended());
        f.end_input();
        BOOST_TEST(f.wait_end() == error_code());
    }
    for (const duration none : negative) {
        fixture f;
        f.options.close_timeout = none;
        f.start();
        f.server().close();
        BOOST_TEST(f.wait_end() == error_code());
    }
}

BOOST_AUTO_TEST_CASE(a_peer_that_does_not_read)
{
    const auto fill = [](fixture& f) {
        f.methods.add("echo", [](json::value v) { return v; });
        f.stop_reading();
        const std::string text(1'000'000, 'x');
        f.send(request("1", "echo", "[\"" + text + "\"]"));
        f.settle();
    };
    for (const duration never : endless) {
        fixture f;
        f.options.write_stall = never;
        fill(f);
        BOOST_TEST(!f.has_ended());
        f.resume_reading();
        BOOST_TEST(f.receive().size() > 1'000'000u);
    }
    for (const duration none : negative) {
        fixture f;
        f.options.write_stall = none;
        f.options.cancel_grace = 0s;
        fill(f);
        BOOST_TEST((f.wait_end() == errc::write_stalled));
    }
}

BOOST_AUTO_TEST_SUITE_END()
