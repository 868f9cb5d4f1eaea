#include "support/each_step.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>

using namespace partyline::test;
using namespace std::chrono_literals;
using partyline::call_batch;
using partyline::call_options;
using partyline::next_call;
using partyline::peer_call;

namespace {

const std::string no_json =
    R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error","data":{"offset":0}}})";

call_options with_progress()
{
    return call_options().on_progress([](const boost::json::value&) {});
}

std::string failure(const std::string& id)
{
    return R"({"jsonrpc":"2.0","id":)" + id + R"(,"error":{"code":7,"message":"no"}})";
}

void call_many_at_length(scripted_session& p)
{
    constexpr int count = 40; // more than the pipe holds
    const std::string text(3000, 'x');
    std::vector<std::string> stored;
    for (int i = 1; i <= count; ++i) {
        p.call("store", {text});
        stored.push_back(request(std::to_string(i), "store", "[\"" + text + "\"]"));
    }
    p.expect(stored);
    for (int i = count; i != 0; --i)
        p.say(result(std::to_string(i), "1"));
    p.complete(count);
}

void close_with_calls_open(scripted_session& p)
{
    p.call("a");
    p.call("b");
    p.say(request("1", "wait"));
    p.expect({request("1", "a"), request("2", "b")});
    p.arrive(1);
    p.close();
    p.call("too late");
    p.complete(1);
    p.say(result("2", "2"));
    p.say(request("2", "ask"));
    p.expect({request("4", "question")});
    p.say(result("4", "4"));
    p.say(result("1", "1"));
    p.complete(3);
    p.expect({result("2", "\"4\"")});
    p.door.open();
    p.expect_at_end({result("1", "\"opened\"")});
}

boost::asio::awaitable<partyline::response> pass_on(peer_call&, next_call& next)
{
    co_return co_await next();
}

const std::vector<script>& scripts()
{
    static const std::vector<script> all{
        {"calls",
         [](scripted_session& p) {
             p.call("add", {1, 2});
             p.expect({request("1", "add", "[1,2]")});
             p.say(result("1", "3"));
             p.complete(1);
             p.call("fail");
             p.expect({request("2", "fail")});
             p.say(failure("2"));
             p.complete(2);
         }},
        {"calls and requests of the same ids",
         [](scripted_session& p) {
             p.call("a");
             p.call("b");
             p.call("c");
             p.say(request("1", "echo", "[1]"));
             p.say(request("2", "hop", "[2]"));
             p.expect({request("1", "a"), request("2", "b"), request("3", "c"), result("1", "[1]"), progress("2", "1"),
                       result("2", "[2]")});
             p.say(result("3", "\"c\""));
             p.say(result("1", "\"a\""));
             p.say(result("2", "\"b\""));
             p.complete(3);
         }},
        {"calls of handlers",
         [](scripted_session& p) {
             p.say(request("\"x\"", "ask"));
             p.expect({request("1", "question")});
             p.say(result("1", "7"));
             p.expect({result("\"x\"", "\"7\"")});
             p.say(request("\"y\"", "pool_ask"));
             p.expect({request("2", "question")});
             p.say(result("2", "8"));
             p.expect({result("\"y\"", "\"8\"")});
         }},
        {"cancelled requests and their calls",
         [](scripted_session& p) {
             p.say(request("\"x\"", "ask"));
             p.expect({request("1", "question")});
             p.say(cancel("\"x\""));
             p.expect({cancel("1"), result("\"x\"", "\"failed\"")});
             p.say(result("1", "7"));
             p.say(request("\"y\"", "pool_ask"));
             p.expect({request("2", "question")});
             p.say(cancel("\"y\""));
             p.expect({cancel("2"), result("\"y\"", "\"failed\"")});
         }},
        {"calls with middleware around",
         [](scripted_session& p) {
             p.talk.options.around_calls.add([](peer_call& call) { call.method += '!'; });
             p.talk.options.around_calls.add(pass_on);
             p.call("add", {1, 2});
             p.notify("n");
             p.expect({request("3", "add!", "[1,2]"), notification("n!")});
             p.say(request("\"x\"", "ask"));
             p.expect({request("5", "question!")});
             p.say(result("3", "3"));
             p.say(result("5", "7"));
             p.complete(2);
             p.expect({result("\"x\"", "\"7\"")});
         }},
        {"calls that nobody awaits",
         [](scripted_session& p) {
             p.say(request("\"x\"", "delegate"));
             p.arrive(1);
             p.expect({request("1", "question")});
             p.say(cancel("\"x\""));
             p.expect({cancel("1"), cancelled("\"x\"")});
             p.say(request("\"y\"", "delegate"));
             p.arrive(2);
             p.expect({request("2", "question")});
             p.door.open();
             p.expect({result("\"y\"", "1")});
             p.say(result("2", "2"));
             p.complete(2);
         }},
        {"a batch",
         [](scripted_session& p) {
             call_batch calls;
             calls.call("a").notify("n").call("b", {1}).call("c");
             p.batch(std::move(calls), with_progress());
             p.expect({"[" + request("1", "a") + "," + notification("n") + "," + request("2", "b", "[1]") + "," +
                       request("3", "c") + "]"});
             p.say(progress("2", "5"));
             p.say('[' + result("2", "2") + ',' + failure("1") + ']');
             p.say(result("3", "3"));
             p.complete(1);
         }},
        {"progress",
         [](scripted_session& p) {
             p.call("long", boost::json::object{{"a", 1}}, with_progress());
             p.expect({request("1", "long", R"({"workDoneToken":1,"a":1})")});
             p.say(progress("1", "1"));
             p.say(progress("1", "2"));
             p.say(result("1", "3"));
             p.complete(1);
         }},
        {"a call whose time is over",
         [](scripted_session& p) {
             p.call("slow", nullptr, call_options().timeout(2ms));
             p.complete(1);
             p.expect({request("1", "slow"), cancel("1")});
             p.call("slow", nullptr, call_options().idle_timeout(2ms));
             p.complete(2);
             p.expect({request("2", "slow"), cancel("2")});
         }},
        {"cancelled calls",
         [](scripted_session& p) {
             p.call("slow");
             p.expect({request("1", "slow")});
             p.abandon(0);
             p.complete(1);
             p.expect({cancel("1")});
             p.say(result("1", "1"));
             p.call("soon cancelled");
             p.abandon(1);
             p.complete(2);
             p.expect({request("2", "soon cancelled"), cancel("2")});
         }},
        {"notifications",
         [](scripted_session& p) {
             for (int i = 0; i != 3; ++i)
                 p.notify("news", {i});
             p.complete(3);
             p.expect({notification("news", "[0]"), notification("news", "[1]"), notification("news", "[2]")});
             p.call("a");
             p.expect({request("1", "a")});
             p.say(result("1", "1"));
             p.complete(4);
             p.notify("news");
             p.complete(5);
             p.expect_at_end({notification("news")});
         }},
        {"rubbish between the replies",
         [](scripted_session& p) {
             p.call("a");
             p.call("b");
             p.expect({request("1", "a"), request("2", "b")});
             p.say("Listening on port 8080");
             p.say(R"({"jsonrpc":"2.0","id":2,"result":1,"error":{"code":1,"message":"x"}})");
             p.say(result("1", "\"" + std::string(5000, 'x') + '"')); // longer than there may be
             p.complete(2);
             p.expect({no_json});
         }},
        {"many long calls", call_many_at_length},
        {"closing with calls open", close_with_calls_open},
        {"the end of input with calls open",
         [](scripted_session& p) {
             p.call("a");
             p.say(request("\"x\"", "ask"));
             p.expect({request("1", "a"), request("2", "question")});
             p.expect_at_end({result("\"x\"", "\"failed\"")});
         }},
    };
    return all;
}

void fail_all(connection::kind what)
{
    for (const script& one : scripts())
        for_each_step_failing(one, what);
}

} // namespace

BOOST_AUTO_TEST_SUITE(call_faults, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(no_step_of_a_stream_that_fails_leaves_a_call_open)
{
    fail_all(connection::kind::memory);
}

BOOST_AUTO_TEST_CASE(nor_of_a_socket)
{
    fail_all(connection::kind::socket);
}

BOOST_AUTO_TEST_CASE(nor_of_a_descriptor)
{
    fail_all(connection::kind::descriptor);
}

BOOST_AUTO_TEST_SUITE_END()
