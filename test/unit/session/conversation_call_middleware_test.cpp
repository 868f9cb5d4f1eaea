// What calls to the peer pass before they are sent.

#include "support/dialogue.hpp"
#include "support/outcome.hpp"
#include "support/text_search.hpp"

#include <partyline/rpc/tracing.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>

namespace asio = boost::asio;
namespace json = boost::json;
using namespace partyline::test;
using namespace std::chrono_literals;
using boost::asio::awaitable;
using partyline::call_batch;
using partyline::call_options;
using partyline::errc;
using partyline::error_code;
using partyline::json_text;
using partyline::method_options;
using partyline::next_call;
using partyline::peer_call;
using partyline::request_context;
using partyline::response;
using partyline::rpc_error;

namespace {

awaitable<response> pass_on(peer_call&, next_call& next)
{
    co_return co_await next();
}

awaitable<std::string> ask(request_context& context)
{
    const response reply = co_await context.call("ask", json::object())(asio::use_awaitable);
    co_return reply.value().text();
}

struct fixture : dialogue {
    asio::thread_pool pool{1};
    gate never{context};
    outcome at_the_end[4]; // of calls that nobody answers

    fixture()
    {
        methods.add("ask", ask);
        methods.add("pool_ask", ask, method_options{.executor = pool.get_executor()});
    }
    ~fixture()
    {
        destroy_session();
        settle();
        pool.join();
    }
    auto hold()
    {
        return [this](peer_call&, next_call& next) -> awaitable<response> {
            co_await never.wait();
            co_return co_await next();
        };
    }
    void call(outcome& o, std::string method = "m", partyline::call_params params = nullptr, call_options how = {})
    {
        server().call(std::move(method), std::move(params), std::move(how))(o.handler());
    }
    std::string come_to(outcome& o)
    {
        run_until([&] { return o.is_there(); });
        return o.text();
    }
};

std::string ids_of(const std::string& line)
{
    const json::value said = json::parse(line);
    return std::string(said.at("params").at("_meta").at("traceparent").as_string());
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(conversation_call_middleware, fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(a_plain_function_changes_what_is_sent)
{
    options.around_calls.add([](peer_call& call) {
        call.method += "!";
        call.params = json_text(std::string("[1e400]"));
    });
    outcome o;
    call(o, "m");
    expect(request("1", "m!", "[1e400]"));
    send(result("1", "5"));
    BOOST_TEST(come_to(o) == "result 5");
    server().notify("n", nullptr)([](error_code, auto) {});
    expect(notification("n!", "[1e400]"));
}

BOOST_AUTO_TEST_CASE(what_it_makes_must_be_params)
{
    options.around_calls.add([](peer_call& call) { call.params = json_text(std::string("5")); });
    outcome o;
    call(o);
    BOOST_TEST(come_to(o) == failed(errc::bad_params));
}

BOOST_AUTO_TEST_CASE(it_refuses_and_answers)
{
    options.around_calls.add([](peer_call& call) -> std::optional<response> {
        if (call.method == "refused")
            throw rpc_error(7, "no");
        if (call.method == "broken")
            throw std::runtime_error("what it says");
        if (call.method == "answered")
            return response(json_text(std::string("[1]")));
        if (call.method == "failed")
            return response(response::failure{errc::timeout, "by us"});
        return std::nullopt;
    });
    const std::pair<const char*, std::string> rows[] = {
        {"refused", "error 7 no"},
        {"broken", failed(errc::refused)},
        {"answered", "result [1]"},
        {"failed", failed(errc::timeout)},
    };
    for (const auto& [method, expected] : rows) {
        outcome o;
        call(o, method);
        BOOST_TEST(come_to(o) == expected);
        if (o.code)
            BOOST_TEST(!o.said.details().empty());
    }
    call(at_the_end[0], "other");
    expect(request("5", "other"));
    BOOST_TEST(server().counters().open_calls == 1u);
}

BOOST_AUTO_TEST_CASE(of_a_batch_each_element_passes_it)
{
    options.around_calls.add([](peer_call& call) -> std::optional<response> {
        if (call.method == "refused")
            throw rpc_error(7, "no");
        call.method += call.is_notification() ? "?" : "!";
        return std::nullopt;
    });
    options.around_calls.add(pass_on); // no element waits for it
    call_batch batch;
    batch.call("a").call("refused").notify("n").notify("refused");
    std::vector<response> replies;
    server().batch(std::move(batch))([&](error_code, auto all) { replies = std::move(*all); });
    expect("[" + request("1", "a!") + "," + notification("n?") + "]");
    send(result("1", "5"));
    run_until([&] { return !replies.empty(); });
    BOOST_TEST(replies.at(0).value().text() == "5");
    BOOST_TEST(replies.at(1).error()->code == 7);
}

BOOST_AUTO_TEST_CASE(a_notification_that_is_refused_says_so)
{
    options.around_calls.add([](peer_call& call) -> std::optional<response> {
        if (call.method == "refused")
            throw rpc_error(7, "no");
        return call.method == "answered" ? std::optional<response>(json_text()) : std::nullopt;
    });
    std::vector<error_code> told;
    for (const char* method : {"refused", "answered"})
        server().notify(method, nullptr)([&](error_code failed, auto) { told.push_back(failed); });
    run_until([&] { return told.size() == 2; });
    BOOST_TEST((told[0] == errc::refused));
    BOOST_TEST(!told[1]);
    expect_silence();
}

BOOST_AUTO_TEST_CASE(a_batch_of_notifications_that_are_all_answered_is_well)
{
    options.around_calls.add([](peer_call& call) -> std::optional<response> {
        if (call.method == "refused")
            throw rpc_error(7, "no");
        return response(json_text());
    });
    std::vector<error_code> told;
    for (const char* second : {"answered", "refused"}) {
        call_batch batch;
        batch.notify("answered").notify(second);
        server().batch(std::move(batch))([&](error_code why, auto) { told.push_back(why); });
    }
    run_until([&] { return told.size() == 2; });
    BOOST_TEST(!told[0]);
    BOOST_TEST((told[1] == errc::refused));
    expect_silence();
}

BOOST_AUTO_TEST_CASE(a_coroutine_stands_around_a_call)
{
    std::vector<std::string> seen;
    options.around_calls.add([&](peer_call& call, next_call& next) -> awaitable<response> {
        seen.push_back("before " + call.method);
        response reply = co_await next();
        seen.push_back("after " + reply.value().text());
        co_return json_text(std::string("\"changed\""));
    });
    options.around_calls.add([&](peer_call& call) { call.method += call.request() ? "?" : "!"; });
    outcome o;
    call(o);
    expect(request("2", "m!"));
    send(result("2", "5"));
    BOOST_TEST(come_to(o) == "result \"changed\"");
    const std::vector<std::string> expected{"before m", "after 5"};
    BOOST_TEST(seen == expected, boost::test_tools::per_element());
    BOOST_TEST(server().counters().open_calls == 0u);
}

BOOST_AUTO_TEST_CASE(nobody_can_answer_a_call_that_is_held)
{
    options.around_calls.add(pass_on);
    outcome o;
    call(o);
    expect(request("2", "m"));
    BOOST_TEST(server().counters().open_calls == 1u); // with what it has sent
    send(result("1", "\"forged\""));
    settle();
    BOOST_TEST(!o.is_there());
    send(result("2", "5"));
    BOOST_TEST(come_to(o) == "result 5");
}

BOOST_AUTO_TEST_CASE(a_coroutine_tries_again)
{
    options.around_calls.add([](peer_call&, next_call& next) -> awaitable<response> {
        response reply = co_await next();
        if (reply.error())
            reply = co_await next();
        co_return reply;
    });
    outcome o;
    call(o);
    expect(request("2", "m"));
    send(R"({"jsonrpc":"2.0","id":2,"error":{"code":1,"message":"busy"}})");
    expect(request("3", "m"));
    send(result("3", "5"));
    BOOST_TEST(come_to(o) == "result 5");
}

BOOST_AUTO_TEST_CASE(a_coroutine_that_answers_or_throws_sends_nothing)
{
    options.around_calls.add([](peer_call& call, next_call&) -> awaitable<response> {
        if (call.method == "refused")
            throw rpc_error(7, "no");
        if (call.method == "broken")
            throw std::runtime_error("what it says");
        co_return json_text(std::string("1"));
    });
    const std::pair<const char*, std::string> rows[] = {
        {"refused", "error 7 no"}, {"broken", failed(errc::refused)}, {"answered", "result 1"}};
    for (const auto& [method, expected] : rows) {
        outcome o;
        call(o, method);
        BOOST_TEST(come_to(o) == expected);
    }
    error_code told;
    server().notify("refused", nullptr)([&](error_code why, auto) { told = why; });
    run_until([&] { return bool(told); });
    BOOST_TEST((told == errc::refused));
    expect_silence();
}

BOOST_AUTO_TEST_CASE(one_that_never_goes_on_is_ended_by_its_time)
{
    options.around_calls.add(hold());
    outcome o;
    call(o, "m", nullptr, call_options().timeout(1ms));
    BOOST_TEST(come_to(o) == failed(errc::timeout));
    never.open();
    expect_silence(); // it was cancelled, too
    BOOST_TEST(server().counters().open_calls == 0u);
}

BOOST_AUTO_TEST_CASE(one_that_never_goes_on_is_ended_by_a_cancel)
{
    options.around_calls.add(hold());
    asio::cancellation_signal signal;
    outcome o;
    server().call("m", nullptr)(asio::bind_cancellation_slot(signal.slot(), o.handler()));
    settle();
    signal.emit(asio::cancellation_type::all);
    BOOST_TEST(come_to(o) == failed(asio::error::operation_aborted));
    expect_silence();
}

BOOST_AUTO_TEST_CASE(one_that_never_goes_on_is_ended_with_the_session)
{
    options.around_calls.add(hold());
    outcome o;
    call(o);
    error_code told;
    server().notify("n", nullptr)([&](error_code why, auto) { told = why; });
    settle();
    server().stop();
    BOOST_TEST(come_to(o) == failed(errc::session_closed));
    run_until([&] { return bool(told); });
    wait_end();
}

BOOST_AUTO_TEST_CASE(params_of_calls_that_are_held_have_their_bound)
{
    options.around_calls.add(hold());
    options.bounds.call_bytes = 10;
    outcome held;
    outcome too_much;
    outcome after;
    call(held, "m", {1234});
    call(too_much, "m", {1234});
    BOOST_TEST(come_to(too_much) == failed(errc::too_many_calls));
    never.open();
    expect(request("3", "m", "[1234]"));
    send(result("3", "5"));
    BOOST_TEST(come_to(held) == "result 5");
    call(after, "m", {1234});
    expect(request("5", "m", "[1234]"));
    send(result("5", "6"));
    BOOST_TEST(come_to(after) == "result 6");
}

BOOST_AUTO_TEST_CASE(one_that_ignores_the_cancel_comes_too_late)
{
    options.around_calls.add([&](peer_call&, next_call& next) -> awaitable<response> {
        try {
            co_await never.wait();
        } catch (const boost::system::system_error&) {
        }
        co_await asio::this_coro::reset_cancellation_state();
        co_return co_await next();
    });
    outcome o;
    call(o, "m", nullptr, call_options().timeout(1ms));
    BOOST_TEST(come_to(o) == failed(errc::timeout));
    expect_silence();
    BOOST_TEST(o.times == 1);
}

BOOST_AUTO_TEST_CASE(a_call_that_is_sent_is_cancelled_at_the_peer)
{
    options.around_calls.add(pass_on);
    outcome o;
    call(o, "m", nullptr, call_options().timeout(20ms));
    expect(request("2", "m"));
    expect(cancel("2"));
    BOOST_TEST(come_to(o) == failed(errc::timeout));
}

BOOST_AUTO_TEST_CASE(progress_reaches_who_asked)
{
    options.around_calls.add(pass_on);
    std::vector<json::value> progress;
    outcome o;
    call(o, "m", nullptr,
         call_options().idle_timeout(10s).on_progress([&](const json::value& v) { progress.push_back(v); }));
    expect(request("2", "m"));
    send(partyline::test::progress("2", "7"));
    send(result("2", "1"));
    BOOST_TEST(come_to(o) == "result 1");
    BOOST_TEST(progress.size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_call_of_a_handler_is_cancelled_with_its_request)
{
    options.around_calls.add(hold());
    for (const char* method : {"ask", "pool_ask"}) {
        send(request("1", method));
        run_until([&] { return server().counters().open_calls == 1u; });
        send(cancel("1"));
        expect(cancelled("1"));
        run_until([&] { return server().counters().open_calls == 0u; });
    }
}

BOOST_AUTO_TEST_CASE(a_call_of_a_handler_goes_through_from_wherever_that_runs)
{
    options.around_calls.add(pass_on);
    for (const char* id : {"2", "4"}) {
        send(request("1", id[0] == '2' ? "ask" : "pool_ask"));
        expect(request(id, "ask", "{}"));
        send(result(id, "5"));
        expect(result("1", "\"5\""));
    }
}

// rule: mcp.meta.trace
BOOST_AUTO_TEST_CASE(a_trace_goes_on_in_calls)
{
    options.around_calls.add(partyline::trace_calls);
    methods.around_requests(partyline::trace_requests);
    const std::string trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    const std::string params =
        R"({"_meta":{"traceparent":"00-)" + trace + R"(-00f067aa0ba902b7-00","tracestate":"a=1"}})";
    for (const char* method : {"ask", "pool_ask"}) {
        send(request("1", method, params));
        const std::string line = receive();
        const std::string sent = ids_of(line);
        BOOST_TEST(sent.substr(3, 32) == trace);
        BOOST_TEST(sent.substr(36, 16) != "00f067aa0ba902b7");
        BOOST_TEST(sent.substr(53) == "00");
        BOOST_TEST(contains(line, R"("tracestate":"a=1")"));
        send(result(method[0] == 'a' ? "1" : "2", "5"));
        expect(result("1", "\"5\""));
    }
}

BOOST_AUTO_TEST_CASE(calls_of_nobody_begin_traces_and_keep_what_they_have)
{
    options.around_calls.add(partyline::trace_calls);
    outcome(&o)[4] = at_the_end;
    call(o[0]);
    const std::string first = ids_of(receive());
    call(o[1], "m", json::object{{"a", 1}, {"_meta", {{"b", 2}, {"traceparent", "old"}}}});
    const std::string line = receive();
    BOOST_TEST(first.substr(3, 32) != ids_of(line).substr(3, 32));
    BOOST_TEST(contains(line, R"("b":2)"));
    BOOST_TEST(contains(line, R"("a":1)"));
    BOOST_TEST(!contains(line, "old"));
    call(o[2], "m", json::object{{"_meta", 5}});
    BOOST_TEST(ids_of(receive()).size() == 55u);
    call(o[3], "m", json::array{1});
    expect(request("4", "m", "[1]"));
}

BOOST_AUTO_TEST_CASE(what_travels_with_a_call_reaches_the_next)
{
    struct token {
        std::string text;
    };
    std::string seen;
    options.around_calls.add([](peer_call& call) { call.attached.attach(token{"t"}); });
    options.around_calls.add([&](peer_call& call, next_call& next) -> awaitable<response> {
        seen = call.attached.find<token>()->text;
        co_return co_await next();
    });
    call(at_the_end[0]);
    expect(request("2", "m"));
    BOOST_TEST(seen == "t");
}

BOOST_AUTO_TEST_CASE(what_notify_tells_passes_the_plain_functions)
{
    methods.add("tell", [](request_context& c, std::string what) { c.notify(what); });
    options.around_calls.add(pass_on);
    options.around_calls.add([](peer_call& call) {
        if (call.method == "refused")
            throw rpc_error(7, "no");
        call.method += '!';
    });
    send(request("1", "tell", R"(["n"])"));
    expect(notification("n!"));
    expect(result("1", "null"));
    send(request("2", "tell", R"(["refused"])"));
    expect(R"({"jsonrpc":"2.0","id":2,"error":{"code":7,"message":"no"}})");
}

BOOST_AUTO_TEST_CASE(coroutines_that_are_destroyed_end_their_call)
{
    options.around_calls.add([&](peer_call&, next_call& next) -> awaitable<response> {
        co_await asio::post(context, asio::use_awaitable);
        co_await asio::async_initiate<const asio::use_awaitable_t<>&, void()>(
            [](auto) { throw std::runtime_error("at the beginning"); }, asio::use_awaitable);
        co_return co_await next();
    });
    outcome o;
    call(o);
    BOOST_CHECK_THROW(run_until([&] { return o.is_there(); }), std::runtime_error);
    BOOST_TEST(come_to(o) == failed(errc::session_failed));
    BOOST_TEST(server().counters().open_calls == 0u);
}

BOOST_AUTO_TEST_CASE(metadata_can_have_any_name_and_is_as_deep_as_allowed)
{
    options.bounds.depth = 6;
    std::string problem;
    options.around_calls.add([&](peer_call& call) {
        call.set_metadata("a\":1},\"b", 5);
        call.set_metadata("deep", json::parse("[[[]]]"));
        try {
            call.set_metadata("deeper", json::parse("[[[[]]]]"));
        } catch (const std::invalid_argument& error) {
            problem = error.what();
        }
    });
    call(at_the_end[0]);
    expect(request("1", "m", R"({"_meta":{"deep":[[[]]],"a\":1},\"b":5}})"));
    BOOST_TEST(contains(problem, "nested deeper"));
}

BOOST_AUTO_TEST_CASE(metadata_of_params_that_are_none_harms_nobody)
{
    options.around_calls.add([](peer_call& call) {
        call.params = json_text(std::string("{\"a\":[1"));
        call.set_metadata("b", 5);
    });
    outcome o;
    call(o);
    BOOST_TEST(come_to(o) == failed(errc::bad_params));
}

BOOST_AUTO_TEST_CASE(a_call_that_is_held_leaves_room_for_what_it_sends)
{
    options.bounds.calls = 1;
    options.around_calls.add(pass_on);
    outcome first;
    outcome second;
    call(first);
    call(second);
    BOOST_TEST(come_to(second) == failed(errc::too_many_calls));
    expect(request("3", "m"));
    send(result("3", "5"));
    BOOST_TEST(come_to(first) == "result 5");
}

BOOST_AUTO_TEST_CASE(a_notification_that_is_held_is_no_call)
{
    options.bounds.peer_waits = 0;
    options.around_calls.add(pass_on);
    methods.add("tell", [](request_context& c) -> awaitable<void> { co_await c.notify("n", nullptr); });
    send(request("1", "tell"));
    expect(notification("n"));
    expect(result("1", "null"));
}

BOOST_AUTO_TEST_CASE(a_coroutine_sees_why_its_call_has_ended_without_it)
{
    error_code before = errc::refused;
    error_code after;
    bool has_ended = false;
    options.around_calls.add([&](peer_call& call, next_call& next) -> awaitable<response> {
        before = call.ended();
        response reply = co_await next();
        after = call.ended();
        has_ended = true;
        co_return reply;
    });
    outcome o;
    call(o, "m", nullptr, call_options().timeout(1ms));
    BOOST_TEST(come_to(o) == failed(errc::timeout));
    run_until([&] { return has_ended; });
    BOOST_TEST(!before);
    BOOST_TEST((after == errc::timeout));
}

BOOST_AUTO_TEST_CASE(what_a_call_is_by_itself_is_told_in_place_of_the_request)
{
    const auto own = partyline::trace_context::make_root();
    options.around_calls.add([&](peer_call& call) { call.attached.attach(partyline::call_trace{own}); });
    options.around_calls.add(partyline::trace_calls);
    send(request("1", "ask", R"({"_meta":{"traceparent":"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"}})"));
    BOOST_TEST(ids_of(receive()) == own.traceparent());
    send(result("1", "1"));
    expect(result("1", "\"1\""));
}

BOOST_AUTO_TEST_CASE(a_trace_goes_on_behind_a_coroutine)
{
    options.around_calls.add(pass_on);
    options.around_calls.add(partyline::trace_calls);
    methods.around_requests(partyline::trace_requests);
    send(request("1", "ask", R"({"_meta":{"traceparent":"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"}})"));
    BOOST_TEST(ids_of(receive()).substr(3, 32) == "4bf92f3577b34da6a3ce929d0e0e4736");
    send(result("2", "1"));
    expect(result("1", "\"1\""));
}

BOOST_AUTO_TEST_CASE(a_call_that_was_let_in_is_sent_although_the_session_closes)
{
    options.around_calls.add(hold());
    outcome o;
    call(o);
    settle();
    server().close();
    never.open();
    expect(request("2", "m"));
    send(result("2", "5"));
    BOOST_TEST(come_to(o) == "result 5");
}

BOOST_AUTO_TEST_CASE(an_empty_function_is_refused)
{
    BOOST_CHECK_THROW(options.around_calls.add(std::function<void(peer_call&)>()), std::invalid_argument);
    void (*const none)(peer_call&) = nullptr;
    BOOST_CHECK_THROW(options.around_calls.add(none), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
