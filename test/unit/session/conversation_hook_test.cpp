#include "support/dialogue.hpp"
#include "support/outcome.hpp"

#include <boost/test/unit_test.hpp>

namespace asio = boost::asio;
namespace json = boost::json;
using namespace partyline::test;
using partyline::call_batch;
using partyline::errc;
using partyline::error_code;
using partyline::error_object;
using partyline::message_event;

namespace {

std::string to_string(const message_event& e)
{
    constexpr const char* kinds[] = {"request", "notification", "reply", "batch", "bad"};
    std::string line = e.direction == partyline::message_direction::in ? "in " : "out ";
    line.append(e.is_element ? "element " : "").append(e.is_error ? "error " : "");
    line.append(kinds[static_cast<int>(e.type)]).append(" ").append(e.id).append(" ").append(e.method);
    return line.append(e.latency ? " timed" : "");
}

struct fixture : dialogue {
    std::vector<std::string> seen;

    fixture()
    {
        methods.add("echo", [](json::value v) { return v; });
        methods.add_notification("note", [](json::value) {});
        options.on_message = [this](const message_event& e) {
            seen.push_back(to_string(e));
            if (e.method == "forbidden")
                return std::optional(error_object{-1, "not here", std::nullopt});
            return std::optional<error_object>();
        };
    }

    void check_seen(const std::vector<std::string>& expected)
    {
        BOOST_TEST(seen == expected, boost::test_tools::per_element());
        seen.clear();
    }
};

const char* const not_here = R"("error":{"code":-1,"message":"not here"}})";

} // namespace

BOOST_FIXTURE_TEST_SUITE(conversation_hook, fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(calls_and_their_replies_are_seen_and_timed)
{
    outcome o;
    server().call("ask", nullptr)(o.handler());
    receive();
    send(R"({"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}})");
    run_until([&] { return o.is_there(); });
    send(result("1", "2"));
    run_until([&] { return seen.size() == 3; });
    server().notify("told", nullptr)([](error_code, auto) {});
    receive();
    check_seen({"out request 1 ask", "in error reply 1 ask timed", "in reply 1 ", "out notification  told"});
}

BOOST_AUTO_TEST_CASE(batches_are_seen_as_a_whole_and_in_parts)
{
    send('[' + request("1", "echo") + ',' + notification("note") + ",1]");
    receive();
    check_seen({"in batch  ", "in element request 1 echo", "out element reply 1 echo timed",
                "in element notification  note", "in element bad  ", "out element error reply   timed", "out batch  "});
}

BOOST_AUTO_TEST_CASE(a_refused_request_is_answered_and_not_served)
{
    int served = 0;
    methods.add("forbidden", [&] { return ++served; });
    send(request("1", "forbidden"));
    expect(std::string(R"({"jsonrpc":"2.0","id":1,)") + not_here);
    send('[' + request("2", "forbidden") + ',' + request("3", "echo", "[3]") + ']');
    expect(std::string(R"([{"jsonrpc":"2.0","id":2,)") + not_here + ',' + result("3", "[3]") + ']');
    send(notification("forbidden"));
    expect_silence();
    BOOST_TEST(served == 0);
    BOOST_TEST(server().counters().requests == 3);
    BOOST_TEST(server().counters().dropped == 1);
}

BOOST_AUTO_TEST_CASE(to_refuse_a_request_whose_id_is_in_flight_does_not_answer_the_first_one)
{
    gate slow(context);
    methods.add("slow", [&](partyline::request_context&) -> asio::awaitable<int> {
        co_await slow.wait();
        co_return 1;
    });
    send(request("1", "slow"));
    send(request("1", "forbidden"));
    BOOST_TEST(receive().find(R"("id":null)") != std::string::npos);
    slow.open();
    expect(result("1", "1"));
}

BOOST_AUTO_TEST_CASE(what_a_fallback_serves_is_seen_under_the_name_that_was_called)
{
    gate slow(context);
    options.bounds.in_flight_requests = 1;
    methods.set_fallback([&](partyline::request_context&) -> asio::awaitable<int> {
        co_await slow.wait();
        co_return 1;
    });
    send(request("1", "one"));
    send(request("2", "two"));
    send(cancel("2"));
    receive();
    slow.open();
    receive();
    check_seen({"in request 1 one", "in request 2 two", "in notification  $/cancelRequest",
                "out error reply 2 two timed", "out reply 1 one timed"});
}

BOOST_AUTO_TEST_CASE(a_refused_call_is_answered_and_not_sent)
{
    outcome o;
    server().call("forbidden", nullptr)(o.handler());
    run_until([&] { return o.is_there(); });
    BOOST_TEST(o.text() == "error -1 not here");
    error_code told;
    server().notify("forbidden", nullptr)([&](error_code failed, auto) { told = failed; });
    run_until([&] { return bool(told); });
    BOOST_TEST(told == error_code(errc::refused));
    expect_silence();
}

BOOST_AUTO_TEST_CASE(of_a_batch_the_rest_is_sent)
{
    call_batch all;
    all.call("forbidden").notify("forbidden").call("ask");
    std::vector<partyline::response> replies;
    server().batch(std::move(all))([&](error_code, auto got) { replies = std::move(*got); });
    expect('[' + request("2", "ask") + ']');
    send(result("2", "2"));
    run_until([&] { return !replies.empty(); });
    BOOST_TEST(replies[0].error()->code == -1);
    BOOST_TEST(replies[1]->text() == "2");
}

BOOST_AUTO_TEST_CASE(a_batch_of_which_nothing_is_left_is_not_sent)
{
    call_batch all;
    all.call("forbidden").notify("forbidden");
    int calls_done = 0;
    server().batch(std::move(all))([&](error_code, auto) { ++calls_done; });
    call_batch told;
    told.notify("forbidden");
    error_code failed;
    server().batch(std::move(told))([&](error_code e, auto) { failed = e; });
    run_until([&] { return calls_done != 0 && failed; });
    BOOST_TEST(failed == error_code(errc::refused));
    BOOST_TEST(calls_done == 1);
    expect_silence();
}

BOOST_AUTO_TEST_CASE(what_handlers_tell_can_be_refused)
{
    methods.add("tell", [](partyline::request_context& c) {
        c.notify("forbidden");
        c.notify("allowed");
        return 1;
    });
    send(request("1", "tell"));
    expect(notification("allowed"));
    expect(result("1", "1"));
}

BOOST_AUTO_TEST_CASE(the_hook_may_itself_call)
{
    outcome o;
    bool is_called = false;
    options.on_message = [&](const message_event& e) {
        if (e.type == partyline::message_type::request && !std::exchange(is_called, true))
            server().call("ask", nullptr)(o.handler());
        return std::optional<error_object>();
    };
    send(request("5", "echo", "[5]"));
    expect(result("5", "[5]"));
    expect(request("1", "ask"));
    send(result("1", "1"));
    run_until([&] { return o.is_there(); });
}

BOOST_AUTO_TEST_SUITE_END()
