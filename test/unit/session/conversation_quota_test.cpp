// How often and how much at once a peer may call: what its requests take from a quota is given back, once.

#include "support/dialogue.hpp"

#include <partyline/session/request_quota.hpp>

#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <utility>

namespace asio = boost::asio;
namespace json = boost::json;
using namespace partyline::test;
using partyline::errc;
using partyline::quota_limits;
using partyline::request_context;
using partyline::request_quota;

namespace {

constexpr double next_to_never = 1e-9; // so that no time passes that counts

std::string beyond(const std::string& id, long long retry_after)
{
    return R"({"jsonrpc":"2.0","id":)" + id +
           R"(,"error":{"code":-31002,"message":"Too many requests","data":{"retry_after_ms":)" +
           std::to_string(retry_after) + "}}}";
}

constexpr long long a_day = 24LL * 3600 * 1000;
constexpr long long a_second = 1000;

struct everything_but final : partyline::access_view {
    explicit everything_but(std::string name) : hidden(std::move(name)) {}
    partyline::access_verdict judge(std::string_view method, std::string_view) const noexcept override
    {
        return {method == hidden ? partyline::access_answer::hidden : partyline::access_answer::allowed};
    }
    const std::string hidden;
};

struct fixture : dialogue {
    gate held{context};
    int notes = 0;

