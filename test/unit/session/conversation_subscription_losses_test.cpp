// Subscriptions that the client is not told of, that end before they begin, and clients that ask for too much.
// (Of lib/rpc/subscriptions; here for the dialogue.)

#include "support/dialogue.hpp"

#include <partyline/rpc/subscription.hpp>
#include <partyline/session/handler.hpp>
#include <partyline/session/task.hpp>

#include <boost/asio/detached.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace asio = boost::asio;
using namespace partyline::test;
using namespace partyline;

namespace {

std::string drop(std::string_view value)
{
    return notification("drops", "{\"subscription\":1,\"result\":" + std::string(value) + '}');
}

struct losses_fixture : dialogue {
    std::vector<subscription_sink> sinks;
    std::shared_ptr<int> captured = std::make_shared<int>(7); // by handlers
    const subscription_names drops = {"subscribe_drops", "drops", "unsubscribe_drops"};

    template <class F>
    void add(F handler, const subscription_options& how = {})
    {
        methods.add_subscription(drops, std::move(handler), how);
    }
    void add_kept(const subscription_options& how = {})
    {
        add([this](subscription_sink sink) { sinks.push_back(sink); }, how);
    }
    // One that goes on until its end.
    void add_task(const subscription_options& how = {})
    {
        add(
            [this, kept = captured](subscription_sink sink) -> task<> {
                sinks.push_back(sink);
                sink.try_send(*kept);
                co_await sink.closed();
            },
            how);
    }
    // Middleware that keeps the answer back.
    void hold_answers(gate& held)
    {
        methods.around_requests([&held](request_context&, json_view, next_handler& next) -> task<request_result> {
            request_result answer = co_await next();
            co_await held.wait();
            co_return answer;
        });
    }
    void subscribe() { send(request("1", "subscribe_drops")); }
    std::string refused()
    {
        std::string answer = receive();
        BOOST_TEST(answer.find("\"error\"") != std::string::npos, answer);
        return answer;
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(conversation_subscription_losses, losses_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(an_error_of_middleware_leaves_no_subscription)
{
    add([this](subscription_sink sink) {
        sinks.push_back(sink);
        sink.try_send(1);
    });
    methods.around_requests([](request_context&, json_view, next_handler& next) -> task<request_result> {
        request_result answer = co_await next();
        throw rpc_error(9, "Not you");
        co_return answer;
    });
    subscribe();
    BOOST_TEST(refused().find("Not you") != std::string::npos);
    expect_silence();
    BOOST_TEST(!sinks.at(0).is_open());
}

BOOST_AUTO_TEST_CASE(a_request_that_is_cancelled_leaves_no_subscription)
{
    gate held(context);
    hold_answers(held);
    add_task();
    subscribe();
    settle();
    send(notification("$/cancelRequest", R"({"id":1})"));
    BOOST_TEST(refused().find("-32800") != std::string::npos);
    expect_silence();
    BOOST_TEST(sinks.empty()); // the coroutine has not begun
}

BOOST_AUTO_TEST_CASE(a_session_that_goes_before_the_answer_takes_the_task_with_it)
{
    gate held(context);
    hold_answers(held);
    add_task();
    subscribe();
    settle();
    destroy_session();
    settle();
    BOOST_TEST(!holds_methods());
    BOOST_TEST(captured.use_count() == 1);
    BOOST_TEST(sinks.empty());
}

BOOST_AUTO_TEST_CASE(a_session_that_ends_with_the_answer_takes_the_task_with_it)
{
    add_task();
    send(request("1", "subscribe_drops"));
    end_input();
    BOOST_TEST(!wait_end());
    settle();
    destroy_session();
    sinks.clear();
    settle();
    BOOST_TEST(captured.use_count() == 1);
}

BOOST_AUTO_TEST_CASE(a_task_elsewhere_ends_with_the_session)
{
    const auto work = asio::make_work_guard(context); // what happens elsewhere is waited for
    asio::thread_pool pool(1);
    add_task({.executor = pool.get_executor()});
    subscribe();
    expect(result("1", "1"));
    expect(drop("7"));
    destroy_session();
    settle();
    pool.join(); // which waits for the coroutine
    BOOST_TEST(!sinks.at(0).is_open());
}

BOOST_AUTO_TEST_CASE(a_client_unsubscribes_before_it_knows_the_id)
{
    add_task();
    send(request("1", "subscribe_drops") + '\n' + request("2", "unsubscribe_drops", "[1]"));
    expect(result("1", "1"));
    std::string answer = receive();
    if (answer == drop("7")) // it may have begun in between
        answer = receive();
    BOOST_TEST(answer == result("2", "true"));
    expect_silence();
    for (const subscription_sink& one : sinks)
        BOOST_TEST(!one.is_open());
}

BOOST_AUTO_TEST_CASE(an_id_is_a_number_that_may_be_one)
{
    add_kept();
    subscribe();
    expect(result("1", "1"));
    for (const std::string_view params :
         {R"(["1"])", "[-1]", "[18446744073709551616]", "[1.5]", "[null]", "[]", "{}"}) {
        send(request("2", "unsubscribe_drops", params));
        BOOST_TEST(refused().find("-32602") != std::string::npos, params);
    }
    send(request("3", "unsubscribe_drops", "[2]"));
    expect(result("3", "false"));
    BOOST_TEST(sinks.at(0).is_open());
    send(request("4", "unsubscribe_drops", "[1]"));
    expect(result("4", "true"));
}

BOOST_AUTO_TEST_CASE(what_is_still_queued_takes_the_place_of_a_subscription)
{
    options.bounds.outbox_soft_bytes = 4096;
    add(
        [](subscription_sink sink) {
            for (int i = 0; i != 100; ++i)
                sink.try_send(std::string(5000, 'x'));
            sink.close();
        },
        {.max_per_session = 1, .queue_bytes = 1'000'000});
    stop_reading();
    subscribe();
    settle();
    send(request("2", "subscribe_drops"));
    settle();
    resume_reading();
    std::size_t values = 0;
    for (int i = 0; i != 102; ++i) {
        const std::string one = receive();
        if (one.find("xxx") != std::string::npos)
            ++values;
        else if (one != result("1", "1"))
            BOOST_TEST(one.find("-31001") != std::string::npos, one);
    }
    BOOST_TEST(values == 100u);
    send(request("3", "subscribe_drops"));
    expect(result("3", "2"));
}

BOOST_AUTO_TEST_CASE(an_answer_that_waits_for_room_comes_before_what_is_sent)
{
    options.bounds.outbox_soft_bytes = 4096;
    options.bounds.outbox_hard_bytes = 16'384;
    methods.add("long", [] { return std::string(200'000, 'x'); });
    gate held(context);
    hold_answers(held);
    add([](subscription_sink sink) { sink.try_send(1); });
    stop_reading();
    send(request("7", "long") + '\n' + request("1", "subscribe_drops"));
    settle();
    held.open();
    settle();
    resume_reading();
    BOOST_TEST(receive().size() > 200'000u);
    expect(result("1", "1"));
    expect(drop("1"));
}

BOOST_AUTO_TEST_CASE(an_error_without_a_text_is_an_internal_error_and_logged)
{
    add([](subscription_sink) -> task<> {
        throw rpc_error(1, "\xff");
        co_return;
    });
    subscribe();
    expect(result("1", "1"));
    BOOST_TEST(receive().find("\"error\":{\"code\":-32603,") != std::string::npos);
    BOOST_REQUIRE(logged.size() == 1u);
    BOOST_TEST(logged[0].find("threw an error that cannot be sent: ") != std::string::npos, logged[0]);
}

BOOST_AUTO_TEST_CASE(who_sends_the_newest_waits_until_nothing_is_queued)
{
    options.bounds.outbox_soft_bytes = 4096;
    add_kept({.queue_bytes = 8192});
    subscribe();
    expect(result("1", "1"));
    stop_reading();
    const std::string text(2048, 'x');
    std::size_t count = 0;
    for (; count != 1000 && sinks.at(0).try_send(text) == sink_status::sent; ++count)
        settle();
    BOOST_REQUIRE(count < 1000u);
    std::vector<bool> told;
    auto watch = [](subscription_sink sink, std::vector<bool>& to) -> task<> {
        to.push_back(co_await sink.wait_for_room());
        sink.close();
        to.push_back(co_await sink.wait_for_room());
    };
    partyline::co_spawn(context.get_executor(), watch(sinks[0], told), asio::detached);
    settle();
    BOOST_TEST(told.empty());
    resume_reading();
    for (std::size_t i = 0; i != count; ++i)
        expect(drop('"' + text + '"'));
    settle();
    BOOST_TEST(told == (std::vector<bool>{true, false}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_session_that_keeps_nothing_more_ends_the_subscription)
{
    options.bounds.outbox_soft_bytes = 4096;
    options.bounds.call_bytes = 10'000;
    add_kept();
    subscribe();
    expect(result("1", "1"));
    stop_reading();
    const std::string text(20'000, 'x');
    for (int i = 0; i != 1000 && sinks.at(0).is_open(); ++i) {
        sinks[0].try_send(text);
        settle();
    }
    BOOST_TEST(!sinks[0].is_open());
    BOOST_REQUIRE(logged.size() == 1u);
    BOOST_TEST(logged[0].starts_with("a notification of subscription 1 was not sent: "));
}

BOOST_AUTO_TEST_SUITE_END()
