// The ends of subscriptions, by the client, by the session, by the handler, and by who has the sink.
// (Of lib/rpc/subscriptions; here for the dialogue.)

#include "support/dialogue.hpp"

#include <partyline/rpc/subscription.hpp>
#include <partyline/session/clean_up.hpp>
#include <partyline/session/task.hpp>

#include <boost/asio/detached.hpp>
#include <boost/json/value.hpp>
#include <boost/test/unit_test.hpp>

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace asio = boost::asio;
using namespace partyline::test;
using namespace partyline;

namespace {

std::string beat(std::string_view value)
{
    return notification("beats", "{\"subscription\":1,\"result\":" + std::string(value) + '}');
}

std::string beat_error(std::string_view error)
{
    return notification("beats", "{\"subscription\":1,\"error\":" + std::string(error) + '}');
}

struct ends_fixture : dialogue {
    std::optional<subscription_sink> kept;
    std::vector<std::string> told; // by handlers

    template <class F>
    void subscribe(F handler)
    {
        methods.add_subscription({"subscribe_beats", "beats", "unsubscribe_beats"}, std::move(handler));
        send(request("1", "subscribe_beats"));
        expect(result("1", "1"));
    }
    void subscribe()
    {
        subscribe([this](subscription_sink sink) { kept = sink; });
    }
    void unsubscribe(std::string_view is_found)
    {
        send(request("\"u\"", "unsubscribe_beats", "[1]"));
        expect(result("\"u\"", is_found));
    }

    task<> hold(subscription_sink sink, gate& never)
    {
        kept = sink;
        told.push_back("begun");
        co_await never.wait();
    }
    task<> note_end(gate& place)
    {
        told.push_back("cleaning");
        co_await place.wait();
        told.push_back("cleaned");
    }
};

using texts = std::vector<std::string>;

} // namespace