    fixture()
    {
        methods.add("echo", [](json::value params) { return params; });
        methods.add("fail", []() -> int { throw partyline::rpc_error(7, "no"); });
        methods.add("long", [] { return std::string(150'000, 'x'); });
        const auto wait = [this](request_context&) -> asio::awaitable<int> {
            co_await held.wait();
            co_return 1;
        };
        methods.add("wait", wait);
        methods.add("watch", wait, partyline::method_options{.open_ended = true});
        methods.add_notification("note", [this] { ++notes; });
    }

    std::shared_ptr<request_quota> limit(const quota_limits& to)
    {
        return options.quota = std::make_shared<request_quota>(to);
    }
    // As many as there may be at once.
    static int places(request_quota& quota)
    {
        int free = 0;
        while (!quota.take(request_quota::clock::now()))
            ++free;
        for (int i = 0; i != free; ++i)
            quota.release();
        return free;
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(conversation_quota, fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(requests_beyond_the_rate_are_refused)
{
    limit({.requests_per_second = next_to_never, .burst = 2});
    send(request("1", "echo"));
    send(request("2", "fail"));
    send(request("3", "echo"));
    expect(result("1", "null"));
    BOOST_TEST(receive().find(R"("code":7)") != std::string::npos);
    expect(beyond("3", a_day));
    send(request("3", "echo")); // its id is free
    expect(beyond("3", a_day));
    BOOST_TEST(server().counters().requests == 4u);
}

BOOST_AUTO_TEST_CASE(requests_beyond_what_may_be_in_flight_are_refused)
{
    const auto quota = limit({.at_once = 2});
    send(request("1", "wait"));
    send(request("2", "wait"));
    send(request("3", "wait"));
    expect(beyond("3", a_second));
    held.open();
    expect_in_any_order({result("1", "1"), result("2", "1")});
    BOOST_TEST(places(*quota) == 2);
}

BOOST_AUTO_TEST_CASE(notifications_beyond_the_rate_are_dropped_and_counted)
{
    const auto quota = limit({.requests_per_second = next_to_never, .burst = 3, .at_once = 1});
    for (int i = 0; i != 5; ++i)
        send(notification("note"));
    send(request("1", "echo"));
    expect(beyond("1", a_day));
    BOOST_TEST(notes == 3);
    BOOST_TEST(server().counters().dropped == 2u);
}

BOOST_AUTO_TEST_CASE(notifications_take_no_place)
{
    limit({.at_once = 1});
    send(request("1", "wait"));
    send(notification("note"));
    send(notification("note"));
    send(cancel("1"));
    expect(cancelled("1"));
    BOOST_TEST(notes == 2);
}

BOOST_AUTO_TEST_CASE(requests_of_open_ended_methods_take_no_place)
{
    const auto quota = limit({.at_once = 1});
    send(request("1", "watch"));
    send(request("2", "watch"));
    run_until([&] { return held.arrivals == 2; });
    BOOST_TEST(places(*quota) == 1);
    send(request("3", "echo"));
    expect(result("3", "null"));
    held.open();
    expect_in_any_order({result("1", "1"), result("2", "1")});
    BOOST_TEST(places(*quota) == 1);
}

BOOST_AUTO_TEST_CASE(requests_of_open_ended_methods_count_with_the_rate)
{
    limit({.requests_per_second = next_to_never, .burst = 2});
    send(request("1", "watch"));
    send(request("2", "echo"));
    expect(result("2", "null"));
    send(request("3", "watch"));
    expect(beyond("3", a_day));
}

BOOST_AUTO_TEST_CASE(a_cancel_counts_with_no_quota)
{
    limit({.requests_per_second = next_to_never, .burst = 1});
    send(request("1", "wait"));
    send(cancel("1"));
    expect(cancelled("1"));
}

BOOST_AUTO_TEST_CASE(only_what_the_view_has_allowed_counts)
{
    limit({.requests_per_second = next_to_never, .burst = 1});
    options.access = std::make_shared<const everything_but>("fail");
    for (int i = 0; i != 3; ++i) {
        send(request("1", "fail"));
        BOOST_TEST(receive().find("-32601") != std::string::npos);
        send(request("1", "which there is not"));
        BOOST_TEST(receive().find("-32601") != std::string::npos);
    }
    send(request("2", "echo"));
    expect(result("2", "null"));
    send(request("3", "echo"));
    expect(beyond("3", a_day));
}

BOOST_AUTO_TEST_CASE(what_waits_has_its_place_and_a_cancel_gives_it_back)
{
    const auto quota = limit({.at_once = 2});
    options.bounds.in_flight_requests = 1;
    send(request("1", "wait"));
    send(request("2", "wait"));
    send(request("3", "echo"));
    expect(beyond("3", a_second));
    send(cancel("2"));
    expect(cancelled("2"));
    send(request("3", "echo"));
    expect_silence(); // waits
    BOOST_TEST(places(*quota) == 0);
    held.open();
    expect_in_any_order({result("1", "1"), result("3", "null")});
    BOOST_TEST(places(*quota) == 2);
}

BOOST_AUTO_TEST_CASE(what_finds_no_room_to_wait_gives_its_place_back)
{
    const auto quota = limit({.at_once = 3});
    options.bounds.in_flight_requests = 1;
    options.bounds.waiting_requests = 1;
    send(request("1", "wait"));
    send(request("2", "wait"));
    send(request("3", "wait"));
    BOOST_TEST(receive().find("-31001") != std::string::npos);
    BOOST_TEST(places(*quota) == 1);
    held.open();
    expect_in_any_order({result("1", "1"), result("2", "1")});
    BOOST_TEST(places(*quota) == 3);
}

BOOST_AUTO_TEST_CASE(a_second_request_of_an_id_takes_nothing)
{
    const auto quota = limit({.at_once = 2});
    send(request("1", "wait"));
    send(request("1", "wait"));
    BOOST_TEST(receive().find("-32600") != std::string::npos);
    BOOST_TEST(places(*quota) == 1);
    held.open();
    expect(result("1", "1"));
    BOOST_TEST(places(*quota) == 2);
}

BOOST_AUTO_TEST_CASE(elements_of_a_batch_count_one_by_one)
{
    const auto quota = limit({.at_once = 2});
    send('[' + request("1", "wait") + ',' + request("2", "echo") + ',' + request("3", "wait") + ',' +
         request("4", "echo") + ']');
    expect_silence();
    held.open();
    expect('[' + result("2", "null") + ',' + beyond("4", a_second) + ',' + result("1", "1") + ',' + result("3", "1") +
           ']');
    BOOST_TEST(places(*quota) == 2);
}

BOOST_AUTO_TEST_CASE(a_reply_without_room_keeps_its_place_until_it_is_sent)
{
    const auto quota = limit({.at_once = 3});
    options.bounds.outbox_soft_bytes = 1000;
    options.bounds.outbox_hard_bytes = 100'000;
    start();
    stop_reading();
    send(request("1", "wait"));
    send(request("2", "long"));
    run_until([&] { return server().counters().messages_in == 2; });
    held.open();
    settle();
    BOOST_TEST(places(*quota) == 2);
    resume_reading();
    receive();
    expect(result("1", "1"));
    BOOST_TEST(places(*quota) == 3);
}

BOOST_AUTO_TEST_CASE(what_runs_elsewhere_has_its_place_until_it_has_ended)
{
    const auto quota = limit({.at_once = 1});
    asio::thread_pool pool(1);
    methods.add("elsewhere", [](int) { return 1; }, {"n"}, partyline::method_options{.executor = pool.get_executor()});
    for (int i = 0; i != 20; ++i) {
        send(request("1", "elsewhere", "[1]"));
        expect(result("1", "1"));
    }
    send(request("2", "elsewhere")); // params that are none
    BOOST_TEST(receive().find("-32602") != std::string::npos);
    BOOST_TEST(places(*quota) == 1);
}

BOOST_AUTO_TEST_CASE(the_end_of_a_session_gives_all_places_back)
{
    const auto quota = limit({.at_once = 3});
    options.bounds.in_flight_requests = 1;
    send(request("1", "wait"));
    send(request("2", "wait"));
    send('[' + request("3", "wait") + ']');
    run_until([&] { return server().counters().waiting == 2; });
    BOOST_TEST(places(*quota) == 0);
    server().stop();
    BOOST_TEST(wait_end() == make_error_code(asio::error::operation_aborted));
    BOOST_TEST(places(*quota) == 3);
}

BOOST_AUTO_TEST_CASE(a_handler_that_ignores_its_end_keeps_its_place)
{
    const auto quota = limit({.at_once = 2});
    options.cancel_grace = std::chrono::milliseconds(0);
    methods.add("stay", [this](request_context&) -> asio::awaitable<int> {
        co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
        co_await held.wait();
        co_return 1;
    });
    send(request("1", "stay"));
    run_until([&] { return held.arrivals == 1; });
    server().stop();
    wait_end();
    BOOST_TEST(places(*quota) == 1);
    held.open();
    settle();
    BOOST_TEST(places(*quota) == 2);
}

BOOST_AUTO_TEST_CASE(sessions_of_one_principal_share_its_quota)
{
    fixture other;
    const auto quota = limit({.at_once = 1});
    other.options.quota = quota;
    send(request("1", "wait"));
    run_until([&] { return held.arrivals == 1; });
    other.send(request("1", "echo"));
    other.expect(beyond("1", a_second));
    held.open();
    expect(result("1", "1"));
    other.send(request("2", "echo"));
    other.expect(result("2", "null"));
}

BOOST_AUTO_TEST_CASE(another_quota_holds_from_the_next_request_on)
{
    const auto first = limit({.at_once = 1});
    const auto second = std::make_shared<request_quota>(quota_limits{.at_once = 2});
    send(request("1", "wait"));
    run_until([&] { return held.arrivals == 1; });
    server().use_quota(second);
    settle();
    send(request("2", "wait"));
    run_until([&] { return held.arrivals == 2; });
    BOOST_TEST(places(*first) == 0);
    BOOST_TEST(places(*second) == 1);
    server().use_quota(nullptr);
    settle();
    send(request("3", "wait"));
    run_until([&] { return held.arrivals == 3; });
    BOOST_TEST(places(*second) == 1);
    held.open();
    expect_in_any_order({result("1", "1"), result("2", "1"), result("3", "1")});
    BOOST_TEST(places(*first) == 1);
    BOOST_TEST(places(*second) == 2);
}

BOOST_AUTO_TEST_SUITE_END()
