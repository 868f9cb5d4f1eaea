#include "support/dialogue.hpp"
#include "support/growing_time.hpp"
#include "support/outcome.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>

namespace asio = boost::asio;
namespace json = boost::json;
using namespace partyline::test;
using namespace std::chrono_literals;
using partyline::call_batch;
using partyline::call_options;
using partyline::errc;
using partyline::error_code;
using partyline::response;

namespace {

struct batch_outcome {
    auto handler()
    {
        return [this](error_code failed, partyline::call_result<std::vector<response>> got) {
            ++times;
            code = failed;
            if (got)
                replies = std::move(*got);
        };
    }
    int times = 0;
    error_code code;
    std::vector<response> replies;
};

call_batch two_calls()
{
    call_batch all;
    all.call("a", {1}).call("b");
    return all;
}

const std::string refused_whole = R"({"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid Request"}})";
const std::string two_requests = '[' + request("1", "a", "[1]") + ',' + request("2", "b") + ']';

} // namespace

BOOST_FIXTURE_TEST_SUITE(conversation_call_batch, dialogue, *boost::unit_test::timeout(60))

// rule: jsonrpc.batch.match
BOOST_AUTO_TEST_CASE(replies_stand_in_the_order_of_the_calls)
{
    batch_outcome o;
    server().batch(two_calls())(o.handler());
    expect(two_requests);
    send('[' + result("2", "22") + ',' + result("1", "11") + ']');
    run_until([&] { return o.times != 0; });
    BOOST_TEST(!o.code);
    BOOST_REQUIRE(o.replies.size() == 2);
    BOOST_TEST(o.replies[0]->text() == "11");
    BOOST_TEST(o.replies[1]->text() == "22");
}

BOOST_AUTO_TEST_CASE(replies_may_come_one_by_one)
{
    batch_outcome o;
    server().batch(two_calls())(o.handler());
    receive();
    send(result("2", "22"));
    settle();
    BOOST_TEST(o.times == 0);
    send(R"({"jsonrpc":"2.0","id":1,"error":{"code":5,"message":"no"}})");
    run_until([&] { return o.times != 0; });
    BOOST_TEST(!o.code);
    BOOST_TEST(o.replies[0].error()->code == 5);
}

BOOST_AUTO_TEST_CASE(an_error_without_id_is_the_answer_to_the_batch_that_alone_has_heard_nothing)
{
    batch_outcome first, second;
    server().batch(two_calls())(first.handler());
    server().batch(two_calls())(second.handler());
    receive();
    receive();
    send(result("1", "11")); // so the first one was not refused
    send(refused_whole);
    run_until([&] { return second.times != 0; });
    BOOST_TEST(first.times == 0);
    BOOST_TEST(!second.code);
    BOOST_TEST(second.replies[0].error()->code == -32600);
    BOOST_TEST(second.replies[1].error()->message == "Invalid Request");
    send(refused_whole);
    send(result("2", "22"));
    run_until([&] { return first.times != 0; });
    BOOST_TEST(first.replies[1]->text() == "22");
    BOOST_TEST(server().counters().stray_replies == 1u);
}

BOOST_AUTO_TEST_CASE(of_two_that_have_heard_nothing_it_is_charged_to_neither)
{
    batch_outcome first, second;
    server().batch(two_calls())(first.handler());
    server().batch(two_calls())(second.handler());
    receive();
    receive();
    send(refused_whole);
    run_until([&] { return server().counters().stray_replies == 1; });
    send('[' + result("1", "11") + ',' + result("2", "22") + ']'); // the first one was late
    run_until([&] { return first.times != 0; });
    BOOST_TEST(first.replies[1]->text() == "22");
    BOOST_TEST(second.times == 0);
    send(refused_whole);
    run_until([&] { return second.times != 0; });
    BOOST_TEST(second.replies[0].error()->code == -32600);
}

BOOST_AUTO_TEST_CASE(nor_where_it_may_be_about_a_call)
{
    outcome call;
    batch_outcome batch;
    server().batch(two_calls())(batch.handler());
    server().call("c", nullptr)(call.handler());
    receive();
    receive();
    send(refused_whole);
    run_until([&] { return server().counters().stray_replies == 1; });
    BOOST_TEST(batch.times == 0);
    send(result("3", "3"));
    run_until([&] { return call.is_there(); });
    send(refused_whole);
    run_until([&] { return batch.times != 0; });
    BOOST_TEST(batch.replies[0].error()->code == -32600);
}

