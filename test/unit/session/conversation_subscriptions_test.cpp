// The answer, what is sent, and what is refused. Their ends: conversation_subscription_ends_test.cpp.
// (Of lib/rpc/subscriptions; here for the dialogue.)

#include "support/dialogue.hpp"

#include <partyline/rpc/subscription.hpp>
#include <partyline/session/handler.hpp>
#include <partyline/session/task.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/json/value.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace asio = boost::asio;
namespace json = boost::json;
using namespace partyline::test;
using namespace partyline;

namespace {

std::string tick(std::string_view id, std::string_view value)
{
    return notification("ticks", "{\"subscription\":" + std::string(id) + ",\"result\":" + std::string(value) + '}');
}

std::string refusal(std::string_view id, std::string_view code, std::string_view message)
{
    return "{\"jsonrpc\":\"2.0\",\"id\":" + std::string(id) + ",\"error\":{\"code\":" + std::string(code) +
           ",\"message\":\"" + std::string(message) + "\"}}";
}

const subscription_names ticks = {"subscribe_ticks", "ticks", "unsubscribe_ticks"};

struct subscriptions_fixture : dialogue {
    std::vector<subscription_sink> sinks;

    void add_kept(const subscription_options& how = {})
    {
        methods.add_subscription(ticks, [this](subscription_sink sink) { sinks.push_back(sink); }, how);
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(conversation_subscriptions, subscriptions_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(a_coroutine_sends_after_the_answer)
{
    methods.add_subscription(ticks,
                             [](subscription_sink sink, int from, int count) -> task<> {
                                 for (int i = from; i != from + count; ++i)
                                     co_await sink.send(i);
                             },
                             {"from", "count"});
    send(request("7", "subscribe_ticks", R"({"count":3,"from":40})"));
    expect(result("7", "1"));
    expect(tick("1", "40"));
    expect(tick("1", "41"));
    expect(tick("1", "42"));
    expect_silence();
}

BOOST_AUTO_TEST_CASE(a_coroutine_of_asios_serves_as_well)
{
    methods.add_subscription(ticks, [](subscription_sink sink) -> asio::awaitable<void> {
        sink.try_send("so");
        co_return;
    });
    send(request("1", "subscribe_ticks"));
    expect(result("1", "1"));
    expect(tick("1", "\"so\""));
}

BOOST_AUTO_TEST_CASE(a_plain_function_keeps_the_sink_for_later)
{
    add_kept();
    send(request("1", "subscribe_ticks"));
    expect(result("1", "1"));
    BOOST_TEST((sinks.at(0).try_send(std::vector<int>{1, 2}) == sink_status::sent));
    expect(tick("1", "[1,2]"));
    std::thread elsewhere([this] { sinks[0].try_send(json::value(nullptr)); });
    elsewhere.join();
    expect(tick("1", "null"));
}

BOOST_AUTO_TEST_CASE(what_is_sent_before_the_answer_comes_after_it)
{
    gate held(context);
    methods.around_requests([&](request_context&, json_view, next_handler& next) -> task<request_result> {
        request_result answer = co_await next();
        co_await held.wait();
        co_return answer;
    });
    methods.add_subscription(ticks, [](subscription_sink sink) {
        sink.try_send(1);
        sink.try_send(2);
    });
    send(request("1", "subscribe_ticks"));
    expect_silence();
    held.open();
    expect(result("1", "1"));
    expect(tick("1", "1"));
    expect(tick("1", "2"));
}

BOOST_AUTO_TEST_CASE(kinds_share_their_ids_and_may_share_a_notification)
{
    add_kept();
    methods.add_subscription({"subscribe_tocks", "ticks", "unsubscribe_tocks"},
                             [this](subscription_sink sink) { sinks.push_back(sink); });
    send(request("1", "subscribe_ticks"));
    expect(result("1", "1"));
    send(request("2", "subscribe_tocks"));
    expect(result("2", "2"));
    sinks.at(1).try_send(5);
    expect(tick("2", "5"));
    send(request("3", "unsubscribe_tocks", "[1]"));
    expect(result("3", "false"));
    send(request("4", "unsubscribe_tocks", R"({"subscription":2})"));
    expect(result("4", "true"));
    BOOST_TEST(sinks[0].is_open());
    BOOST_TEST(!sinks[1].is_open());
}

BOOST_AUTO_TEST_CASE(params_that_do_not_fit_are_refused_as_those_of_a_method)
{
    methods.add_subscription(ticks, [](subscription_sink, int) { BOOST_ERROR("it is not called"); }, {"every"});
    send(request("1", "subscribe_ticks", R"({"every":"day"})"));
    const std::string answer = receive();
    BOOST_TEST(answer.find("-32602") != std::string::npos, answer);
    BOOST_TEST(answer.find("every") != std::string::npos, answer);
}

BOOST_AUTO_TEST_CASE(what_a_plain_function_throws_answers_the_request)
{
    methods.add_subscription(ticks,
                             [this](subscription_sink sink) {
                                 sinks.push_back(sink);
                                 throw rpc_error(7, "No such ticks");
                             },
                             {.max_per_session = 1});
    send(request("1", "subscribe_ticks"));
    expect(refusal("1", "7", "No such ticks"));
    BOOST_TEST(!sinks.at(0).is_open());
    BOOST_TEST((sinks[0].try_send(1) == sink_status::closed));
    send(request("2", "subscribe_ticks")); // it takes no place
    expect(refusal("2", "7", "No such ticks"));
}

BOOST_AUTO_TEST_CASE(a_session_has_so_many_subscriptions_of_a_kind)
{
    add_kept({.max_per_session = 2});
    send(request("1", "subscribe_ticks"));
    expect(result("1", "1"));
    send(request("2", "subscribe_ticks"));
    expect(result("2", "2"));
    send(request("3", "subscribe_ticks"));
    const std::string busy = receive();
    BOOST_TEST(busy.find("-31001") != std::string::npos, busy);
    BOOST_TEST(busy.find(R"({"limit":"max_per_session","value":2})") != std::string::npos, busy);
    send(request("4", "unsubscribe_ticks", "[1]"));
    expect(result("4", "true"));
    send(request("5", "subscribe_ticks"));
    expect(result("5", "3"));
}

BOOST_AUTO_TEST_CASE(a_batch_and_a_notification_do_not_subscribe)
{
    add_kept();
    send('[' + request("1", "subscribe_ticks") + ']');
    const std::string answer = receive();
    BOOST_TEST(answer.find("-32600") != std::string::npos, answer);
    BOOST_TEST(answer.find("batch") != std::string::npos, answer);
    send(notification("subscribe_ticks"));
    expect_silence();
    BOOST_TEST(sinks.empty());
}

BOOST_AUTO_TEST_CASE(a_slow_client_is_told_of_by_the_sink)
{
    options.bounds.outbox_soft_bytes = 4096;
    add_kept({.queue_bytes = 8192});
    send(request("1", "subscribe_ticks"));
    expect(result("1", "1"));
    stop_reading();
    const std::string text(2048, 'x');
    std::size_t count = 0;
    while (count != 1000 && sinks.at(0).try_send(text) == sink_status::sent) {
        ++count;
        settle();
    }
    BOOST_TEST(count > 4u);
    BOOST_TEST(count < 1000u);
    resume_reading();
    for (std::size_t i = 0; i != count; ++i)
        expect(tick("1", '"' + text + '"'));
    BOOST_TEST((sinks[0].try_send(7) == sink_status::sent));
    expect(tick("1", "7"));
}

BOOST_AUTO_TEST_CASE(a_coroutine_sends_as_fast_as_its_client_reads)
{
    options.bounds.outbox_soft_bytes = 4096;
    int sent = 0;
    methods.add_subscription(ticks,
                             [&](subscription_sink sink) -> task<> {
                                 const std::string text(2048, 'x');
                                 for (; sent != 100; ++sent)
                                     co_await sink.send(text);
                             },
                             {.queue_bytes = 8192});
    send(request("1", "subscribe_ticks"));
    expect(result("1", "1"));
    stop_reading();
    settle();
    BOOST_TEST(sent < 100);
    resume_reading();
    for (int i = 0; i != 100; ++i)
        BOOST_TEST(receive().size() > 2048u);
    BOOST_TEST(sent == 100);
}

BOOST_AUTO_TEST_CASE(coroutines_may_run_elsewhere)
{
    const auto work = asio::make_work_guard(context); // what happens elsewhere is waited for
    asio::thread_pool pool(1);
    std::atomic<bool> is_elsewhere = false;
    const std::thread::id here = std::this_thread::get_id();
    methods.add_subscription(ticks,
                             [&is_elsewhere, here](subscription_sink sink) -> task<> {
                                 is_elsewhere = std::this_thread::get_id() != here;
                                 sink.try_send(1);
                                 co_await sink.closed();
                             },
                             {.executor = pool.get_executor()});
    send(request("1", "subscribe_ticks"));
    expect(result("1", "1"));
    expect(tick("1", "1"));
    BOOST_TEST(is_elsewhere.load());
    send(request("2", "unsubscribe_ticks", "[1]"));
    expect(result("2", "true"));
    pool.join(); // which waits for the coroutine
}

BOOST_AUTO_TEST_CASE(another_thread_sends_until_the_end)
{
    const auto work = asio::make_work_guard(context); // what happens elsewhere is waited for
    add_kept();
    send(request("1", "subscribe_ticks"));
    expect(result("1", "1"));
    std::thread elsewhere([sink = sinks.at(0)] {
        while (sink.try_send(1) != sink_status::closed)
            std::this_thread::yield();
    });
    for (int i = 0; i != 10; ++i)
        expect(tick("1", "1"));
    send(request("2", "unsubscribe_ticks", "[1]"));
    while (receive() != result("2", "true")) {
    }
    elsewhere.join();
    BOOST_TEST(!sinks[0].is_open());
}

BOOST_AUTO_TEST_CASE(misuse_is_refused_at_once_and_adds_nothing)
{
    const auto nothing = [](subscription_sink) {};
    methods.add("taken", [] {});
    BOOST_CHECK_THROW(methods.add_subscription({"s", "", "u"}, nothing), std::invalid_argument);
    BOOST_CHECK_THROW(methods.add_subscription({"s", "rpc.n", "u"}, nothing), std::invalid_argument);
    BOOST_CHECK_THROW(methods.add_subscription({"s", "n", "s"}, nothing), std::invalid_argument);
    BOOST_CHECK_THROW(methods.add_subscription({"s", "n", "taken"}, nothing), std::invalid_argument);
    BOOST_CHECK_THROW(methods.add_subscription({"taken", "n", "u"}, nothing), std::invalid_argument);
    BOOST_CHECK_THROW(methods.add_subscription({"s", "n", "u"}, std::function<void(subscription_sink)>()),
                      std::invalid_argument);
    BOOST_TEST((methods.names() == std::vector<std::string>{"taken"}));
    methods.add_subscription({"s", "n", "u"}, nothing);
    BOOST_TEST((methods.names() == std::vector<std::string>{"s", "taken", "u"}));
}

BOOST_AUTO_TEST_SUITE_END()