BOOST_FIXTURE_TEST_SUITE(conversation_subscription_ends, ends_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(a_client_unsubscribes_once)
{
    subscribe();
    unsubscribe("true");
    BOOST_TEST(!kept->is_open());
    BOOST_TEST((kept->try_send(1) == sink_status::closed));
    unsubscribe("false");
    expect_silence();
}

BOOST_AUTO_TEST_CASE(a_coroutine_is_cancelled_and_cleans_up)
{
    gate never(context);
    gate place(context);
    subscribe([&](subscription_sink sink) -> task<> {
        task<> both = with_clean_up(hold(sink, never), note_end(place));
        co_await std::move(both);
        told.push_back("not thrown");
    });
    settle();
    BOOST_TEST(told == texts{"begun"}, boost::test_tools::per_element());
    unsubscribe("true"); // it is not waited for
    settle();
    place.open();
    settle();
    BOOST_TEST(told == (texts{"begun", "cleaning", "cleaned"}), boost::test_tools::per_element());
    BOOST_TEST(logged.empty());
    expect_silence();
}

BOOST_AUTO_TEST_CASE(the_end_of_a_session_ends_its_subscriptions)
{
    gate never(context);
    gate place(context);
    place.open();
    subscribe([&](subscription_sink sink) -> task<> {
        task<> both = with_clean_up(hold(sink, never), note_end(place));
        co_await std::move(both);
    });
    settle();
    end_input();
    BOOST_TEST(!wait_end());
    settle();
    BOOST_TEST(!kept->is_open());
    BOOST_TEST(told == (texts{"begun", "cleaning", "cleaned"}), boost::test_tools::per_element());
    BOOST_TEST(logged.empty());
}

BOOST_AUTO_TEST_CASE(a_session_that_is_destroyed_ends_them_as_well)
{
    gate never(context);
    subscribe([&](subscription_sink sink) { return hold(sink, never); });
    settle();
    destroy_session();
    settle();
    BOOST_TEST(!kept->is_open());
    BOOST_TEST((kept->try_send(1) == sink_status::closed));
    BOOST_TEST(!holds_methods());
}

BOOST_AUTO_TEST_CASE(who_waits_for_the_end_is_told)
{
    subscribe();
    bool is_told = false;
    auto watch = [](subscription_sink sink, bool& told_of) -> task<> {
        co_await sink.closed();
        co_await sink.closed(); // at once
        told_of = true;
    };
    partyline::co_spawn(context.get_executor(), watch(*kept, is_told), asio::detached);
    kept->try_send(1); // does not end the wait
    expect(beat("1"));
    settle();
    BOOST_TEST(!is_told);
    unsubscribe("true");
    settle();
    BOOST_TEST(is_told);
}

BOOST_AUTO_TEST_CASE(who_waits_for_room_is_told_of_the_end)
{
    options.bounds.outbox_soft_bytes = 4096;
    subscribe();
    stop_reading();
    const std::string text(20'000, 'x');
    for (int i = 0; i != 1000 && kept->try_send(text) == sink_status::sent; ++i)
        settle();
    BOOST_REQUIRE((kept->try_send(text) == sink_status::full));
    std::optional<bool> was_sent;
    auto push = [](subscription_sink sink, std::string what, std::optional<bool>& sent) -> task<> {
        sent = co_await sink.send(what);
    };
    partyline::co_spawn(context.get_executor(), push(*kept, text, was_sent), asio::detached);
    settle();
    BOOST_TEST(!was_sent.has_value());
    kept->close();
    settle();
    BOOST_REQUIRE(was_sent.has_value());
    BOOST_TEST(!*was_sent);
}

BOOST_AUTO_TEST_CASE(a_handler_that_returns_ends_it_without_a_word)
{
    subscribe([](subscription_sink sink) -> task<> {
        sink.try_send("last");
        co_return;
    });
    expect(beat("\"last\""));
    unsubscribe("false");
    expect_silence();
}

BOOST_AUTO_TEST_CASE(an_error_of_a_handler_is_told_behind_what_it_has_sent)
{
    subscribe([](subscription_sink sink) -> task<> {
        sink.try_send(1);
        sink.try_send(2);
        throw rpc_error(7, "The source is gone", boost::json::value("disk"));
        co_return;
    });
    expect(beat("1"));
    expect(beat("2"));
    expect(beat_error(R"({"code":7,"message":"The source is gone","data":"disk"})"));
    unsubscribe("false");
    BOOST_TEST(logged.empty());
}

BOOST_AUTO_TEST_CASE(any_other_exception_is_an_internal_error_and_logged)
{
    subscribe([](subscription_sink) -> task<> {
        throw std::runtime_error("secret");
        co_return;
    });
    expect(beat_error(R"({"code":-32603,"message":"Internal error","data":{"exception":"std::runtime_error"}})"));
    BOOST_REQUIRE(logged.size() == 1u);
    BOOST_TEST(logged[0] == "the handler of a subscription by \"subscribe_beats\" threw std::runtime_error: secret");
}

BOOST_AUTO_TEST_CASE(who_has_the_sink_closes_it_and_cancels_the_handler)
{
    gate never(context);
    subscribe([&](subscription_sink sink) { return hold(sink, never); });
    settle();
    kept->try_send(1);
    kept->close();
    expect(beat("1"));
    settle();
    BOOST_TEST((kept->try_send(2) == sink_status::closed));
    unsubscribe("false");
    BOOST_TEST(logged.empty());
    expect_silence();
}

BOOST_AUTO_TEST_CASE(a_failure_is_told_once)
{
    subscribe();
    kept->try_send(1);
    kept->fail({5, "Too old", {}});
    kept->fail({6, "Again", {}});
    kept->try_send(2);
    expect(beat("1"));
    expect(beat_error(R"({"code":5,"message":"Too old"})"));
    expect_silence();
}

BOOST_AUTO_TEST_CASE(one_that_is_closed_before_the_answer_sends_what_it_has)
{
    subscribe([this](subscription_sink sink) {
        sink.try_send(1);
        sink.close();
        kept = sink;
    });
    expect(beat("1"));
    BOOST_TEST(!kept->is_open());
    unsubscribe("false");
}

BOOST_AUTO_TEST_CASE(a_sink_outlives_its_session_and_its_executor)
{
    std::optional<subscription_sink> sink;
    {
        ends_fixture other;
        other.subscribe();
        sink = other.kept;
    }
    BOOST_TEST(!sink->is_open());
    BOOST_TEST((sink->try_send(1) == sink_status::closed));
    sink->close();
}

BOOST_AUTO_TEST_CASE(what_has_no_text_is_not_sent)
{
    subscribe();
    BOOST_CHECK_THROW(kept->try_send(std::string("\xff")), std::invalid_argument);
    BOOST_TEST(kept->is_open());
    kept->try_send(1);
    expect(beat("1"));
}

BOOST_AUTO_TEST_CASE(what_is_too_long_for_the_session_is_logged)
{
    options.bounds.message_bytes = 10'000;
    subscribe();
    kept->try_send(std::string(20'000, 'x'));
    kept->try_send(1);
    expect(beat("1"));
    BOOST_REQUIRE(logged.size() == 1u);
    BOOST_TEST(logged[0].starts_with("a notification of subscription 1 was not sent: "));
}

BOOST_AUTO_TEST_SUITE_END()