BOOST_AUTO_TEST_CASE(nor_where_it_may_be_about_a_call_that_was_given_up)
{
    outcome call;
    batch_outcome batch;
    server().call("c", nullptr, call_options().timeout(1ms))(call.handler());
    run_until([&] { return call.is_there(); });
    server().batch(two_calls())(batch.handler());
    for (std::string line; !line.starts_with('[');)
        line = receive(); // behind the call and its cancel
    send(refused_whole);
    run_until([&] { return server().counters().stray_replies == 1; });
    BOOST_TEST(batch.times == 0);
    send('[' + result("2", "2") + ',' + result("3", "3") + ']');
    run_until([&] { return batch.times != 0; });
    BOOST_TEST(!batch.code);
}

// rule: security.messages.settled
BOOST_AUTO_TEST_CASE(replies_that_are_too_large_or_no_json_fail_all_of_their_batch_and_the_peer_is_told_nothing)
{
    struct row {
        std::string result; // of one of the calls
        errc code;
    };
    const std::vector<row> rows = {
        {'"' + std::string(500, 'x') + '"', errc::message_too_large},
        {std::string(6, '[') + std::string(6, ']'), errc::message_too_large},
        {"\"\xFF\"", errc::bad_reply},
        {"nan", errc::bad_reply},
    };
    for (const row& r : rows)
        BOOST_TEST_CONTEXT(r.result)
        {
            batch_outcome first, second; // the first is told when the dialogue ends
            dialogue d;
            d.options.bounds.message_bytes = 400;
            d.options.bounds.depth = 5;
            d.server().batch(two_calls())(first.handler());
            d.server().batch(two_calls())(second.handler());
            d.receive();
            d.receive();
            d.send('[' + result("4", "44") + ',' + result("3", r.result) + ']');
            d.run_until([&] { return second.times != 0; });
            BOOST_TEST(second.code == error_code(r.code));
            BOOST_TEST(second.replies[0].code() == error_code(r.code));
            BOOST_TEST(second.replies[1].code() == error_code(r.code));
            d.expect_silence();
            BOOST_TEST(first.times == 0);
        }
}

BOOST_AUTO_TEST_CASE(requests_among_such_replies_are_answered)
{
    options.bounds.message_bytes = 400;
    batch_outcome o;
    server().batch(two_calls())(o.handler());
    receive();
    send('[' + request("7", "m") + ',' + result("1", '"' + std::string(500, 'x') + '"') + ']');
    BOOST_TEST(receive().starts_with(R"({"jsonrpc":"2.0","id":null,"error":{"code":-32600)"));
    run_until([&] { return o.times != 0; });
    BOOST_TEST(o.code == error_code(errc::message_too_large));
}

BOOST_AUTO_TEST_CASE(a_long_error_is_not_repeated_for_each_call_of_a_batch)
{
    batch_outcome o;
    server().batch(two_calls())(o.handler());
    receive();
    send(R"({"jsonrpc":"2.0","id":null,"error":{"code":7,"message":")" + std::string(5000, 'x') + "\"}}");
    run_until([&] { return o.times != 0; });
    BOOST_TEST(o.replies[1].error()->code == 7);
    BOOST_TEST(o.replies[1].error()->message == "the peer refused the batch");
}

BOOST_AUTO_TEST_CASE(one_that_fails_costs_no_other_its_reply)
{
    with_growing_time(30ms, [](std::chrono::milliseconds time) {
        dialogue d;
        batch_outcome o;
        d.server().batch(two_calls(), call_options().timeout(time))(o.handler());
        d.receive();
        d.send('[' + result("2", "22") + ']');
        d.run_until([&] { return o.times != 0; });
        BOOST_TEST(o.code == error_code(errc::timeout));
        BOOST_TEST(o.replies[0].code() == error_code(errc::timeout));
        if (!o.replies[1].has_value())
            return false;
        BOOST_TEST(o.replies[1]->text() == "22");
        d.expect(cancel("1"));
        d.expect_silence();
        return true;
    });
}

