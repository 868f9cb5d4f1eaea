#include "support/dialogue.hpp"
#include "support/growing_time.hpp"
#include "support/outcome.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/describe/class.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>

namespace asio = boost::asio;
namespace json = boost::json;
using namespace partyline::test;
using namespace std::chrono_literals;
using partyline::call_options;
using partyline::errc;
using partyline::error_code;

namespace {

struct point {
    int x = 0;
    int y = 0;
};
BOOST_DESCRIBE_STRUCT(point, (), (x, y))

const call_options in_a_moment = call_options().timeout(20ms);

// What became of a call whose result is wanted as a `T`.
template <class T>
struct typed_outcome {
    auto handler()
    {
        return [this](error_code failed, partyline::call_result<T> got) {
            code = failed;
            result.emplace(std::move(got));
        };
    }
    error_code code;
    std::optional<partyline::call_result<T>> result;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(conversation_calls, dialogue, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(a_call_completes_with_the_result)
{
    outcome sum;
    server().call("add", {1, 2})(sum.handler());
    expect(request("1", "add", "[1,2]"));
    send(result("1", "3"));
    run_until([&] { return sum.is_there(); });
    BOOST_TEST(sum.text() == "result 3");
    BOOST_TEST(server().counters().calls == 1);
    BOOST_TEST(server().counters().open_calls == 0);
}

// rule: jsonrpc.id.null, jsonrpc.id.fraction
BOOST_AUTO_TEST_CASE(params_are_an_array_an_object_text_or_none)
{
    server().call("a", {{"x", 1}})([](auto...) {});
    expect(request("1", "a", R"({"x":1})"));
    server().call("b", nullptr)([](auto...) {});
    expect(request("2", "b"));
    server().call("c", partyline::json_text(" {\"exact\": 1.0}"))([](auto...) {});
    expect(request("3", "c", R"({"exact": 1.0})"));
    server().call("d", json::value(json::array{}))([](auto...) {});
    expect(request("4", "d", "[]"));
}

// rule: jsonrpc.request.method, jsonrpc.request.params
BOOST_AUTO_TEST_CASE(what_makes_no_sense_fails_and_is_not_sent)
{
    outcome scalar, no_json, infinite, nameless, broken_batch;
    server().call("a", json::value(1))(scalar.handler());
    server().call("a", partyline::json_text("{\"x\":"))(no_json.handler());
    server().call("a", json::array{1e308 * 10})(infinite.handler());
    server().call("", nullptr)(nameless.handler());
    run_until([&] { return nameless.is_there(); });
    for (const outcome* o : {&scalar, &no_json, &infinite, &nameless})
        BOOST_TEST(o->text() == failed(errc::bad_params));
    expect_silence();
}

// rule: jsonrpc.id.own, jsonrpc.response.match
BOOST_AUTO_TEST_CASE(replies_are_matched_by_id_in_any_order)
{
    outcome first, second, third;
    server().call("a", nullptr)(first.handler());
    server().call("b", nullptr)(second.handler());
    server().call("c", nullptr)(third.handler());
    for (const char* id : {"1", "2", "3"})
        expect(request(id, id[0] == '1' ? "a" : id[0] == '2' ? "b" : "c"));
    send(result("3", "\"c\""));
    send(result("1", "\"a\""));
    send(result("2", "\"b\""));
    run_until([&] { return second.is_there(); });
    BOOST_TEST(first.text() == "result \"a\"");
    BOOST_TEST(second.text() == "result \"b\"");
    BOOST_TEST(third.text() == "result \"c\"");
}

// rule: security.messages.settled
BOOST_AUTO_TEST_CASE(a_reply_is_matched_by_the_value_of_its_id_however_that_is_written)
{
    for (const std::string id : {"1.0", "1e0", "10e-1", "0.1E+1", "1.000"}) {
        dialogue d;
        outcome sum;
        d.server().call("add", {1, 2})(sum.handler());
        d.receive();
        for (const std::string other : {"\"1\"", "1.5", "-1", "1e999999999", "0e0"})
            d.send(result(other, "7"));
        d.send(result(id, "3"));
        d.run_until([&] { return sum.is_there(); });
        BOOST_TEST_CONTEXT(id)
        BOOST_TEST(sum.text() == "result 3");
        BOOST_TEST(d.server().counters().stray_replies == 5u);
    }
}

BOOST_AUTO_TEST_CASE(progress_is_matched_by_the_value_of_its_token_too)
{
    outcome o;
    std::vector<std::string> told;
    server().call("a", nullptr,
                  call_options().on_progress([&](const json::value& v) { told.push_back(serialize(v)); }))(o.handler());
    receive();
    send(progress("1.0", "5"));
    send(progress("\"1\"", "6"));
    send(result("1", "7"));
    run_until([&] { return o.is_there(); });
    BOOST_TEST(told == std::vector<std::string>{"5"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(both_sides_may_use_the_same_ids)
{
    methods.add("echo", [](json::value v) { return v; });
    outcome own;
    server().call("theirs", nullptr)(own.handler());
    expect(request("1", "theirs"));
    send(request("1", "echo", "[\"ours\"]"));
    expect(result("1", "[\"ours\"]"));
    send(result("1", "\"theirs\""));
    run_until([&] { return own.is_there(); });
    BOOST_TEST(own.text() == "result \"theirs\"");
}

BOOST_AUTO_TEST_CASE(an_error_of_the_peer_is_a_value)
{
    outcome o;
    server().call("missing", nullptr)(o.handler());
    receive();
    send(R"({"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found","data":{"a":1}}})");
    run_until([&] { return o.is_there(); });
    BOOST_TEST(o.text() == "error -32601 Method not found");
    BOOST_TEST(json::serialize(*o.said.error()->data) == R"({"a":1})");
    BOOST_CHECK_THROW(o.said.value(), partyline::rpc_error);
}

BOOST_AUTO_TEST_CASE(a_result_can_be_wanted_as_a_type)
{
    typed_outcome<point> p;
    server().call<point>("where", nullptr)(p.handler());
    receive();
    send(result("1", R"({"x":1,"y":2,"grown":true})"));
    run_until([&] { return p.result.has_value(); });
    BOOST_TEST(!p.code);
    BOOST_TEST((*p.result)->y == 2);

    typed_outcome<int> i;
    server().call<int>("count", nullptr)(i.handler());
    receive();
    send(result("2", "\"many\""));
    run_until([&] { return i.result.has_value(); });
    BOOST_TEST(i.code == error_code(errc::not_convertible));
    BOOST_TEST(i.result->details() == "expected integer, got string");

    typed_outcome<point> q;
    server().call<point>("where", nullptr)(q.handler());
    receive();
    send(result("3", R"({"x":1,"y":"2"})"));
    run_until([&] { return q.result.has_value(); });
    BOOST_TEST(q.result->details() == "at y: expected integer, got string");
}

BOOST_AUTO_TEST_CASE(a_future_can_wait_for_it)
{
    std::future<partyline::call_result<int>> sum = server().call<int>("add", {1, 2})(asio::use_future);
    receive();
    send(result("1", "3"));
    run_until([&] { return sum.wait_for(0s) == std::future_status::ready; });
    BOOST_TEST(sum.get().value() == 3);
}

// rule: jsonrpc.response.one, jsonrpc.response.unanswered, jsonrpc.error.code, mcp.error.code
// rule: security.messages.settled
BOOST_AUTO_TEST_CASE(what_is_wrong_with_a_reply_fails_its_call_at_once)
{
    const std::vector<std::string> replies = {
        R"({"jsonrpc":"2.0","id":%,"result":1,"error":{"code":1,"message":"x"}})",
        R"({"jsonrpc":"2.0","id":%})",
        R"({"id":%,"result":1})",
        R"({"jsonrpc":"1.0","id":%,"result":1})",
        R"({"jsonrpc":"2.0","id":%,"error":null})",
        R"({"jsonrpc":"2.0","id":%,"error":"no"})",
        R"({"jsonrpc":"2.0","id":%,"error":{"code":"1","message":"x"}})",
        R"({"jsonrpc":"2.0","id":%,"error":{"code":1e99,"message":"x"}})",
        R"({"jsonrpc":"2.0","id":%,"error":{"code":1.5,"message":"x"}})",
        R"({"jsonrpc":"2.0","id":%,"error":{"code":99999999999,"message":"x"}})",
        R"({"jsonrpc":"2.0","id":%,"error":{"code":1}})",
        R"({"jsonrpc":"2.0","id":%,"error":{"code":1,"message":2}})",
        R"({"jsonrpc":"2.0","id":%,"error":{"code":1,"message":"x","data":1e999}})",
        "{\"jsonrpc\":\"2.0\",\"id\":%,\"result\":\"\xFF\"}",
        "{\"jsonrpc\":\"2.0\",\"result\":\"\x01\",\"id\":%}",
        R"({"jsonrpc":"2.0","id":%,"result":"\q"})",
        R"({"jsonrpc":"2.0","id":%,"result":nan})",
        R"({"jsonrpc":"2.0","id":%,"result":[1)",
    };
    int id = 0;
    for (std::string reply : replies) {
        outcome o;
        server().call("m", nullptr)(o.handler());
        receive();
        send(reply.replace(reply.find('%'), 1, std::to_string(++id)));
        run_until([&] { return o.is_there(); });
        BOOST_TEST(o.text() == failed(errc::bad_reply), reply);
        BOOST_TEST(!o.said.details().empty(), reply);
    }
    BOOST_TEST(server().counters().bad_replies == replies.size());
    expect_silence(); // a response is never answered
}

// rule: jsonrpc.response.unanswered
BOOST_AUTO_TEST_CASE(a_reply_that_names_no_call_of_ours_is_counted)
{
    outcome o;
    asio::cancellation_signal give_up;
    server().call("m", nullptr)(asio::bind_cancellation_slot(give_up.slot(), o.handler()));
    receive();
    for (const char* id : {"2", "0", "-1", "01", "1.5", "1e1", "\"1\"", "null", "18446744073709551617"})
        send(result(id, "1"));
    send(R"({"jsonrpc":"2.0","result":1})");
    run_until([&] { return server().counters().stray_replies == 10; });
    expect_silence(); // also what is no JSON, "01", is no request

    BOOST_TEST(!o.is_there());
    give_up.emit(asio::cancellation_type::total);
    expect(cancel("1"));
    BOOST_TEST(server().counters().stray_replies == 10);
    send(result("1", "1"));
    run_until([&] { return server().counters().late_replies == 1; });
    expect_silence();
}

BOOST_AUTO_TEST_CASE(rubbish_costs_no_call_its_reply)
{
    outcome o;
    server().call("m", nullptr)(o.handler());
    receive();
    send("hello, world");
    receive();
    send("");
    send("[]");
    receive();
    send(result("1", "true"));
    run_until([&] { return o.is_there(); });
    BOOST_TEST(o.text() == "result true");
}

// rule: security.memory.client, security.messages.settled
BOOST_AUTO_TEST_CASE(a_reply_that_is_too_large_fails_its_call)
{
    options.bounds.message_bytes = 256;
    options.bounds.depth = 8;
    outcome longer, deeper, after;
    server().call("m", nullptr)(longer.handler());
    server().call("m", nullptr)(deeper.handler());
    server().call("m", nullptr)(after.handler());
    for (int i = 0; i != 3; ++i)
        receive();
    send(R"({"jsonrpc":"2.0","result":")" + std::string(1000, 'x') + R"(","id":1})");
    send(result("2", std::string(20, '[') + std::string(20, ']')));
    send(result("3", "3"));
    run_until([&] { return after.is_there(); });
    BOOST_TEST(longer.text() == failed(errc::message_too_large));
    BOOST_TEST(deeper.text() == failed(errc::message_too_large));
    BOOST_TEST(after.text() == "result 3");
    expect_silence();
}

BOOST_AUTO_TEST_CASE(a_result_that_is_not_there_can_not_be_read)
{
    const partyline::call_result<int> none;
    BOOST_CHECK_THROW(*none, boost::system::system_error);
    partyline::call_result<std::string> refused(partyline::error_object{7, "no", {}});
    BOOST_CHECK_THROW(static_cast<void>(refused->size()), partyline::rpc_error);
    partyline::call_result<std::string> given(std::string("text"));
    BOOST_TEST(given->size() == 4u);
    *given += 's';
    BOOST_TEST(*std::move(given) == "texts");
}

BOOST_AUTO_TEST_CASE(a_late_one_that_is_too_large_counts_as_late)
{
    options.bounds.message_bytes = 256;
    outcome o;
    server().call("m", nullptr, call_options().timeout(-1s))(o.handler());
    run_until([&] { return o.is_there(); });
    const std::string text(1000, 'x');
    send(result("1", '"' + text + '"'));
    run_until([&] { return server().counters().late_replies == 1; });
    send(result("2", '"' + text + '"'));
    run_until([&] { return server().counters().stray_replies == 1; });
    BOOST_TEST(server().counters().late_replies == 1);
    receive(); // the call
    receive(); // and its cancel
    expect_silence();
}

BOOST_AUTO_TEST_CASE(a_call_that_is_too_large_is_not_sent)
{
    options.bounds.message_bytes = 256;
    outcome o;
    server().call("m", json::array{std::string(200, 'x'), std::string(30, 'y')})(o.handler());
    run_until([&] { return o.is_there(); });
    BOOST_TEST(o.text() == failed(errc::message_too_large));
    expect_silence();
    BOOST_TEST(server().counters().calls == 0);
}

// rule: mcp.timeout.cancel, security.messages.settled
BOOST_AUTO_TEST_CASE(a_call_whose_time_is_over_is_cancelled)
{
    outcome o;
    server().call("slow", nullptr, in_a_moment)(o.handler());
    expect(request("1", "slow"));
    expect(cancel("1"));
    run_until([&] { return o.is_there(); });
    BOOST_TEST(o.text() == failed(errc::timeout));
    send(result("1", "1"));
    run_until([&] { return server().counters().late_replies == 1; });
    BOOST_TEST(o.times == 1);
}

// rule: mcp.cancel.own
BOOST_AUTO_TEST_CASE(a_cancelled_call_completes_at_once_and_tells_the_peer)
{
    outcome o;
    asio::cancellation_signal signal;
    server().call("slow", nullptr)(asio::bind_cancellation_slot(signal.slot(), o.handler()));
    expect(request("1", "slow"));
    signal.emit(asio::cancellation_type::total);
    run_until([&] { return o.is_there(); });
    BOOST_TEST(o.text() == failed(asio::error::operation_aborted));
    expect(cancel("1"));
    signal.emit(asio::cancellation_type::total); // too late
    send(cancelled("1"));
    run_until([&] { return server().counters().late_replies == 1; });
    expect_silence();
    BOOST_TEST(o.times == 1);
}

// rule: jsonrpc.id.own, mcp.request.id_legacy, mcp.request.id_modern
BOOST_AUTO_TEST_CASE(ids_are_never_used_again)
{
    outcome first, second;
    asio::cancellation_signal signal;
    server().call("a", nullptr)(asio::bind_cancellation_slot(signal.slot(), first.handler()));
    receive();
    signal.emit(asio::cancellation_type::all);
    server().call("b", nullptr)(second.handler());
    expect_in_any_order({cancel("1"), request("2", "b")});
    send(result("1", "\"late\""));
    send(result("2", "\"own\""));
    run_until([&] { return second.is_there(); });
    BOOST_TEST(second.text() == "result \"own\"");
}

// rule: mcp.progress.track
BOOST_AUTO_TEST_CASE(progress_reaches_its_call_before_the_result)
{
    std::vector<std::string> seen;
    outcome o;
    call_options how;
    how.on_progress([&](const json::value& v) { seen.push_back(json::serialize(v)); });
    server().call("long", {{"a", 1}}, how)([&](error_code failed, partyline::response reply) {
        o.take(failed, reply);
        seen.push_back("done");
    });
    expect(request("1", "long", R"({"workDoneToken":1,"a":1})"));
    send(notification("$/progress", R"({"token":1,"value":50})"));
    send(notification("$/progress", R"({"token":2,"value":60})"));
    send(notification("$/progress", R"({"token":1,"value":{"kind":"end"}})"));
    send(result("1", "null"));
    run_until([&] { return o.is_there(); });
    send(notification("$/progress", R"({"token":1,"value":"late"})"));
    settle();
    BOOST_TEST(seen == (std::vector<std::string>{"50", R"({"kind":"end"})", "done"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_token_is_put_where_there_is_an_object)
{
    call_options how;
    how.on_progress([](const json::value&) {});
    server().call("a", json::object{}, how)([](auto...) {});
    expect(request("1", "a", R"({"workDoneToken":1})"));
    server().call("b", {1}, how)([](auto...) {});
    expect(request("2", "b", "[1]"));
    server().call("c", nullptr, how)([](auto...) {});
    expect(request("3", "c"));
}

BOOST_AUTO_TEST_CASE(a_token_of_the_callers_own_gives_way_and_nothing_is_said_twice)
{
    const struct {
        const char* given;
        const char* sent;
    } rows[] = {
        {R"({"workDoneToken":"own"})", R"({"workDoneToken":1})"},
        {R"({ "a" : [1] , "workDoneToken" : {} , "b" : 2 })", R"({"workDoneToken":2,"a" : [1],"b" : 2})"},
        {R"({"workDoneToke\u006e":7,"a":{"workDoneToken":8}})", R"({"workDoneToken":3,"a":{"workDoneToken":8}})"},
        {R"({"workDoneToken":1,"workDoneToken":2})", R"({"workDoneToken":4})"},
        {R"({"a":"\"workDoneToken\":1"})", R"({"workDoneToken":5,"a":"\"workDoneToken\":1"})"},
    };
    call_options how;
    how.on_progress([](const json::value&) {});
    int id = 0;
    for (const auto& [given, sent] : rows) {
        server().call("a", partyline::json_text(given), how)([](auto...) {});
        expect(request(std::to_string(++id), "a", sent));
    }
}

BOOST_AUTO_TEST_CASE(who_does_not_ask_for_progress_may_name_a_token_of_his_own)
{
    call_options how;
    how.on_progress([](const json::value&) {});
    how.asks_progress(false);
    server().call("a", {{"workDoneToken", "own"}}, how)([](auto...) {});
    expect(request("1", "a", R"({"workDoneToken":"own"})"));
    server().call("b", {{"workDoneToken", "own"}}, call_options())([](auto...) {});
    expect(request("2", "b", R"({"workDoneToken":"own"})"));
}

BOOST_AUTO_TEST_CASE(what_on_progress_throws_is_logged)
{
    outcome o;
    call_options how;
    how.on_progress([](const json::value&) { throw std::runtime_error("no"); });
    server().call("a", nullptr, how)(o.handler());
    receive();
    send(notification("$/progress", R"({"token":1,"value":1})"));
    send(result("1", "1"));
    run_until([&] { return o.is_there(); });
    BOOST_TEST(logged.size() == 1);
}

BOOST_AUTO_TEST_CASE(progress_puts_off_the_idle_timeout_but_not_the_timeout)
{
    with_growing_time(150ms, [](std::chrono::milliseconds time) {
        dialogue d;
        outcome idle, total;
        call_options how;
        how.idle_timeout(time);
        d.server().call("idle", nullptr, how)(idle.handler());
        how.timeout(3 * time);
        d.server().call("total", nullptr, how)(total.handler());
        // As long as progress comes, neither is idle: the second ends by its timeout, the first when nothing comes any
        // more.
        asio::steady_timer tick(d.context);
        std::function<void()> send_progress = [&] {
            if (total.is_there())
                return;
            d.send(notification("$/progress", R"({"token":1,"value":1})"));
            d.send(notification("$/progress", R"({"token":2,"value":1})"));
            tick.expires_after(10ms);
            tick.async_wait([&](error_code cancelled) {
                if (!cancelled)
                    send_progress();
            });
        };
        send_progress();
        d.run_until([&] { return total.is_there(); });
        const bool was_quick = !idle.is_there();
        d.run_until([&] { return idle.is_there(); });
        BOOST_TEST(total.text() == failed(errc::timeout));
        BOOST_TEST(idle.text() == failed(errc::timeout));
        d.settle();
        if (was_quick)
            BOOST_TEST(d.heard().back() == cancel("1"));
        return was_quick;
    });
}

// rule: jsonrpc.notification.no_id
BOOST_AUTO_TEST_CASE(the_peer_is_told)
{
    error_code told = errc::timeout;
    server().notify("hello", {{"a", 1}})([&](error_code failed, auto) { told = failed; });
    expect(notification("hello", R"({"a":1})"));
    run_until([&] { return told != errc::timeout; });
    BOOST_TEST(!told);
}

BOOST_AUTO_TEST_CASE(too_many_calls_are_refused_at_once)
{
    options.bounds.calls = 2;
    outcome first, second, third;
    server().call("a", nullptr)(first.handler());
    server().call("b", nullptr)(second.handler());
    server().call("c", nullptr)(third.handler());
    run_until([&] { return third.is_there(); });
    BOOST_TEST(third.text() == failed(errc::too_many_calls));
    send(result("1", "1"));
    send(result("2", "2"));
    run_until([&] { return second.is_there(); });
    BOOST_TEST(first.text() == "result 1");
}

BOOST_AUTO_TEST_CASE(ten_thousand_calls_at_once)
{
    constexpr int count = 10000;
    int sum = 0;
    int done = 0;
    for (int i = 1; i <= count; ++i) {
        server().call<int>("n", {i})([&](error_code failed, partyline::call_result<int> got) {
            sum += failed ? 0 : *got;
            ++done;
        });
    }
    for (int i = 1; i <= count; ++i)
        send(result(std::to_string(count + 1 - i), std::to_string(i)));
    run_until([&] { return done == count; });
    BOOST_TEST(sum == count * (count + 1) / 2);
    BOOST_TEST(server().counters().peak_open_calls == count);
}

BOOST_AUTO_TEST_SUITE_END()