BOOST_AUTO_TEST_CASE(cancelling_it_cancels_what_is_open)
{
    batch_outcome o;
    asio::cancellation_signal signal;
    server().batch(two_calls())(asio::bind_cancellation_slot(signal.slot(), o.handler()));
    receive();
    send(result("1", "11"));
    settle();
    signal.emit(asio::cancellation_type::total);
    run_until([&] { return o.times != 0; });
    BOOST_TEST(o.code == error_code(asio::error::operation_aborted));
    BOOST_TEST(o.replies[0]->text() == "11");
    BOOST_TEST(o.replies[1].code() == error_code(asio::error::operation_aborted));
    expect(cancel("2"));
}

BOOST_AUTO_TEST_CASE(an_empty_batch_is_nothing)
{
    batch_outcome o;
    server().batch(call_batch())(o.handler());
    run_until([&] { return o.times != 0; });
    BOOST_TEST(!o.code);
    BOOST_TEST(o.replies.empty());
    expect_silence();
}

BOOST_AUTO_TEST_CASE(notifications_alone_need_no_reply)
{
    batch_outcome o;
    call_batch told;
    told.notify("a").notify("b", {1});
    server().batch(std::move(told))(o.handler());
    expect('[' + notification("a") + ',' + notification("b", "[1]") + ']');
    run_until([&] { return o.times != 0; });
    BOOST_TEST(!o.code);
}

BOOST_AUTO_TEST_CASE(what_makes_no_sense_fails_as_a_whole)
{
    options.bounds.batch_elements = 2;
    batch_outcome bad, longer;
    call_batch wrong = two_calls();
    wrong.call("c", json::value(1));
    server().batch(std::move(wrong))(bad.handler());
    call_batch three = two_calls();
    three.call("c");
    server().batch(std::move(three))(longer.handler());
    run_until([&] { return longer.times != 0; });
    BOOST_TEST(bad.code == error_code(errc::bad_params));
    BOOST_TEST(longer.code == error_code(errc::message_too_large));
    BOOST_TEST(longer.replies.size() == 3);
    expect_silence();
}

BOOST_AUTO_TEST_CASE(a_batch_may_mix_replies_and_requests)
{
    methods.add("echo", [](json::value v) { return v; });
    batch_outcome o;
    server().batch(two_calls())(o.handler());
    receive();
    send('[' + result("1", "1") + ',' + request("1", "echo", "[5]") + ',' + result("2", "2") + ']');
    expect('[' + result("1", "[5]") + ']');
    run_until([&] { return o.times != 0; });
    BOOST_TEST(o.replies[1]->text() == "2");
}

// What a coroutine gets of a batch: responses, or what it throws.
asio::awaitable<void> say_outcome(partyline::session& peer, call_batch calls, std::string& said)
{
    try {
        for (const response& one : co_await peer.batch(std::move(calls)))
            said += '|' + (one ? std::string(one->text()) : one.message());
        said += "|end";
    } catch (const boost::system::system_error& failed) {
        said = "thrown: " + failed.code().message();
    }
}

BOOST_AUTO_TEST_CASE(a_coroutine_gets_every_response_also_where_some_failed_here)
{
    call_batch calls;
    calls.call("a").call("b", {1}).notify("n");
    std::string said;
    asio::co_spawn(context, say_outcome(server(), std::move(calls), said), asio::detached);
    receive();
    send(result("1", "11"));
    settle();
    server().stop();
    run_until([&] { return !said.empty(); });
    BOOST_TEST(said == "|11|" + make_error_code(errc::session_closed).message() + "|end");
}

BOOST_AUTO_TEST_CASE(a_coroutine_is_told_what_notifications_alone_failed_with)
{
    call_batch calls;
    calls.notify("a").notify("b");
    server().stop();
    wait_end();
    std::string said;
    asio::co_spawn(context, say_outcome(server(), std::move(calls), said), asio::detached);
    run_until([&] { return !said.empty(); });
    BOOST_TEST(said == "thrown: " + make_error_code(errc::session_closed).message());
}

BOOST_AUTO_TEST_SUITE_END()
